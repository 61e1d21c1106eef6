"""The nearest sets that work: those that differ from what is given in the fewest components."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import TYPE_CHECKING

from ascendenv.matrix.level import Level
from ascendenv.matrix.pick import fulfilling
from ascendenv.matrix.relations import judge
from ascendenv.matrix.wishes import Wishes
from ascendenv.versions import VersionRange

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.matrix.given import Given
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.stack import Stack

__all__ = ["Alternative", "alternatives"]

_TOGETHER = {
    "driver": ("driver", "firmware"),
    "firmware": ("firmware",),
    "cann": ("cann", "ops"),
    "ops": ("ops",),
    "torch": ("torch",),
    "torch_npu": ("torch_npu",),
    "python": ("python",),
}
"""What may be changed, and what changes with it."""
_EACH = 2
"""How many sets are shown for each choice of components to change."""


@dataclass(frozen=True)
class Alternative:
    """A set that works, and what has to change for it: component, present text, new text."""

    given: Given
    level: Level
    changes: tuple[tuple[str, str, str], ...]


def alternatives(
    matrix: Matrix, given: Given, *, today: str | None = None, limit: int = 5
) -> tuple[Alternative, ...]:
    """Sets that work and change as few components as possible, best first; none where `given` cannot be mended."""
    parts = [name for name in _TOGETHER if getattr(given, name) is not None]
    for count in range(1, len(parts) + 1):
        found = list(_with_changes(matrix, given, parts, count, today))
        if found:
            return tuple(sorted(found, key=lambda one: (len(one.changes), -one.level))[:limit])
    return ()


def _with_changes(
    matrix: Matrix, given: Given, parts: list[str], count: int, today: str | None
) -> Iterator[Alternative]:
    seen = set()
    for some in combinations(parts, count):
        freed = {name for part in some for name in _TOGETHER[part]}
        for stack in _stacks(matrix, given, freed, today):
            changed = _changed(given, freed, stack)
            judged = judge(matrix, changed).verdict
            differing = _differences(given, changed)
            if judged >= Level.COMPATIBLE and differing not in seen:
                seen.add(differing)
                yield Alternative(changed, judged, differing)


def _stacks(matrix: Matrix, given: Given, freed: set[str], today: str | None) -> list[Stack]:
    """The best stacks with the freed parts open; the torch line stays where that is enough."""
    wishes = _wishes(given, freed)
    if "torch_npu" in freed and given.torch_npu is not None and wishes.torch is None and "torch" not in freed:
        line = replace(wishes, torch=VersionRange(f"=={given.torch_npu.base}", "pep440"))
        found = list(islice(fulfilling(matrix, line, today=today), _EACH))
        if found:
            return found
    return list(islice(fulfilling(matrix, wishes, today=today), _EACH))


def _wishes(given: Given, freed: set[str]) -> Wishes:
    """What stays, as wishes for exactly those versions."""
    versions = {
        name: VersionRange(f"=={value}", value.scheme)
        for name in ("driver", "firmware", "cann", "torch", "torch_npu", "python")
        if name not in freed and (value := getattr(given, name)) is not None
    }
    return Wishes(chip=given.chip, product=given.product, arch=given.arch, os=given.os, **versions)


def _changed(given: Given, freed: set[str], stack: Stack) -> Given:
    """`given` with the freed parts taken from the stack; parts that nobody asked for stay away."""
    new = {name: getattr(stack, name) for name in freed if name != "ops" and getattr(given, name) is not None}
    if "ops" in freed and given.ops is not None:
        new["ops"] = stack.cann
    return replace(given, **new)


def _differences(given: Given, changed: Given) -> tuple[tuple[str, str, str], ...]:
    before, after = given.named(), changed.named()
    names = before.keys() | after.keys()
    return tuple(
        (name, before.get(name, ""), after.get(name, ""))
        for name in sorted(names)
        if before.get(name) != after.get(name)
    )
