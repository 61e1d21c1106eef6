"""What a comparison looks at: short texts under names, in the order in which they matter."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.facts.unknown import Unknown

__all__ = ["Area", "Listing", "Seen", "Traits"]


class Area(IntEnum):
    """Where a trait belongs; what most often decides between two machines comes first."""

    VERSIONS = 1
    VARIABLES = 2
    LIBRARIES = 3
    PACKAGES = 4
    HARDWARE = 5
    SYSTEM = 6
    DEVICES = 7
    ERRORS = 8


@dataclass(frozen=True)
class Listing:
    """Things under names. Only where `complete` does the absence of a name prove anything."""

    values: Mapping[str, str]
    complete: bool


Seen: TypeAlias = "str | Unknown | Listing | None"
"""One trait: its text, None where it is known not to be there, why nobody knows, or a listing of many."""


@dataclass(frozen=True)
class Traits:
    """The traits of one machine by area and name."""

    by_area: Mapping[Area, Mapping[str, Seen]]

    def __iter__(self) -> Iterator[tuple[Area, str, Seen]]:
        for area in sorted(self.by_area):
            for name, seen in self.by_area[area].items():
                yield area, name, seen
