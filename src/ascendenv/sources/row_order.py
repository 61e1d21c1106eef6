"""Where a new row goes among those that stand: as they run now, by version or by name."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ascendenv.versions import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ascendenv.versions import Scheme

__all__ = ["at_the_end", "by_id", "by_name", "by_text", "by_version", "natural"]

Row = dict[str, object]
Rank = tuple[tuple[int, int, str], ...]

_BEFORE = frozenset({"a", "alpha", "b", "beta", "rc", "dev"})
_MOSTLY = 0.7
"""Lists kept by hand are seldom in perfect order; so many neighbours in order tell which way one runs."""


def at_the_end(_: object) -> bool:
    """Before none."""
    return False


def by_text(value: object) -> Callable[[object], bool]:
    """Among texts in the order of their letters."""
    return lambda other: str(other) > str(value)


def by_id(row: Row) -> Callable[[object], bool]:
    """Among rows in the order of their ids."""
    return lambda other: _text(other, "id").casefold() > _text(row, "id").casefold()


def by_version(row: Row, key: str, scheme: Scheme) -> Callable[[object], bool]:
    """Among rows with the newest first."""
    own = parse(_text(row, key), scheme)
    return lambda other: parse(_text(other, key), scheme) < own


def by_name(row: Row, name: str, items: Sequence[object]) -> Callable[[object], bool]:
    """Among items as they run now, up or down; at the end where they run neither way."""

    def rank(item: object) -> tuple[str, Rank]:
        return _text(item, "package"), natural(_text(item, name))

    ranks = [rank(one) for one in items]
    steps = len(ranks) - 1
    mine = rank(row)
    if sum(one <= two for one, two in pairwise(ranks)) >= _MOSTLY * steps:
        return lambda other: rank(other) > mine
    if sum(one >= two for one, two in pairwise(ranks)) >= _MOSTLY * steps:
        return lambda other: rank(other) < mine
    return at_the_end


def natural(text: str) -> Rank:
    """How names with versions in them sort: numbers as numbers, a pre-release before its release."""
    words = re.findall(r"\d+|[a-z]+", text.lower())
    ranks = [(2, int(one), "") if one.isdecimal() else (0 if one in _BEFORE else 3, 0, one) for one in words]
    return (*ranks, (1, 0, ""))


def _text(row: object, key: str) -> str:
    return str(row.get(key, "")) if isinstance(row, dict) else ""
