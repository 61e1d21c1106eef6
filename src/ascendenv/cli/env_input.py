"""What the commands of `ascendenv env` look at: profiles of a lock, this shell, processes, files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.cli.env_options import PREFIX
from ascendenv.errors import NothingChecked, UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascendenv.env.profile import Profile
    from ascendenv.lock.model import Stack
    from ascendenv.matrix.rows.base import Arch
    from ascendenv.versions import Version

__all__ = ["is_profile", "own_arch", "profile_from", "read_environment", "seen_environment"]


def own_arch() -> str:
    """The architecture of this machine."""
    import platform

    return platform.machine()


def profile_from(
    lock: str, stack: str | None, arch: str | None, purposes: list[str], settings: list[str], prefix: str
) -> Profile:
    """The profile of a stack of the lock; raises UnusableInput where stack or architecture are not clear."""
    from ascendenv.env.profile import profile_of
    from ascendenv.matrix.store import shipped_variables

    chosen = _stack(lock, stack)
    return profile_of(
        chosen,
        shipped_variables(),
        arch=_arch(chosen, arch),
        purposes=purposes,
        overrides=dict(_pair(one) for one in settings),
        prefix=prefix,
    )


def _stack(lock: str, name: str | None) -> Stack:
    from ascendenv.lock.lock_file import read_lock

    stacks = read_lock(lock).stacks
    found = [one for one in stacks if name in (None, one.name)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(one.name for one in stacks)
    raise UnusableInput(say("name one stack with --stack: {names}", names=names), where=lock)


def _arch(stack: Stack, arch: str | None) -> Arch:
    found = [one for one in stack.arch if arch in (None, one)]
    if len(found) == 1:
        return found[0]
    raise UnusableInput(
        say("name one architecture of the stack with --arch: {names}", names=", ".join(stack.arch))
    )


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UnusableInput(say("--set takes NAME=VALUE, not {text}", text=repr(text)))
    return name, value


def seen_environment(report: str | None, pid: int | None) -> tuple[Mapping[str, str], Version | None]:
    """The variables to judge, and the CANN in use where it is told."""
    import os

    from ascendenv.cli.inputs import Inputs
    from ascendenv.facts.unknown import Unknown

    if report is None and pid is None:
        return os.environ, None
    facts = Inputs(report=report, pid=pid).facts()
    if isinstance(facts.environment, Unknown):
        raise NothingChecked(say("no variable stands here"), where=report or str(pid))
    return facts.environment, None if isinstance(facts.cann, Unknown) else facts.cann


def is_profile(spec: str) -> bool:
    """Whether a side of a comparison is a profile of the lock."""
    return spec.startswith("profile:")


def read_environment(spec: str, lock: str, stack: str | None, arch: str | None) -> Mapping[str, str]:
    """The variables of one side; raises UnusableInput or NothingChecked."""
    import os

    from ascendenv.cli.side import read_side
    from ascendenv.env.static import mapping
    from ascendenv.facts.unknown import Unknown

    if spec == ".":
        return os.environ
    if is_profile(spec):
        purpose = spec.removeprefix("profile:")
        return mapping(profile_from(lock, stack, arch, [purpose] if purpose else [], [], PREFIX))
    if spec.startswith("pid:"):
        number = spec.removeprefix("pid:")
        if not number.isdecimal():
            raise UnusableInput(say("{text} is no process id", text=repr(number)))
        return seen_environment(None, int(number))[0]
    environment = read_side(spec).environment
    if isinstance(environment, Unknown):
        raise NothingChecked(say("no variable stands here"), where=spec)
    return environment
