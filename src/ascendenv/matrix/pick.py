"""Chooses stacks that fulfil wishes, best first, or names the smallest set of wishes that clash."""

from __future__ import annotations

from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.matrix.candidates import Candidate, candidates, place_of, stack_of
from ascendenv.matrix.commands import commands_for
from ascendenv.matrix.level import Level
from ascendenv.matrix.relations import judge
from ascendenv.matrix.search import Place
from ascendenv.matrix.stack import Stack
from ascendenv.matrix.wishes import Wishes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix

__all__ = ["Conflict", "Stack", "Wishes", "Without", "fulfilling", "pick"]


@dataclass(frozen=True)
class Without:
    """The best stack when one of the wishes is dropped."""

    wish: str
    stack: Stack


@dataclass(frozen=True)
class Conflict:
    """Nothing fulfils all wishes: `wishes` is the smallest set that clashes, as name and text.

    `ways_out` holds, for each wish of it whose dropping helps, the best stack of the rest.
    """

    wishes: tuple[tuple[str, str], ...]
    why: Message
    ways_out: tuple[Without, ...] = ()


def pick(
    matrix: Matrix, wishes: Wishes, *, today: str | None = None, limit: int | None = None
) -> tuple[Stack, ...] | Conflict:
    """Stacks that fulfil the wishes: not end-of-life first, recommended before compatible, newest first.

    `today` (`2026-11-29`) lets announced life-cycle changes count; `limit` bounds how many stacks are returned.
    """
    found = []
    for stack in fulfilling(matrix, wishes, today=today):
        found.append(replace(stack, commands=commands_for(matrix, stack)))
        if limit is not None and len(found) == limit:
            break
    return tuple(found) or _conflict(matrix, wishes, today)


def fulfilling(matrix: Matrix, wishes: Wishes, *, today: str | None = None) -> Iterator[Stack]:
    """The stacks of `pick`, without their commands, one by one; none where wishes clash.

    A candidate carries the best level that it can have; it is judged when its turn comes, and queues again where it
    turned out to be worse.
    """
    place = place_of(matrix, wishes) or Place()
    queue: list[tuple[bool, int, int, Candidate | Stack]] = [
        (one.end_of_life, -one.level, age, one)
        for age, one in enumerate(candidates(matrix, wishes, today=today))
    ]
    heapify(queue)
    while queue:
        old, _, age, one = heappop(queue)
        if isinstance(one, Stack):
            yield one
        elif (stack := stack_of(one, wishes, place)) is not None:
            verdict = judge(matrix, stack.given()).verdict
            if verdict >= Level.COMPATIBLE:
                heappush(queue, (old, -verdict, age, replace(stack, level=verdict)))


def _conflict(matrix: Matrix, wishes: Wishes, today: str | None) -> Conflict:
    names = tuple(wishes.named())
    clashing = next(
        (
            some
            for size in range(1, len(names) + 1)
            for some in combinations(names, size)
            if next(fulfilling(matrix, wishes.only(some)), None) is None
        ),
        names,
    )
    texts = wishes.named()
    told = tuple((name, texts[name]) for name in clashing)
    shown = ", ".join(f"{name} {text}" for name, text in told)
    if len(told) == 1:
        why = say("no stack of the matrix has {wish}", wish=shown)
    else:
        why = say("no stack of the matrix has these together: {wishes}", wishes=shown)
    return Conflict(told, why, tuple(_ways_out(matrix, wishes, clashing, today)))


def _ways_out(
    matrix: Matrix, wishes: Wishes, clashing: tuple[str, ...], today: str | None
) -> Iterator[Without]:
    for name in clashing:
        stack = next(fulfilling(matrix, wishes.without([name]), today=today), None)
        if stack is not None:
            yield Without(name, stack)
