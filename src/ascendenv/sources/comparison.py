"""What a document says against what stands: new rows, changed ones, contradictions, and rows it no longer has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from ascendenv.matrix.fields import span
from ascendenv.matrix.fit import covers
from ascendenv.sources.agreement import Difference, Outcome, differences
from ascendenv.sources.companions import companions
from ascendenv.sources.disputes import known_dispute
from ascendenv.sources.standing import NAMES, Found
from ascendenv.sources.statement import Part, Skipped, Subject
from ascendenv.versions import vendor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.sources.kinds import Asked
    from ascendenv.sources.standing import Standing
    from ascendenv.sources.statement import Reading, Statement

__all__ = ["Comparison", "Finding", "Verdict", "compare"]


class Verdict(str, Enum):
    """What was found about a subject."""

    NEW = "new"
    CHANGED = "changed"
    CONTRADICTION = "contradiction"
    OUTDATED = "outdated"
    GONE = "gone"


@dataclass(frozen=True)
class Finding:
    """One subject on which document and matrix differ.

    `where` and `sources` tell where the standing row is and who says what stands, `place` and `source` the same of the
    document (empty for what is gone). `known` is the id of the contradiction if the matrix already tells of it.
    """

    verdict: Verdict
    subject: Subject
    differences: tuple[Difference, ...] = ()
    where: str = ""
    sources: tuple[str, ...] = ()
    statement: Statement | None = None
    known: str | None = None

    @property
    def place(self) -> str:
        """The line of the document."""
        return self.statement.place if self.statement is not None else ""

    @property
    def source(self) -> str:
        """The document, as a row names it."""
        return self.statement.source if self.statement is not None else ""


@dataclass(frozen=True)
class Comparison:
    """All findings, how many statements agreed with what stands, and what was left out of the document."""

    findings: tuple[Finding, ...]
    agreed: int
    read: int
    skipped: tuple[Skipped, ...] = ()

    def of(self, verdict: Verdict) -> tuple[Finding, ...]:
        """The findings of that verdict, known contradictions left out."""
        return tuple(one for one in self.findings if one.verdict is verdict and one.known is None)

    @property
    def known(self) -> tuple[Finding, ...]:
        """The contradictions that the matrix already tells of."""
        return tuple(one for one in self.findings if one.known is not None)

    @property
    def to_write(self) -> tuple[Finding, ...]:
        """What `--write` puts into the matrix."""
        return tuple(one for one in self.findings if one.known is None and one.verdict in _WRITTEN)


_WRITTEN = frozenset({Verdict.NEW, Verdict.CHANGED, Verdict.CONTRADICTION})
_VERDICTS = {
    Outcome.CHANGED: Verdict.CHANGED,
    Outcome.CONTRADICTION: Verdict.CONTRADICTION,
    Outcome.OUTDATED: Verdict.OUTDATED,
}


def compare(reading: Reading, standing: Standing, asked: Asked) -> Comparison:
    """The reading against what stands; raises MatrixMistakes where a file of the matrix cannot be read."""
    stated = [one for one in reading.statements if one.adds]
    fresh: dict[Subject, Statement] = {}
    findings: list[Finding] = []
    agreed = 0
    for statement in reading.statements:
        found = list(_against(statement, reading, standing, fresh))
        findings += found
        agreed += not found and statement.adds
    needed = [
        Finding(Verdict.NEW, one.subject, statement=one)
        for one in companions((one.statement for one in findings if one.statement), standing, fresh, asked)
    ]
    gone = list(_gone(reading, standing))
    return Comparison((*needed, *findings, *gone), agreed, len(stated), reading.skipped)


def _against(
    statement: Statement, reading: Reading, standing: Standing, fresh: dict[Subject, Statement]
) -> Iterator[Finding]:
    found = _standing_or_fresh(statement, standing, fresh)
    if found is None:
        if statement.adds:
            fresh[_plain(statement.subject)] = statement
            yield Finding(Verdict.NEW, statement.subject, statement=statement)
        return
    own = [reading.is_own(one) for one in found[0].sources]
    is_own = bool(own) and all(own) and _plain(statement.subject) not in fresh
    options = [(differences(statement, one.row, is_own=is_own), one) for one in found]
    different, nearest = min(options, key=lambda one: len(one[0]))
    for outcome in Outcome:
        some = tuple(one for one in different if one.outcome is outcome)
        if some:
            finding = Finding(
                _VERDICTS[outcome], statement.subject, some, nearest.where, nearest.sources, statement
            )
            if finding.verdict is Verdict.CONTRADICTION:
                finding = replace(finding, known=known_dispute(statement, some, nearest, standing))
            yield finding


def _standing_or_fresh(
    statement: Statement, standing: Standing, fresh: dict[Subject, Statement]
) -> list[Found] | None:
    """What stands of the subject, or else what the document itself said of it lines before; None for neither."""
    earlier = fresh.get(_plain(statement.subject))
    if earlier is not None:
        return [Found(earlier.row(), earlier.place.rpartition(":")[0], (), _line(earlier.place))]
    row = standing.find(statement.subject)
    if row is None or statement.subject.part is None:
        return None if row is None else [row]
    return list(standing.parts(row, statement.subject.part)) or _refused(statement, row, standing) or None


def _refused(statement: Statement, row: Found, standing: Standing) -> list[Found]:
    """Lines of HDK releases that the row says no to and that the stated release lies in."""
    part = statement.subject.part
    cells = row.row.get("hdk_cells")
    if part is None or part.list != "hdk_cells" or not isinstance(cells, list):
        return []
    hdk = vendor(part.name[0][1])
    return [
        standing.part_at(row, part.list, number, cell)
        for number, cell in enumerate(cells)
        if cell.get("level") == "broken" and not cell.get("products") and covers(span(str(cell["hdk"])), hdk)
    ]


def _line(place: str) -> int:
    text = place.rpartition(":")[2]
    return int(text) if text.isdecimal() else 0


def _gone(reading: Reading, standing: Standing) -> Iterator[Finding]:
    """What stands from such a document and is not in it any more. It is shown, never removed."""
    named = {_plain(one.subject) for one in reading.statements}
    for kind in sorted(one for one in reading.whole if isinstance(one, str)):
        for name, found in standing.rows(kind).items():
            if Subject(kind, name) not in named and any(reading.is_own(one) for one in found.sources):
                yield Finding(
                    Verdict.GONE, Subject(kind, _written(kind, found)), (), found.where, found.sources
                )
    for subject in sorted((one for one in reading.whole if isinstance(one, Subject)), key=str):
        row = standing.find(subject)
        if row is not None:
            yield from _gone_inside(subject, row, reading, standing)


def _gone_inside(subject: Subject, row: Found, reading: Reading, standing: Standing) -> Iterator[Finding]:
    if subject.kind == "images":
        listed = {tag for one in reading.statements if one.subject == subject for tag in _tags(one.values)}
        lost = [tag for tag in _tags(row.row) if tag not in listed]
        if lost:
            lack = Difference("tags", lost, [], Outcome.OUTDATED)
            yield Finding(Verdict.GONE, subject, (lack,), row.where, row.sources)
        return
    own = [one.subject.part for one in reading.statements if _plain(one.subject).name == _plain(subject).name]
    for part in own[:1]:
        if part is not None:
            yield from _lost_parts(subject, row, (part.list, [one for one in own if one]), reading, standing)


def _lost_parts(
    subject: Subject, row: Found, listed: tuple[str, list[Part]], reading: Reading, standing: Standing
) -> Iterator[Finding]:
    key, parts = listed
    items = row.row.get(key)
    names = {one.name for one in parts}
    for number, item in enumerate(items if isinstance(items, list) else ()):
        found = standing.part_at(row, key, number, item)
        name = tuple((one, str(item.get(one, ""))) for one, _ in parts[0].name)
        if name not in names and any(reading.is_own(one) for one in found.sources):
            yield Finding(
                Verdict.GONE, replace(subject, part=Part(key, name)), (), found.where, found.sources
            )


def _tags(row: Mapping[str, object]) -> list[str]:
    tags = row.get("tags")
    return [str(one) for one in tags] if isinstance(tags, list) else []


def _plain(subject: Subject) -> Subject:
    """The subject in small letters, as rows are looked up."""
    part = subject.part
    lower = (
        None if part is None else Part(part.list, tuple((key, text.casefold()) for key, text in part.name))
    )
    return Subject(subject.kind, tuple(one.casefold() for one in subject.name), lower)


def _written(kind: str, found: Found) -> tuple[str, ...]:
    return tuple(str(found.row.get(key, "")) for key in NAMES[kind])
