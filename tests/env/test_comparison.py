"""What differs between two environments."""

from __future__ import annotations

import pytest

from ascendenv.env.comparison import Difference, differences


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("1", "1", ()),
        ("1", "2", (Difference("X", "1", "2"),)),
        (None, "2", (Difference("X", None, "2"),)),
    ],
)
def test_values_differ(first: str | None, second: str, expected: tuple[Difference, ...]) -> None:
    before = {} if first is None else {"X": first}

    assert differences(before, {"X": second}, names=["X"], lists=[]) == expected


@pytest.mark.parametrize(
    ("first", "second", "left", "right", "reordered"),
    [
        ("/a:/b", "/b:/c", ("/a",), ("/c",), False),
        ("/a:/b", "/b:/a", (), (), True),
        ("/a", "/a:/a", (), (), True),
    ],
)
def test_lists_differ(
    first: str, second: str, left: tuple[str, ...], right: tuple[str, ...], reordered: bool
) -> None:
    (found,) = differences({"P": first}, {"P": second}, names=["P"], lists=["P"])

    assert (found.only_first, found.only_second, found.reordered) == (left, right, reordered)
