"""A comparison as plain data (schema: docs/schemas/diff.schema.json)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from ascendenv.compare.comparison import Comparison

__all__ = ["ComparisonRecord", "comparison_record"]

SCHEMA_VERSION = 1


class DifferenceRecord(TypedDict):
    """A trait that differs; null where one machine does not have it."""

    area: str
    name: str
    a: str | None
    b: str | None


class OneSidedRecord(TypedDict):
    """A trait that is known of one machine only."""

    area: str
    name: str
    known_in: str
    value: str
    reason: str


class ComparisonRecord(TypedDict):
    """Two machines; `same` counts equal traits by area."""

    schema_version: int
    a: str
    b: str
    different: list[DifferenceRecord]
    unknown: list[OneSidedRecord]
    same: dict[str, int]


def comparison_record(found: Comparison, a: str, b: str) -> ComparisonRecord:
    """The record of a comparison of the inputs called `a` and `b`."""
    return {
        "schema_version": SCHEMA_VERSION,
        "a": a,
        "b": b,
        "different": [
            {"area": one.area.name.lower(), "name": one.name, "a": one.first, "b": one.second}
            for one in found.differences
        ],
        "unknown": [
            {
                "area": one.area.name.lower(),
                "name": one.name,
                "known_in": "a" if one.known_in == "first" else "b",
                "value": one.value,
                "reason": str(one.reason),
            }
            for one in found.one_sided
        ],
        "same": {area.name.lower(): count for area, count in found.same.items()},
    }
