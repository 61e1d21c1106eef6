"""Tables of numbers folded small, and read back as the page reads them."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascendenv.site.folding import Folded, fold, runs


def unrolled(row: list[int]) -> list[int]:
    found: list[int] = []
    numbers = iter(row)
    for number in numbers:
        found += [number] if number >= 0 else [next(numbers)] * -number
    return found


def unfolded(folded: Folded) -> list[int]:
    numbers = [0]
    for level in folded["levels"]:
        numbers = [one for number in numbers for one in unrolled(level[number])]
    return numbers


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [([], []), ([5], [5]), ([7, 7, 7, 2], [-3, 7, 2]), ([0, 0], [-2, 0]), ([1, 2, 1], [1, 2, 1])],
)
def test_runs(numbers: list[int], expected: list[int]) -> None:
    assert runs(numbers) == expected
    assert unrolled(expected) == numbers


def test_equal_rows_are_kept_once() -> None:
    folded = fold([1, 2, 1, 2, 1, 2, 3, 3], [2, 2, 2])

    assert folded == {"levels": [[[0, 1]], [[-2, 0], [0, 1]], [[1, 2], [-2, 3]]]}


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_folding_loses_nothing(widths: list[int], data: st.DataObject) -> None:
    size = prod(widths)
    cells = data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))

    assert unfolded(fold(cells, widths)) == cells
