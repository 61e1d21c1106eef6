"""What people ask of a stack: any subset of its parts, each one version, a line, or a range."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascendenv.versions import VersionRange

__all__ = ["Wishes"]


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """The parts that a stack must have. A bare version means itself with its builds and patches."""

    chip: str | None = None
    product: str | None = None
    driver: VersionRange | None = None
    firmware: VersionRange | None = None
    cann: VersionRange | None = None
    torch: VersionRange | None = None
    torch_npu: VersionRange | None = None
    python: VersionRange | None = None
    arch: str | None = None
    os: str | None = None

    def named(self) -> dict[str, str]:
        """The wishes that were made, as text, in the order of the fields."""
        found = ((one.name, getattr(self, one.name)) for one in fields(self))
        return {name: str(value) for name, value in found if value is not None}

    def without(self, names: Iterable[str]) -> Wishes:
        """The wishes but those named."""
        return replace(self, **dict.fromkeys(names))

    def only(self, names: Iterable[str]) -> Wishes:
        """Those of the wishes that are named."""
        kept = set(names)
        return self.without(name for name in self.named() if name not in kept)
