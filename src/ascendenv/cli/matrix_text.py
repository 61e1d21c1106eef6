"""Answers of the matrix for a person: plain text that reads well at 80 columns, on a terminal and in a pipe."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.matrix.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ascendenv.language import Message
    from ascendenv.matrix.alternatives import Alternative
    from ascendenv.matrix.pick import Conflict
    from ascendenv.matrix.relation import Relation
    from ascendenv.matrix.relations import Judgement
    from ascendenv.matrix.stack import Stack

__all__ = ["print_judgement", "print_pick", "print_table"]

WIDTH = 80
SOURCES = 2
"""How many sources of a relation are shown; all of them stand in the JSON form."""

_HEAD = ("CANN", "torch_npu", "driver", "Python", "")
_WORDS = {
    Level.RECOMMENDED: say("recommended"),
    Level.COMPATIBLE: say("compatible"),
    Level.UNKNOWN: say("unknown"),
    Level.BROKEN: say("broken"),
}
_VERDICTS = {
    Level.RECOMMENDED: say("These go together, as their makers recommend."),
    Level.COMPATIBLE: say("These go together."),
    Level.UNKNOWN: say("No source tells whether these go together."),
    Level.BROKEN: say("These do not go together."),
}


def print_judgement(judgement: Judgement, alternatives: Sequence[Alternative]) -> None:
    """Print the verdict, the relations with the worst first, and the nearest sets that work."""
    if judgement.relations:
        print(_VERDICTS[judgement.verdict])
    else:
        print(say("There is nothing to compare: give two or more parts that the matrix knows."))
    for relation in sorted(judgement.relations, key=lambda one: one.level):
        _print_relation(relation)
    for unknown in judgement.unknown:
        _wrapped(f"? {unknown}", "  ", "    ")
    if alternatives:
        print(f"\n{say('Nearest sets that work:')}")
        for one in alternatives:
            changes = ", ".join(f"{name} {before} -> {after}" for name, before, after in one.changes)
            _wrapped(f"{changes}  ({_WORDS[one.level]})", "  ", "    ")


def print_pick(answer: tuple[Stack, ...] | Conflict) -> None:
    """Print the best stack with its commands and the others as a table, or the wishes that clash and the ways out."""
    if not isinstance(answer, tuple):
        _print_conflict(answer)
        return
    best, others = answer[0], answer[1:]
    print(f"{_kind(best)}:")
    for name, text in _parts(best):
        print(f"  {name:<10} {text}")
    print()
    for command in best.commands:
        print(f"  {command}")
    if others:
        print(f"\n{say('Others:')}")
        print_table([_HEAD, *(_row(one) for one in others)])


def print_table(rows: Iterable[Sequence[str]]) -> None:
    """Print rows in columns that are as wide as their longest cell."""
    table = [list(row) for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    for row in table:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        print(f"  {'  '.join(cells)}".rstrip())


def _print_relation(relation: Relation) -> None:
    _wrapped(f"{_WORDS[relation.level]}: {' + '.join(relation.between)}", "\n  ", "    ")
    _wrapped(str(relation.why), "    ", "    ")
    for source in relation.sources[:SOURCES]:
        print(f"    {say('source: {source}', source=source)}")


def _print_conflict(conflict: Conflict) -> None:
    _wrapped(str(conflict.why), "", "  ")
    if conflict.ways_out:
        print(f"\n{say('Without one of them there would be:')}")
    for one in conflict.ways_out:
        print(f"  {say('without {wish}', wish=one.wish)}")
        print_table([_HEAD, _row(one.stack)])


def _kind(stack: Stack) -> Message:
    word = _WORDS[stack.level]
    return say("{level}, but end of life", level=word) if stack.end_of_life else word


def _parts(stack: Stack) -> Iterable[tuple[str, str]]:
    hdk = f"  (HDK {stack.hdk})" if stack.hdk else ""
    shown = (
        ("chip", stack.product or stack.chip),
        ("driver", f"{stack.driver}{hdk}" if stack.driver is not None else None),
        ("firmware", stack.firmware if stack.driver is None or stack.firmware else say("not published")),
        ("CANN", stack.cann),
        ("torch", stack.torch),
        ("torch_npu", stack.torch_npu),
        ("Python", stack.python),
        ("arch", stack.arch),
        ("OS", stack.os),
    )
    return [(name, str(value)) for name, value in shown if value is not None]


def _row(stack: Stack) -> tuple[str, ...]:
    driver = str(stack.driver) if stack.driver is not None else "-"
    versions = (stack.cann, stack.torch_npu, driver, stack.python, _kind(stack))
    return tuple(str(one) for one in versions)


def _wrapped(text: str, first: str, rest: str) -> None:
    print(
        fill(
            text,
            WIDTH,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )
