"""Whether a lock still follows from the wishes and the matrix, without asking an index."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ascendenv.language import Message, say
from ascendenv.lock.changes import stack_changes
from ascendenv.lock.clash import WishesClash
from ascendenv.lock.locking import expected
from ascendenv.lock.model import UNVERIFIED
from ascendenv.lock.writing import stale_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ascendenv.lock.changes import Change
    from ascendenv.lock.locking import Locking
    from ascendenv.lock.model import Lock, Stack
    from ascendenv.lock.spec import StackWishes

__all__ = ["Difference", "differences"]


@dataclass(frozen=True)
class Difference:
    """One thing that a new lock would have otherwise. `harmless` where what is installed stays the same."""

    stack: str
    message: Message
    harmless: bool = False


def differences(locking: Locking, lock: Lock, path: Path) -> tuple[Difference, ...]:
    """What differs, by stack; nothing where the lock follows. `path` is where the lock lies."""
    found: list[Difference] = []
    names = sorted({*locking.spec.stacks, *(one.name for one in lock.stacks)})
    for name in names:
        stack, wishes = lock.stack(name), locking.spec.stacks.get(name)
        if wishes is None:
            found.append(Difference(name, say("the wishes have no such stack any more")))
        elif stack is None:
            found.append(Difference(name, say("the lock does not have this stack yet")))
        else:
            found += _of_stack(locking, wishes, stack)
    found += [
        Difference("", say("{file} does not follow from the lock", file=file.name))
        for file in stale_files(path, lock)
    ]
    return tuple(found)


def _of_stack(locking: Locking, wishes: StackWishes, stack: Stack) -> Iterator[Difference]:
    try:
        wanted = expected(replace(locking, before=None), stack.name, wishes, stack)
    except WishesClash as error:
        yield Difference(stack.name, error.message)
        return
    changes = tuple(stack_changes(stack, wanted))
    yield from (_difference(stack.name, one) for one in changes)
    for name in ("chip", "product", "os"):
        before, after = getattr(stack, name), getattr(wanted, name)
        if before != after:
            words = say(
                "{what} {before} would be {after}", what=name, before=before or "-", after=after or "-"
            )
            yield Difference(stack.name, words)
    yield from _of_inputs(stack, wanted)
    if stack.level != wanted.level:
        words = say("the level was {before} and is {after}", before=stack.level, after=wanted.level)
        yield Difference(stack.name, words, harmless=True)
    if stack.matrix != wanted.matrix:
        yield Difference(
            stack.name, say("it was made with another matrix; nothing in it changes"), harmless=not changes
        )


def _of_inputs(stack: Stack, wanted: Stack) -> Iterator[Difference]:
    """What the pip set is made from; which versions follow is told by locking again."""
    if stack.inputs == wanted.inputs:
        return
    gone = [one for one in stack.requires if one not in wanted.requires]
    new = [one for one in wanted.requires if one not in stack.requires]
    for text in gone:
        yield Difference(
            stack.name, say("the pip set is no longer asked for {requirement}", requirement=text)
        )
    for text in new:
        yield Difference(stack.name, say("the pip set is asked for {requirement}", requirement=text))
    if not gone and not new:
        words = say("the Python, the glibc or the sources of the pip set are others")
        yield Difference(stack.name, words)


def _difference(stack: str, change: Change) -> Difference:
    before, after = change.before or "-", change.after or "-"
    words = say("{what} {before} would be {after}", what=change.what, before=before, after=after)
    published = change.what.endswith(" sha256") and change.before == UNVERIFIED
    return Difference(stack, words, harmless=published)
