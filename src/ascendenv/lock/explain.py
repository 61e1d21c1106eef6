"""Why each version of a lock was taken: the wish, the relations it rests on, and what newer ones were left out for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from ascendenv.language import Message, say
from ascendenv.lock.compose import versions_of
from ascendenv.matrix.given import Given
from ascendenv.matrix.level import Level
from ascendenv.matrix.relations import CORE, judge
from ascendenv.versions import VersionRange, pep440

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ascendenv.lock.model import Stack
    from ascendenv.lock.spec import StackWishes
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.relations import Judgement, Relation
    from ascendenv.versions import Version

__all__ = ["Explanation", "Rejected", "explained"]

_PARTS = ("driver", "firmware", "cann", "torch", "torch_npu", "python")
_NEWEST = 5
"""How many newer versions of a component are spoken of."""


@dataclass(frozen=True)
class Rejected:
    """A newer version that was not taken, and why."""

    version: str
    why: Message
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """Why a component has its version. `more` counts newer versions that are not spoken of."""

    component: str
    version: str
    wish: str | None
    relations: tuple[Relation, ...]
    rejected: tuple[Rejected, ...] = ()
    more: int = 0


def explained(
    matrix: Matrix, stack: Stack, wishes: StackWishes | None, today: str | None = None
) -> tuple[Explanation, ...]:
    """One explanation for each component whose version is known."""
    locked = versions_of(stack)
    givens = [_given(stack, locked, arch) for arch in stack.arch]
    relations = tuple(
        {
            (one.kind, one.between): one
            for given in givens
            for one in judge(matrix, given, today=today).relations
        }.values()
    )
    return tuple(
        _explanation(matrix, name, _Locked(stack, locked, wishes, today), relations)
        for name in _PARTS
        if name in locked
    )


@dataclass(frozen=True)
class _Locked:
    stack: Stack
    versions: Mapping[str, Version]
    wishes: StackWishes | None
    today: str | None

    def wish(self, name: str) -> VersionRange | None:
        return None if self.wishes is None else getattr(self.wishes.wishes(), name)


def _given(stack: Stack, versions: Mapping[str, Version], arch: str) -> Given:
    parts: dict[str, Any] = {name: versions.get(name) for name in _PARTS}
    return Given(
        chip=stack.chip,
        product=stack.product,
        os=stack.os,
        arch=arch,
        **parts,
    )


def _explanation(matrix: Matrix, name: str, locked: _Locked, relations: Iterable[Relation]) -> Explanation:
    version = locked.versions[name]
    own = tuple(one for one in relations if any(text.startswith(f"{name} ") for text in one.between))
    newer = [one for one in _known(matrix, name, locked.stack) if one > version]
    wish = locked.wish(name)
    return Explanation(
        component=name,
        version=str(version),
        wish=None if wish is None else str(wish),
        relations=own,
        rejected=tuple(_rejected(matrix, name, one, locked) for one in islice(newer, _NEWEST)),
        more=max(len(newer) - _NEWEST, 0),
    )


def _known(matrix: Matrix, name: str, stack: Stack) -> list[Version]:
    """The released versions of a component for the chip, newest first. Firmware goes with its driver, torch with torch_npu."""
    found: Iterable[Version | None]
    if name == "driver":
        pairs = (one.pair_for(stack.family) for one in matrix.hdk.values())
        found = (pair.driver for pair in pairs if pair is not None)
    elif name == "cann":
        found = (one.version for one in matrix.cann.values() if one.channel == "release")
    elif name == "torch_npu":
        releases = matrix.torch_npu.values()
        found = (one.version for one in releases if one.on_index and not one.version.is_prerelease)
    elif name == "python":
        found = _pythons(matrix)
    else:
        found = ()
    return sorted({one for one in found if one is not None}, reverse=True)


def _pythons(matrix: Matrix) -> Iterator[Version]:
    tags = {tag for one in matrix.torch_npu.values() for some in one.wheels.values() for tag in some}
    yield from (pep440(f"{tag[2]}.{tag[3:]}") for tag in tags)


def _rejected(matrix: Matrix, name: str, version: Version, locked: _Locked) -> Rejected:
    wish = locked.wish(name)
    if wish is not None and not wish.contains(version):
        return Rejected(
            str(version), say("the wish {name} = {wish} leaves it out", name=name, wish=repr(str(wish)))
        )
    judgements = [
        judge(matrix, _with(matrix, name, version, locked, arch), today=locked.today)
        for arch in locked.stack.arch
    ]
    worst = min(judgements, key=lambda one: one.verdict)
    if worst.verdict < Level.COMPATIBLE:
        relation = _deciding(worst)
        return Rejected(str(version), relation.why, relation.sources)
    return Rejected(str(version), _lesser(matrix, version, worst, locked, name))


def _lesser(matrix: Matrix, version: Version, judged: Judgement, locked: _Locked, name: str) -> Message:
    release = matrix.find_torch_npu(version) if name == "torch_npu" else None
    life = release.lifecycle if release is not None else None
    if life is not None and life.state(locked.today) == "eol":
        return say("it is at its end of life")
    if Level.named(locked.stack.level) > judged.verdict:
        return say("it is compatible, and the one taken is recommended")
    return say("it would do, too; `ascendenv lock --upgrade {name}` takes it", name=name)


def _with(matrix: Matrix, name: str, version: Version, locked: _Locked, arch: str) -> Given:
    """The locked set with that one version instead, and what always moves with it."""
    given = _given(locked.stack, {**locked.versions, name: version}, arch)
    if name == "driver":
        hdk = matrix.find_hdk(version)
        pair = hdk.pair_for(locked.stack.family) if hdk is not None else None
        return replace(given, firmware=pair.firmware if pair is not None else None)
    if name == "torch_npu":
        release = matrix.find_torch_npu(version)
        return replace(given, torch=release.torch if release is not None else None)
    return given


def _deciding(judgement: Judgement) -> Relation:
    counted = [one for one in judgement.relations if one.kind in CORE or one.level == Level.BROKEN]
    return min(counted, key=lambda one: one.level)
