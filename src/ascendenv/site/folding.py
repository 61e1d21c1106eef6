"""Tables of numbers made small: equal rows are kept once, and runs of equal numbers as their length."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Folded", "fold", "runs"]


class Folded(TypedDict):
    """A folded table: `levels` from the outermost to the innermost, whose numbers are those of the table."""

    levels: list[list[list[int]]]


def fold(cells: Sequence[int], widths: Sequence[int]) -> Folded:
    """The table of `cells`, whose last dimension has `widths[-1]` numbers, and so on; all numbers are >= 0.

    Each level holds distinct rows; the numbers of a row of an outer level are places of rows in the next one.
    """
    levels: list[list[list[int]]] = []
    numbers = list(cells)
    for width in reversed(widths):
        places: dict[tuple[int, ...], int] = {}
        numbers = [
            places.setdefault(tuple(numbers[at : at + width]), len(places))
            for at in range(0, len(numbers), width)
        ]
        levels.insert(0, [runs(row) for row in places])
    return {"levels": levels}


def runs(numbers: Iterable[int]) -> list[int]:
    """The numbers with each run of equal ones as its negative length and the number: 7 7 7 2 is -3 7 2."""
    found: list[int] = []
    for number, group in groupby(numbers):
        length = sum(1 for _ in group)
        found += [number] if length == 1 else [-length, number]
    return found
