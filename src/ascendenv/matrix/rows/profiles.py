"""Rows about profiles: what the vendor's scripts export for which CANN, and what a purpose adds."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (pydantic and `decode` read the annotations)
from dataclasses import dataclass
from typing import Literal

from ascendenv.matrix.fields import VendorRange  # noqa: TC001  (same)
from ascendenv.matrix.rows.base import Row, Sourced, Text

__all__ = ["BaseLayer", "CostlySetting", "Export", "Purpose"]


@dataclass(frozen=True, kw_only=True)
class Export(Row):
    """One line of a script: a `value`, or folders to put before those that a list holds (`first`).

    `{prefix}`, `{root}`, `{arch}` and `{abi}` stand for where Ascend software lies, the CANN root, the architecture and
    the C++ ABI of torch.
    """

    name: str
    value: str | None = None
    first: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class BaseLayer(Sourced):
    """What one script exports, in its order, and the patterns of list entries that come from any version of it.

    `needs` names the part of a lock without which the layer is left out.
    """

    name: str
    needs: Literal["toolkit", "nnal"]
    cann: VendorRange
    root: str
    exports: tuple[Export, ...]
    foreign: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Purpose(Sourced):
    """What a purpose sets on top of the base; a variable is written under its oldest name."""

    name: str
    about: Text
    settings: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class CostlySetting(Sourced):
    """Values of a variable that are for finding faults only."""

    name: str
    values: tuple[str, ...]
