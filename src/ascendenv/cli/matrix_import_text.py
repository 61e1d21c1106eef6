"""A comparison of a document with the matrix for a person, at 80 columns."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from ascendenv.facts.recorded.printable import printable
from ascendenv.language import say
from ascendenv.sources.comparison import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ascendenv.language import Message
    from ascendenv.sources.agreement import Difference
    from ascendenv.sources.comparison import Comparison, Finding

__all__ = ["print_comparison"]

WIDTH = 80
SOURCES = 2
"""How many sources of a standing row are shown; all of them stand in the JSON form."""
ALIKE = 4
"""So many parts of one row with the same fields are shown one by one; more of them are counted."""
LISTED = 10
SKIPPED = 5
"""How many of what is left alone or left out are shown; all of them stand in the JSON form."""


def print_comparison(comparison: Comparison, document: str, matrix: str) -> None:
    """Print what is new, changed, contradicting, older and gone, each with both places and sources."""
    _print(
        say(
            "{document}: {read} statements, {agreed} of them stand in {matrix} as they are.",
            document=document,
            read=comparison.read,
            agreed=comparison.agreed,
            matrix=matrix,
        )
    )
    _section(say("New"), comparison.of(Verdict.NEW))
    _section(say("Changed"), comparison.of(Verdict.CHANGED))
    _section(
        say("Contradictions, with what stands followed until you decide"),
        comparison.of(Verdict.CONTRADICTION),
    )
    _section(say("Older than what stands, left alone"), comparison.of(Verdict.OUTDATED))
    _print_gone(comparison.of(Verdict.GONE))
    _print_known(comparison.known)
    _print_skipped(comparison)
    _print()


def _section(title: Message, findings: Sequence[Finding]) -> None:
    if findings:
        _print(f"\n{title} ({len(findings)}):")
    for some in _alike(findings):
        for one in some if len(some) <= ALIKE else some[:1]:
            _print_finding(one)
        if len(some) > ALIKE:
            _print(f"    {say('and {count} more of this row', count=len(some) - 1)}")


def _alike(findings: Iterable[Finding]) -> list[list[Finding]]:
    """The findings, with parts of one row that differ in the same fields put together."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for one in findings:
        fields = tuple(two.field for two in one.differences)
        key: tuple[object, ...] = (one.subject.kind, one.subject.name, one.subject.part is None, fields)
        if one.subject.part is None:
            key = (*key, len(groups))
        groups.setdefault(key, []).append(one)
    return list(groups.values())


def _print_finding(finding: Finding) -> None:
    _print(f"  {finding.subject}")
    if finding.verdict is Verdict.NEW and finding.statement is not None:
        values = {**finding.statement.assumed, **finding.statement.values}
        for key, value in values.items():
            _wrapped(f"{key}: {_shown(value)}", "    ", "      ")
        _print_side(say("document"), finding.place, [finding.source])
        return
    for one in finding.differences:
        _print_difference(one)
    if finding.verdict is not Verdict.CHANGED or finding.statement is None:
        _print_side(say("stands"), finding.where, finding.sources)
    else:
        _print(f"    {say('stands')}: {finding.where}")
    if finding.statement is not None:
        _print_side(say("document"), finding.place, [finding.source])


def _print_difference(difference: Difference) -> None:
    before, after = difference.before, difference.after
    if isinstance(before, list) and isinstance(after, list) and before and after[: len(before)] == before:
        _wrapped(f"{difference.field}: + {_shown(after[len(before) :])}", "    ", "      ")
    elif before is None:
        _wrapped(f"{difference.field}: + {_shown(after)}", "    ", "      ")
    else:
        _wrapped(f"{difference.field}: {_shown(before)} -> {_shown(after)}", "    ", "      ")


def _print_side(title: Message, where: str, sources: Sequence[str]) -> None:
    _print(f"    {title}: {where}")
    for one in sources[:SOURCES]:
        _print(f"      {say('source: {source}', source=one)}")
    if len(sources) > SOURCES:
        _print(f"      {say('and {count} more sources', count=len(sources) - SOURCES)}")


def _print_gone(findings: Sequence[Finding]) -> None:
    if findings:
        _print(f"\n{say('No longer listed, left alone')} ({len(findings)}):")
    for one in findings[:LISTED]:
        lost = "".join(f": {_shown(two.before)}" for two in one.differences)
        _wrapped(f"{one.subject}{lost} ({one.where})", "  ", "    ")
    if len(findings) > LISTED:
        _print(f"  {say('and {count} more of them', count=len(findings) - LISTED)}")


def _print_known(findings: Sequence[Finding]) -> None:
    if findings:
        _print(f"\n{say('Contradictions that the matrix tells of already')} ({len(findings)}):")
    for one in findings:
        fields = ", ".join(two.field for two in one.differences)
        _wrapped(f"{one.subject}: {fields} ({one.known})", "  ", "    ")


def _print_skipped(comparison: Comparison) -> None:
    if comparison.skipped:
        _print(f"\n{say('Left out')} ({len(comparison.skipped)}):")
    for one in comparison.skipped[:SKIPPED]:
        _wrapped(f"{one.place}: {one.text}: {one.why}", "  ", "    ")
    if len(comparison.skipped) > SKIPPED:
        _print(f"  {say('and {count} more of them', count=len(comparison.skipped) - SKIPPED)}")


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_shown(one)}" for key, one in value.items())
    if isinstance(value, list):
        return ", ".join(_shown(one) for one in value)
    if isinstance(value, bool):
        return str(say("yes") if value else say("no"))
    return "-" if value is None else str(value)


def _print(line: object = "") -> None:
    """Print a line or several, without what a document could make a terminal do."""
    print("\n".join(printable(one) for one in str(line).split("\n")))


def _wrapped(text: str, first: str, rest: str) -> None:
    _print(
        fill(
            text,
            WIDTH,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )
