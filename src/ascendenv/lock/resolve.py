"""Wishes become versions: the best set that the matrix has, or of the sets that work the one that changes least."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from ascendenv.matrix.model import installable
from ascendenv.matrix.pick import fulfilling
from ascendenv.versions import VersionRange

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from ascendenv.lock.spec import StackWishes
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.rows.base import Arch
    from ascendenv.matrix.stack import Stack
    from ascendenv.matrix.wishes import Wishes
    from ascendenv.versions import Version

__all__ = ["COMPONENTS", "Target", "best", "changed", "least_change"]

COMPONENTS = {
    "python": ("python",),
    "torch_npu": ("torch_npu",),
    "torch": ("torch", "torch_npu"),
    "cann": ("cann",),
    "driver": ("driver", "firmware"),
}
"""What can be set free, and what moves with it; what disturbs a machine least comes first."""


@dataclass(frozen=True)
class Target:
    """What a stack must fulfil: wishes, on each of the architectures, by the life-cycles of that day."""

    wishes: Wishes
    arch: tuple[Arch, ...]
    today: str | None = None

    @classmethod
    def of(cls, stack: StackWishes, today: str | None = None) -> Target:
        """The target that the wishes for a stack describe."""
        return cls(stack.wishes(), stack.arch, today)


def fitting(matrix: Matrix, target: Target) -> Iterator[Stack]:
    """The sets that fulfil the target, best first."""
    only = target.arch[0] if len(target.arch) == 1 else None
    for stack in fulfilling(matrix, replace(target.wishes, arch=only), today=target.today):
        release = matrix.find_torch_npu(stack.torch_npu)
        if release is not None and all(installable(release, stack.python, arch) for arch in target.arch):
            yield replace(stack, arch=only)


def best(matrix: Matrix, target: Target) -> Stack | None:
    """The best set; None where the wishes clash."""
    return next(fitting(matrix, target), None)


def least_change(
    matrix: Matrix, target: Target, locked: Mapping[str, Version], upgrade: Collection[str] = ()
) -> Stack | None:
    """The set that changes the fewest components of `locked`, and brings one of `upgrade` forward where any are named.

    None where no set does. Of sets that change as few, the best one, and then the one that disturbs a machine less.
    """
    for forced in _subsets(upgrade):
        found = []
        for rank, freed in enumerate(_choices(upgrade)):
            narrowed = replace(target, wishes=_narrowed(target.wishes, locked, freed, forced))
            stack = next((one for one in fitting(matrix, narrowed) if not _back(locked, one, upgrade)), None)
            if stack is not None:
                moved = changed(locked, stack) - set(upgrade)
                found.append(((len(moved), stack.end_of_life, -stack.level, rank), stack))
        if found:
            return min(found, key=lambda one: one[0])[1]
    return None


def changed(locked: Mapping[str, Version], stack: Stack) -> set[str]:
    """The components whose versions differ; a torch_npu that moves with torch counts as torch."""
    moved = {
        name
        for name, parts in COMPONENTS.items()
        if any(locked.get(part) is not None and locked[part] != getattr(stack, part) for part in parts)
    }
    own_torch = locked.get("torch")
    if own_torch is not None and own_torch.base != stack.torch.base:
        return moved - {"torch_npu"}
    return moved - {"torch"}


def _subsets(upgrade: Collection[str]) -> Iterable[tuple[str, ...]]:
    """What is to become newer: all that was named, else some of it; nothing where nothing was named."""
    sizes = range(len(upgrade), 0, -1) if upgrade else (0,)
    return chain.from_iterable(combinations(upgrade, size) for size in sizes)


def _choices(upgrade: Collection[str]) -> Iterable[tuple[str, ...]]:
    rest = [name for name in COMPONENTS if name not in upgrade]
    more = chain.from_iterable(combinations(rest, count) for count in range(len(rest) + 1))
    return ((*upgrade, *some) for some in more)


def _narrowed(
    wishes: Wishes, locked: Mapping[str, Version], freed: Collection[str], forced: Collection[str]
) -> Wishes:
    """The wishes, with every locked version that may stay as one for exactly that, and for `forced` only newer ones."""
    free = {part for name in freed for part in COMPONENTS[name]}
    ranges: dict[str, Any] = {
        part: VersionRange(f"=={version.public}", version.scheme)
        for part, version in locked.items()
        if part not in free and _may_stay(getattr(wishes, part), version)
    }
    for name in forced:
        part = "torch_npu" if name == "torch" else name
        if (version := locked.get(part)) is not None:
            wish = getattr(wishes, part)
            newer = (
                f">={version.public},!={version.public}"  # under PEP 440 a bare > leaves post-releases out
            )
            ranges[part] = VersionRange(newer if wish is None else f"{wish},{newer}", version.scheme)
    return replace(wishes, **ranges)


def _may_stay(wish: VersionRange | None, version: Version) -> bool:
    if wish is None or wish.contains(version):
        return True
    return wish.exact is not None and wish.exact.local is not None and wish.exact.public == version.public


def _back(locked: Mapping[str, Version], stack: Stack, upgrade: Collection[str]) -> bool:
    """Whether one of these components is older than before."""
    parts = [part for name in upgrade for part in COMPONENTS[name]]
    pairs = ((locked.get(part), getattr(stack, part)) for part in parts)
    return any(old is not None and new is not None and new < old for old, new in pairs)
