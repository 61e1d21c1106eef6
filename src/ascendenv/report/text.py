"""The diagnosis for a person at a terminal: root cause and fix in the first screen, the rest below."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.doctor.verdict import box_of, verdict_of
from ascendenv.doctor.waivers import Review
from ascendenv.facts.unknown import known
from ascendenv.language import say
from ascendenv.report.live import live_record, live_words
from ascendenv.report.printable import printable
from ascendenv.report.words import CONFIDENCES, headline, shown_fact, waived_until, waiver_ended

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TextIO, TypeAlias

    from rich.console import RenderableType

    from ascendenv.doctor.engine import Diagnosis
    from ascendenv.doctor.finding import Finding, Fix
    from ascendenv.doctor.waivers import Match, Waiver
    from ascendenv.facts.evidence import Evidence
    from ascendenv.language import Message

__all__ = ["print_diagnosis", "print_review"]

WIDTH = 100
"""Lines longer than this are hard to read, however wide the terminal is."""

EVIDENCE_LINES = 3
"""Lines of proof shown for a finding; all of them stand in the JSON form."""

_SIGN = {Severity.ERROR: ("✗", "bold red"), Severity.WARNING: ("!", "yellow"), Severity.INFO: ("i", "cyan")}


@dataclass(frozen=True)
class Command:
    """A command to type. It must survive copying, so it is never folded or cut."""

    line: str
    indent: int


if TYPE_CHECKING:
    Part: TypeAlias = RenderableType | Command


def print_diagnosis(diagnosis: Diagnosis, stream: TextIO, *, verbose: bool = False) -> None:
    """Print `diagnosis` to `stream` in the active language; plain where the stream is no terminal."""
    print_review(Review(diagnosis), stream, verbose=verbose)


def print_review(review: Review, stream: TextIO, *, verbose: bool = False) -> None:
    """Print what waivers left of a diagnosis, and what they took away."""
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    console.width = min(console.width, WIDTH)
    with console.capture() as captured:
        for part in _parts(review, verbose=verbose):
            if isinstance(part, Command):
                console.out(f"{' ' * part.indent}$ {printable(part.line)}", style="bold", highlight=False)
            else:
                console.print(part)
    # Tables are padded to their width; blanks at line ends get in the way of whoever pastes the report.
    stream.write(re.sub(r"[ \u00a0]+$", "", captured.get(), flags=re.MULTILINE))


def _parts(review: Review, *, verbose: bool) -> Iterator[Part]:
    diagnosis = review.diagnosis
    ended = {one.finding: one.waiver for one in review.expired}
    roots = [one for one in diagnosis.findings if not one.because_of]
    if roots:
        first, *others = roots
        yield from _full(first, 0, ended)
        sure = [one for one in others if one.confidence > Confidence.POSSIBLE]
        maybe = [one for one in others if one.confidence == Confidence.POSSIBLE]
        follow = [one for one in diagnosis.findings if one.because_of]
        yield from _group(say("Also found"), sure, ended, verbose=verbose)
        yield from _group(say("It may also be"), maybe, ended, verbose=verbose)
        yield from _group(say("Follows from the above"), follow, ended, verbose=verbose)
    elif not review.waived:
        yield from _no_finding(diagnosis)
    yield from _waived(review.waived)
    yield from _footer(diagnosis, verbose=verbose)
    if verbose:
        for waiver in review.unused:
            text = say("{where}: this waiver is about nothing that was found here", where=waiver.where)
            yield Text(str(text), style="dim")


def _waived(matches: Sequence[Match]) -> Iterator[Part]:
    if not matches:
        return
    yield Text(str(say("Waived, does not count")), style="bold")
    for one in matches:
        yield _indented(Text.assemble(("- ", "dim"), printable(f"{one.finding.id}  {one.finding.title}")), 2)
        yield _indented(Text(_words(waived_until, one.waiver), style="dim"), 4)
    yield Text("")


def _ended(waiver: Waiver | None, indent: int) -> Iterator[Part]:
    """The line under a finding that counts again."""
    if waiver is not None:
        yield _indented(Text(_words(waiver_ended, waiver), style="yellow"), indent)


def _words(words: Callable[[str, str, str], Message], waiver: Waiver) -> str:
    return printable(str(words(waiver.until.isoformat(), waiver.by, waiver.reason)))


def _no_finding(diagnosis: Diagnosis) -> Iterator[Part]:
    if verdict_of(diagnosis) == "healthy":
        yield Text.assemble(("✓ ", "bold green"), str(say("Nothing wrong was found in what was given.")))
    else:
        yield Text.assemble(("? ", "bold yellow"), str(say("Nothing here could be judged.")))
        yield _indented(Text(str(_what_would_help())), 2)


def _what_would_help() -> Message:
    return say(
        "Give more: the whole traceback with --log, and a report with --report, for example the output of "
        "`npu-smi info`, `pip list` and `env` in one file."
    )


def _full(one: Finding, indent: int, ended: Mapping[Finding, Waiver]) -> Iterator[Part]:
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim", no_wrap=True)
    rows.add_column(overflow="fold")
    _row(rows, say("seen"), one.observed)
    for line in one.evidence[:EVIDENCE_LINES]:
        rows.add_row("", _proof(line))
    _row(rows, say("expected"), one.expected)
    _row(rows, say("why"), one.why)
    _row(rows, say("sure"), CONFIDENCES[one.confidence.name.lower()])
    yield _indented(_headline(one), indent)
    yield from _ended(ended.get(one), indent + 2)
    yield _indented(rows, indent + 2)
    yield from _steps(one.fix, indent + 2)
    yield Text("")


def _headline(one: Finding) -> Text:
    sign, style = _SIGN[one.severity]
    title = headline(str(one.title), one.confidence.name.lower())
    return Text.assemble((f"{sign} ", style), (f"{one.id}  ", "dim"), (printable(title), "bold"))


def _row(rows: Table, name: Message, value: Message | None) -> None:
    if value is not None and (text := printable(str(value))):
        rows.add_row(str(name), text)


def _proof(line: Evidence) -> Text:
    return Text.assemble((f"{printable(line.where)}  ", "dim"), printable(line.text))


def _steps(fix: Sequence[Fix], indent: int) -> Iterator[Part]:
    if not fix:
        return
    yield _indented(Text(str(say("To fix it")), style="bold green"), indent, above=1)
    for step in fix:
        if note := _remark(step):
            yield _indented(Text(note), indent + 2)
        for line in step.run.splitlines():
            yield Command(line, indent + 4)


def _remark(step: Fix) -> str:
    marks = [
        str(mark)
        for mark, holds in (
            (say("needs root"), step.needs_root),
            (say("interrupts running jobs"), step.disruptive),
        )
        if holds
    ]
    note = "" if step.note is None else printable(str(step.note))
    return f"{note} ({', '.join(marks)})".strip() if marks else note


def _group(
    title: Message, findings: Sequence[Finding], ended: Mapping[Finding, Waiver], *, verbose: bool
) -> Iterator[Part]:
    if not findings:
        return
    yield Text(str(title), style="bold")
    for one in findings:
        yield from _full(one, 2, ended) if verbose else _brief(one, ended)
    yield Text("")


def _brief(one: Finding, ended: Mapping[Finding, Waiver]) -> Iterator[Part]:
    yield _indented(_headline(one), 2)
    yield from _ended(ended.get(one), 6)
    command = next((step.run.splitlines()[0] for step in one.fix if step.run), "")
    if command:
        yield Command(command, 6)


def _footer(diagnosis: Diagnosis, *, verbose: bool) -> Iterator[Part]:
    box = [shown_fact(fact.name, fact.value) for fact in box_of(diagnosis.facts) if fact.value is not None]
    if box:
        yield Text.assemble((str(say("box")) + "  ", "dim"), printable(" · ".join(box)))
    if (live := known(diagnosis.facts.live)) is not None:
        yield Text.assemble((str(say("live")) + "  ", "dim"), printable(live_words(live_record(live))))
    count = say(
        "{checked} checks ran, {skipped} were skipped",
        checked=diagnosis.checked,
        skipped=len(diagnosis.skipped),
    )
    yield Text(str(count), style="dim")
    if verbose:
        for skip in diagnosis.skipped:
            yield _indented(Text(printable(f"{skip.id}  {skip.reason}"), style="dim"), 2)
    elif diagnosis.findings:
        more = say(
            "`ascendenv explain {id}` tells more; -v shows every finding in full", id=diagnosis.findings[0].id
        )
        yield Text(str(more), style="dim")


def _indented(part: RenderableType, columns: int, *, above: int = 0) -> RenderableType:
    return Padding(part, (above, 0, 0, columns), expand=False)
