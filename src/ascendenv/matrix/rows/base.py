"""What rows of several kinds share."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (pydantic and `decode` read the annotations)
from dataclasses import dataclass
from typing import ClassVar, Literal

from ascendenv.matrix.fields import PythonRange, VendorRange  # noqa: TC001  (pydantic and `decode` read the annotations)

__all__ = [
    "Conditions",
    "Lifecycle",
    "Row",
    "Sourced",
    "Text",
]

LevelName = Literal["recommended", "compatible", "unknown", "broken"]
Stage = Literal["planned", "development", "maintenance", "eol"]
Arch = Literal["aarch64", "x86_64"]


class Row:
    """A piece of a data file; a key that it does not know is refused."""

    __pydantic_config__: ClassVar[Mapping[str, str]] = {"extra": "forbid"}


@dataclass(frozen=True, kw_only=True)
class Sourced(Row):
    """A row with its origin: documents, repositories, package indexes; notes are for people who edit the data."""

    source: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """Where this row was read."""
        return self.source


@dataclass(frozen=True)
class Text(Row):
    """A sentence of the data in both languages."""

    en: str
    zh: str


@dataclass(frozen=True, kw_only=True)
class Lifecycle(Row):
    """Where a line stands in its life; days as `2026-10-15`, `as_of` the day the status was published."""

    status: Stage
    as_of: str
    first_release: str | None = None
    eol: str | None = None
    next_status: Stage | None = None
    next_from: str | None = None

    def state(self, today: str | None = None) -> Stage:
        """The stage on that day, announced changes included; without a day, the stage as published."""
        if today is not None:
            if self.eol is not None and today >= self.eol:
                return "eol"
            if self.next_status is not None and self.next_from is not None and today >= self.next_from:
                return self.next_status
        return self.status


@dataclass(frozen=True, kw_only=True)
class Conditions(Row):
    """What must be given for a row to apply; a component that is not named does not matter."""

    driver: VendorRange | None = None
    firmware: VendorRange | None = None
    cann: VendorRange | None = None
    ops: VendorRange | None = None
    product: VendorRange | None = None
    torch: PythonRange | None = None
    torch_npu: PythonRange | None = None
    python: PythonRange | None = None
    families: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
