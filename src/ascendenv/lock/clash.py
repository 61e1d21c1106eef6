"""Wishes that no stack fulfils: the smallest set of them that clashes, and what would be without one of them."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from functools import reduce
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from ascendenv.errors import UnusableInput
from ascendenv.language import Message, say
from ascendenv.lock.resolve import best
from ascendenv.versions import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.lock.resolve import Target
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.stack import Stack
    from ascendenv.matrix.wishes import Wishes

__all__ = ["WishesClash", "clash"]

_ARCH = "arch"
_BOTH = 2


class WishesClash(UnusableInput):
    """No stack fulfils the wishes; `wishes` are the fewest that clash."""

    code: ClassVar[str] = "wishes-clash"

    def __init__(self, name: str, wishes: dict[str, str], why: Message, hint: Message | None) -> None:
        super().__init__(why, where=f"stack.{name}", hint=hint)
        self.wishes = wishes


def clash(matrix: Matrix, target: Target, name: str) -> WishesClash:
    """What to tell of a target that nothing fulfils."""
    texts = target.wishes.named() | ({_ARCH: " + ".join(target.arch)} if target.arch else {})
    clashing = next(
        (
            some
            for size in range(1, len(texts) + 1)
            for some in combinations(texts, size)
            if best(matrix, _only(target, some)) is None
        ),
        tuple(texts),
    )
    told = {one: texts[one] for one in clashing}
    shown = ", ".join(f"{wish} {text!r}" for wish, text in told.items())
    if len(told) == 1:
        why = say("no stack of the matrix has {wish}", wish=shown)
    else:
        why = say("no stack of the matrix has these together: {wishes}", wishes=shown)
    hint = _stranger(matrix, told, target.wishes) or _ways_out(matrix, target, clashing)
    return WishesClash(name, told, why, hint)


def _stranger(matrix: Matrix, told: Mapping[str, str], wishes: Wishes) -> Message | None:
    """The nearest version to the first wish that no version which the matrix knows fulfils."""
    for wish, text in told.items():
        known = {one.lower(): one for one in _known(matrix, wish)}
        asked = getattr(wishes, wish) if known else None
        if asked is None or any(asked.contains(parse(one, asked.scheme)) for one in known.values()):
            continue
        if near := get_close_matches(text.lstrip("<>=!~ ").lower(), known, n=1, cutoff=0.3):
            return say("the nearest known {what} is {version}", what=wish, version=known[near[0]])
    return None


def _only(target: Target, names: tuple[str, ...]) -> Target:
    arch = target.arch if _ARCH in names else ()
    return replace(target, wishes=target.wishes.only(names), arch=arch)


def _without(target: Target, name: str) -> Target:
    if name == _ARCH:
        return replace(target, arch=())
    return replace(target, wishes=target.wishes.without([name]))


def _ways_out(matrix: Matrix, target: Target, clashing: tuple[str, ...]) -> Message | None:
    ways = list(_each_way(matrix, target, clashing))
    return (
        reduce(lambda first, second: say("{first}; {second}", first=first, second=second), ways)
        if ways
        else None
    )


def _each_way(matrix: Matrix, target: Target, clashing: tuple[str, ...]) -> Iterator[Message]:
    for name in clashing:
        if name == _ARCH and len(target.arch) == _BOTH:
            for arch in target.arch:
                if (stack := best(matrix, replace(target, arch=(arch,)))) is not None:
                    yield say("with {arch} alone: {stack}", arch=arch, stack=_shown(stack))
        elif (stack := best(matrix, _without(target, name))) is not None:
            yield say("without {wish}: {stack}", wish=name, stack=_shown(stack))


def _shown(stack: Stack) -> str:
    parts = ("driver", "cann", "torch_npu", "python")
    return ", ".join(f"{one} {getattr(stack, one)}" for one in parts if getattr(stack, one) is not None)


def _known(matrix: Matrix, wish: str) -> list[str]:
    """The versions of that component which the matrix knows; none for what is no version."""
    if wish in ("driver", "firmware"):
        found = (getattr(pair, wish) for hdk in matrix.hdk.values() for pair in hdk.pairs)
        return list(dict.fromkeys(str(one) for one in found if one is not None))
    if wish == "python":
        tags = {tag for one in matrix.torch_npu.values() for tags in one.wheels.values() for tag in tags}
        return sorted(f"{tag[2]}.{tag[3:]}" for tag in tags)
    if wish in ("cann", "torch", "torch_npu"):
        return [str(one) for one in getattr(matrix, wish)]
    return []
