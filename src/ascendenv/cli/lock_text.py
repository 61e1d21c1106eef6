"""Answers about locks for a person: plain text, on a terminal and in a pipe."""

from __future__ import annotations

from itertools import groupby
from textwrap import fill
from typing import TYPE_CHECKING

from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ascendenv.lock.changes import Change
    from ascendenv.lock.check import Difference
    from ascendenv.lock.explain import Explanation
    from ascendenv.lock.model import Lock, Stack
    from ascendenv.matrix.relation import Relation

__all__ = ["print_check", "print_explanation", "print_lock"]

_WIDTH = 100
_LEVELS = {
    "recommended": say("recommended"),
    "compatible": say("compatible"),
    "unknown": say("unknown"),
    "broken": say("broken"),
}
_SOURCES = 2
"""How many sources of a relation are shown; all of them stand in the JSON form."""


def print_lock(path: str, lock: Lock, changes: Sequence[Change], written: Sequence[str]) -> None:
    """Print each stack with its versions, what changed, and what is not verified or not known."""
    for stack in lock.stacks:
        print(say("stack {name}: {level}", name=stack.name, level=_LEVELS[stack.level]))
        own = [one for one in changes if one.stack == stack.name]
        _print_versions(stack)
        for one in own:
            if one.what != "stack":
                _wrapped(_shown(one), "  ", "    ")
        _print_doubts(stack)
    for one in changes:
        if one.what == "stack" and one.after is None:
            print(say("stack {name} is gone", name=one.stack))
    if written:
        print(say("{path} is written", path=path))
    else:
        print(say("{path} stands as it was", path=path))


def print_check(path: str, differences: Sequence[Difference]) -> None:
    """Print what a new lock would have otherwise, and what to type."""
    bad = [one for one in differences if not one.harmless]
    if bad:
        print(say("{path} does not follow from the wishes and the matrix any more:", path=path))
    else:
        print(say("{path} follows from the wishes and the matrix.", path=path))
    for one in (*bad, *(one for one in differences if one.harmless)):
        stack = f"{one.stack}: " if one.stack else ""
        _wrapped(f"{stack}{one.message}", "  ", "    ")
    if bad:
        print(say("`ascendenv lock` makes it follow."))


def print_explanation(stacks: Mapping[Stack, Iterable[Explanation]]) -> None:
    """Print why each version was taken and newer ones were not."""
    for stack, some in stacks.items():
        print(say("stack {name}: {level}", name=stack.name, level=_LEVELS[stack.level]))
        for one in some:
            _print_component(one)
        if stack.requires:
            print(f"\n  {say('the pip set follows from:')}")
            for text in stack.requires:
                print(f"    {text}")


def _print_versions(stack: Stack) -> None:
    for part in stack.parts:
        values = ", ".join(f"{name} {text}" for name, text in part.values)
        _wrapped(f"{part.name:<8} {values}", "  ", "           ")
    files = stack.artefacts()
    print(f"  {say('files for {arch}: {count}', count=len(files), arch=' + '.join(stack.arch))}")


def _print_doubts(stack: Stack) -> None:
    doubtful = [one for one in stack.artefacts() if not one.is_verified]
    if doubtful:
        told = say("unverified, because no hash is published: {count}", count=len(doubtful))
        print(f"  {told}")
        for one in doubtful:
            _wrapped(one.file or f"{one.name} {one.version}", "    ", "    ")
        print(f"    {say('`ascendenv fetch --add FILE` takes files that you obtained')}")
    for text in stack.unknown:
        _wrapped(f"? {text}", "  ", "    ")


def _shown(change: Change) -> str:
    where = f" ({change.arch})" if change.arch is not None else ""
    return f"{change.what}: {change.before or '-'} -> {change.after or '-'}{where}"


def _print_component(one: Explanation) -> None:
    wish = say("the wish is {wish}", wish=one.wish) if one.wish is not None else say("there is no wish")
    print(f"\n  {one.component} {one.version}  ({wish})")
    for relation in one.relations:
        _print_relation(relation)
    for why, some in groupby(one.rejected, key=lambda each: each.why):
        versions = ", ".join(each.version for each in some)
        _wrapped(str(say("not {version}: {why}", version=versions, why=why)), "    - ", "      ")
    if one.more:
        print(f"    {say('and {count} more', count=one.more)}")


def _print_relation(relation: Relation) -> None:
    _wrapped(
        f"{_LEVELS[str(relation.level)]}: {' + '.join(relation.between)}: {relation.why}", "    + ", "      "
    )
    for source in relation.sources[:_SOURCES]:
        print(f"      {say('source: {source}', source=source)}")


def _wrapped(text: str, first: str, rest: str) -> None:
    plain = "".join(one if one.isprintable() else "?" for one in text)  # it may come from a foreign machine
    print(
        fill(
            plain,
            _WIDTH,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )
