"""What differs between two locks, in the words of the lock: components, packages and files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.lock.model import UNVERIFIED
from ascendenv.versions import InvalidVersion, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.lock.model import Artefact, Lock, Stack
    from ascendenv.versions import Scheme

__all__ = ["Change", "changes", "stack_changes"]


@dataclass(frozen=True)
class Change:
    """One thing that differs; `before` or `after` is None where it was or is not there. `arch` only where it matters."""

    stack: str
    part: str
    what: str
    before: str | None
    after: str | None
    arch: str | None = None

    @property
    def direction(self) -> str:
        """`added`, `removed`, `up`, `down` or `changed`."""
        if self.before is None or self.after is None:
            return "added" if self.before is None else "removed"
        scheme: Scheme = "pep440" if self.part == "python" else "vendor"
        try:
            old, new = parse(self.before, scheme), parse(self.after, scheme)
        except InvalidVersion:
            return "changed"
        return "up" if new > old else "down" if new < old else "changed"


def changes(before: Lock | None, after: Lock) -> tuple[Change, ...]:
    """Everything that is installed and differs, by stack; a stack that is new or gone is one change."""
    names = {one.name for lock in (before, after) if lock is not None for one in lock.stacks}
    found: list[Change] = []
    for name in sorted(names):
        old = before.stack(name) if before is not None else None
        new = after.stack(name)
        if old is not None and new is not None:
            found += stack_changes(old, new)
        else:
            found.append(Change(name, "", "stack", name if old else None, name if new else None))
    return tuple(found)


def stack_changes(before: Stack, after: Stack) -> Iterator[Change]:
    """What differs between two forms of one stack: values first, then packages, then bytes of the same version."""
    if before.arch != after.arch:
        yield Change(after.name, "", "arch", " ".join(before.arch), " ".join(after.arch))
    for part in dict.fromkeys(one.name for one in (*before.parts, *after.parts)):
        old, new = dict(before.part(part).values), dict(after.part(part).values)
        for name in dict.fromkeys((*old, *new)):
            if old.get(name) != new.get(name):
                yield Change(after.name, part, name, old.get(name), new.get(name))
        yield from _files(before, after, part)


def _files(before: Stack, after: Stack, part: str) -> Iterator[Change]:
    old, new = _by_name(before, part), _by_name(after, part)
    for key in sorted({*old, *new}):
        component, name, arch = key
        one, other = old.get(key), new.get(key)
        if one is not None and other is not None:
            if (one.version, one.sha256) == (other.version, other.sha256):
                continue
            if one.version == other.version:
                yield Change(after.name, part, f"{name} sha256", _bytes(one), _bytes(other), arch)
                continue
        if component in ("pip", "interpreter"):
            yield Change(
                after.name, part, name, one.version if one else None, other.version if other else None, arch
            )


def _by_name(stack: Stack, part: str) -> Mapping[tuple[str, str, str], Artefact]:
    """The files of a part, once for each architecture of the stack that takes them."""
    return {
        (one.component, one.name, arch): one
        for one in stack.part(part).artefacts
        for arch in stack.arch
        if one.is_for(arch)
    }


def _bytes(artefact: Artefact) -> str:
    return artefact.sha256 or UNVERIFIED
