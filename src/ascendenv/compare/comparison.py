"""What differs between two machines, what is the same, and what is known of one of them only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ascendenv.compare.trait import Area, Listing, Seen
from ascendenv.compare.traits import traits_of
from ascendenv.facts.unknown import Unknown
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message

__all__ = ["PARTIAL", "Comparison", "Difference", "OneSided", "compare"]

_FIRST = (
    "torch",
    "npu",
    "ascend",
    "vllm",
    "triton",
    "numpy",
    "transformers",
    "mindie",
    "deepspeed",
    "sglang",
)


@dataclass(frozen=True)
class Difference:
    """A trait that differs; None where one machine does not have it."""

    area: Area
    name: str
    first: str | None
    second: str | None


@dataclass(frozen=True)
class OneSided:
    """A trait that is known of one machine only, and why it is not of the other; of a listing `value` is the length."""

    area: Area
    name: str
    known_in: Literal["first", "second"]
    value: str
    reason: Message


@dataclass(frozen=True)
class Comparison:
    """The outcome; `same` counts the traits that are equal, by area."""

    differences: tuple[Difference, ...]
    one_sided: tuple[OneSided, ...]
    same: dict[Area, int]

    @property
    def compared(self) -> int:
        """How many traits are known of both machines."""
        return len(self.differences) + sum(self.same.values())


def compare(first: HostFacts, second: HostFacts) -> Comparison:
    """The two machines trait by trait; differences in the order in which they matter."""
    differences: list[Difference] = []
    one_sided: list[OneSided] = []
    same = dict.fromkeys(Area, 0)
    for one in _pairs(first, second):
        if isinstance(one, OneSided):
            one_sided.append(one)
        elif one.first == one.second:
            same[one.area] += 1
        else:
            differences.append(one)
    ordered = sorted(differences, key=lambda one: (one.area, _weight(one)))
    return Comparison(tuple(ordered), tuple(one_sided), same)


def _weight(one: Difference) -> int:
    """Packages of the stack before all others; elsewhere the order is that of the traits."""
    if one.area is not Area.PACKAGES:
        return 0
    return 0 if any(word in one.name for word in _FIRST) else 1


def _pairs(first: HostFacts, second: HostFacts) -> Iterator[Difference | OneSided]:
    others = {(area, name): seen for area, name, seen in traits_of(second)}
    for area, name, mine in traits_of(first):
        yield from _pair(area, name, _told(mine), _told(others[area, name]))


_NOT_TOLD = Unknown(say("the input does not tell"))


def _told(seen: Seen) -> Seen:
    return _NOT_TOLD if seen == "" else seen


def _pair(area: Area, name: str, mine: Seen, other: Seen) -> Iterator[Difference | OneSided]:
    if isinstance(mine, Unknown):
        if not isinstance(other, Unknown):
            yield OneSided(area, name, "second", _short(other), mine.reason)
    elif isinstance(other, Unknown):
        yield OneSided(area, name, "first", _short(mine), other.reason)
    elif isinstance(mine, Listing) and isinstance(other, Listing):
        yield from _listings(area, mine, other)
    else:
        yield Difference(area, name, _text(mine), _text(other))


def _text(seen: Seen) -> str | None:
    return None if seen is None else str(seen)


def _short(seen: Seen) -> str:
    if isinstance(seen, Listing):
        return str(len(seen.values))
    return "" if seen is None else str(seen)


def _listings(area: Area, mine: Listing, other: Listing) -> Iterator[Difference | OneSided]:
    for name in dict.fromkeys((*mine.values, *other.values)):
        here, there = mine.values.get(name), other.values.get(name)
        if here is None and not mine.complete:
            yield OneSided(area, name, "second", str(there), PARTIAL)
        elif there is None and not other.complete:
            yield OneSided(area, name, "first", str(here), PARTIAL)
        else:
            yield Difference(area, name, here, there)


PARTIAL = say("the other input shows only some of them")
"""Why a name of a listing may stand in one input only."""
