"""Makes the lock that follows from the wishes, and keeps of the one that stands whatever may stay."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

from ascendenv.errors import UnusableInput
from ascendenv.language import say
from ascendenv.lock.clash import clash
from ascendenv.lock.compose import composed, inputs_digest, versions_of
from ascendenv.lock.model import Lock, Stack
from ascendenv.lock.pip_set import PipQuestion, resolve_pip_set
from ascendenv.lock.requirements import for_arch, requirements_of, torch_url
from ascendenv.lock.resolve import COMPONENTS, Target, best, least_change

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ascendenv.lock.compose import Known
    from ascendenv.lock.model import Artefact
    from ascendenv.lock.spec import Spec, StackWishes
    from ascendenv.matrix.rows.base import Arch
    from ascendenv.matrix.stack import Stack as Versions

__all__ = ["EVERYTHING", "Locking", "component_of", "expected", "made", "versions_for"]

EVERYTHING = "*"
"""Stands for all components and packages in `upgrade`."""

_ALIASES = {"toolkit": "cann", "ops": "cann", "nnal": "cann", "firmware": "driver", "torch-npu": "torch_npu"}


@dataclass(frozen=True, kw_only=True)
class Locking:
    """How a lock is to be made: from which wishes, by what is known, and what is to become newer (`EVERYTHING`, or names).

    `folder` is what relative folders of the wishes start from, `today` a day such as `2026-11-29`.
    """

    spec: Spec
    known: Known
    before: Lock | None = None
    upgrade: Collection[str] = ()
    only: Collection[str] = ()
    folder: Path = field(default_factory=Path)
    today: str | None = None


def made(locking: Locking) -> Lock:
    """The lock; raises WishesClash, PipSetClash, UnusableInput for a name that is not known, HostFailed for uv or an index."""
    before = locking.before or Lock(stacks=())
    _refuse_strangers(locking, before)
    stacks = []
    for name, wishes in locking.spec.stacks.items():
        old = before.stack(name)
        if locking.only and name not in locking.only:
            stacks += [old] if old is not None else []
        else:
            stacks.append(_stack(locking, name, wishes, old))
    return Lock(stacks=tuple(sorted(stacks, key=lambda one: one.name)))


def versions_for(locking: Locking, name: str, wishes: StackWishes, old: Stack | None) -> Versions:
    """The versions that a stack gets; raises WishesClash."""
    target = Target.of(wishes, locking.today)
    matrix = locking.known.matrix
    locked = versions_of(old) if old is not None else {}
    found = None
    if not locked or EVERYTHING in locking.upgrade:
        found = best(matrix, target)
    else:
        components = _components(locking.upgrade)
        found = least_change(matrix, target, locked, components) if components else None
        found = found or least_change(matrix, target, locked)
    if found is None:
        raise clash(matrix, target, name)
    return found


def expected(locking: Locking, name: str, wishes: StackWishes, old: Stack) -> Stack:
    """The stack that would follow, with the pip set that stands, because no index is asked; raises WishesClash."""
    versions = versions_for(locking, name, wishes, old)
    inputs = inputs_digest(_questions(locking, name, wishes, versions, old).values())
    pip = {arch: _pip(old, arch) for arch in wishes.arch}
    stack = composed(name, wishes, versions, known=locking.known, pip=pip, before=old)
    return replace(stack, inputs=inputs, requires=requirements_of(locking.known.matrix, versions, wishes))


def _stack(locking: Locking, name: str, wishes: StackWishes, old: Stack | None) -> Stack:
    versions = versions_for(locking, name, wishes, old)
    questions = _questions(locking, name, wishes, versions, old)
    inputs = inputs_digest(questions.values())
    if old is not None and old.inputs == inputs and not _packages(locking.upgrade, old):
        pip = {arch: _pip(old, arch) for arch in wishes.arch}
    else:
        with ThreadPoolExecutor() as pool:
            pip = dict(zip(questions, pool.map(resolve_pip_set, questions.values()), strict=True))
    stack = composed(name, wishes, versions, known=locking.known, pip=pip, before=old)
    return replace(stack, inputs=inputs, requires=requirements_of(locking.known.matrix, versions, wishes))


def _questions(
    locking: Locking, name: str, wishes: StackWishes, versions: Versions, old: Stack | None
) -> dict[Arch, PipQuestion]:
    matrix = locking.known.matrix
    requirements = requirements_of(matrix, versions, wishes)
    release = matrix.find_torch_npu(versions.torch_npu)
    python = str(wishes.interpreter[0].version) if wishes.interpreter else str(versions.python)
    return {
        arch: PipQuestion(
            stack=name,
            arch=arch,
            python=python,
            requirements=for_arch(requirements, arch, python),
            platform=_platform(wishes, release.platforms.get(arch) if release is not None else None),
            torch_index=torch_url(matrix, versions, arch),
            sources=locking.spec.sources,
            kept=_kept(locking.upgrade, old, arch),
            folder=locking.folder,
            from_source=wishes.from_source,
        )
        for arch in sorted(wishes.arch)
    }


def _platform(wishes: StackWishes, wheel: str | None) -> str | None:
    """The oldest platform the wheels must run on: the wish, else that of torch_npu's own wheel, which runs there, too."""
    if wishes.glibc is not None:
        return f"manylinux_{wishes.glibc.replace('.', '_')}"
    if wheel is None:
        return None
    return "_".join(wheel.partition(".")[0].split("_")[:3])


def _kept(upgrade: Collection[str], old: Stack | None, arch: Arch) -> Mapping[str, str]:
    """The versions that stay where nothing speaks against them."""
    if old is None or EVERYTHING in upgrade:
        return {}
    freed = set(_packages(upgrade, old))
    return {one.name: one.version for one in _pip(old, arch) if one.name not in freed}


def _pip(stack: Stack, arch: Arch) -> tuple[Artefact, ...]:
    own = stack.part("python").artefacts
    return tuple(one for one in own if one.component == "pip" and one.is_for(arch))


def component_of(name: str) -> str:
    """The component that a name of one of its parts stands for, or the normalised name of a package."""
    own = _ALIASES.get(name, name)
    return own if own in COMPONENTS else canonicalize_name(own)


def _components(upgrade: Collection[str]) -> tuple[str, ...]:
    named = (_ALIASES.get(one, one) for one in upgrade)
    return tuple(dict.fromkeys(one for one in named if one in COMPONENTS))


def _packages(upgrade: Collection[str], old: Stack) -> list[str]:
    """What of `upgrade` are packages of the pip set; everything where everything is to become newer."""
    if EVERYTHING in upgrade:
        return [one.name for one in old.part("python").artefacts]
    rest = (one for one in upgrade if _ALIASES.get(one, one) not in COMPONENTS)
    return [canonicalize_name(one) for one in rest]


def _refuse_strangers(locking: Locking, before: Lock) -> None:
    from difflib import get_close_matches

    missing = [one for one in locking.only if one not in locking.spec.stacks]
    if missing:
        known = ", ".join(locking.spec.stacks)
        raise UnusableInput(
            say("there is no stack {name} in the wishes", name=missing[0]),
            hint=say("there are: {names}", names=known),
        )
    packages = {one.name for stack in before.stacks for one in stack.part("python").artefacts}
    for name in locking.upgrade:
        own = _ALIASES.get(name, name)
        if name != EVERYTHING and own not in COMPONENTS and canonicalize_name(name) not in packages:
            near = get_close_matches(name, [*COMPONENTS, *_ALIASES, *packages], n=1)
            hint = say("the nearest name is {near}", near=near[0]) if near else None
            raise UnusableInput(say("the lock has nothing called {name}", name=name), hint=hint)
