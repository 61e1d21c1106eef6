"""What differs between two environments: values, and in lists the folders and their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Difference", "differences"]


@dataclass(frozen=True)
class Difference:
    """A variable that is not the same; None where it is not set. For lists: the folders only one of them has.

    `reordered`: both lists hold the same folders in another order, or hold one of them more often.
    """

    name: str
    first: str | None
    second: str | None
    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()
    reordered: bool = False


def differences(
    first: Mapping[str, str], second: Mapping[str, str], *, names: Iterable[str], lists: Iterable[str]
) -> tuple[Difference, ...]:
    """The differences among the variables `names`, by name; those of `lists` hold folders joined by colons."""
    folders = frozenset(lists)
    return tuple(
        _difference(name, first.get(name), second.get(name), is_list=name in folders)
        for name in sorted(set(names))
        if first.get(name) != second.get(name)
    )


def _difference(name: str, first: str | None, second: str | None, *, is_list: bool) -> Difference:
    if not is_list or first is None or second is None:
        return Difference(name, first, second)
    one, other = first.split(":"), second.split(":")
    left = tuple(dict.fromkeys(each for each in one if each not in other))
    right = tuple(dict.fromkeys(each for each in other if each not in one))
    return Difference(name, first, second, left, right, reordered=not left and not right)
