"""A comparison as plain data: what `matrix import --format json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from ascendenv.sources.comparison import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ascendenv.sources.comparison import Comparison, Finding

__all__ = ["SCHEMA_VERSION", "ImportRecord", "import_record"]

SCHEMA_VERSION = 1


class SideRecord(TypedDict):
    """One side of a difference: where it is written, and who says so."""

    where: str
    sources: list[str]


class DifferenceRecord(TypedDict):
    """One field: what stands and what the document says; None where nothing stands."""

    field: str
    before: object
    after: object


class FindingRecord(TypedDict):
    """One row, or part of one. `row` is there for new ones only."""

    kind: str
    name: list[str]
    part: str | None
    differences: list[DifferenceRecord]
    row: dict[str, object] | None
    standing: SideRecord | None
    document: SideRecord | None
    known: str | None


class SkippedRecord(TypedDict):
    """Something in the document that was left out."""

    where: str
    text: str
    why: str


class ImportRecord(TypedDict):
    """The answer of `matrix import`."""

    schema_version: int
    kind: str
    document: str
    at: str
    matrix: str
    read: int
    agreed: int
    new: list[FindingRecord]
    changed: list[FindingRecord]
    contradictions: list[FindingRecord]
    known_contradictions: list[FindingRecord]
    outdated: list[FindingRecord]
    gone: list[FindingRecord]
    skipped: list[SkippedRecord]
    written: list[str]


def import_record(
    comparison: Comparison, *, kind: str, document: str, at: str, matrix: str, written: Sequence[str]
) -> ImportRecord:
    """The record of one import in the active language."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": kind,
        "document": document,
        "at": at,
        "matrix": matrix,
        "read": comparison.read,
        "agreed": comparison.agreed,
        "new": _findings(comparison.of(Verdict.NEW)),
        "changed": _findings(comparison.of(Verdict.CHANGED)),
        "contradictions": _findings(comparison.of(Verdict.CONTRADICTION)),
        "known_contradictions": _findings(comparison.known),
        "outdated": _findings(comparison.of(Verdict.OUTDATED)),
        "gone": _findings(comparison.of(Verdict.GONE)),
        "skipped": [
            {"where": one.place, "text": one.text, "why": str(one.why)} for one in comparison.skipped
        ],
        "written": list(written),
    }


def _findings(findings: Iterable[Finding]) -> list[FindingRecord]:
    return [_finding(one) for one in findings]


def _finding(finding: Finding) -> FindingRecord:
    statement = finding.statement
    subject = finding.subject
    return {
        "kind": subject.kind,
        "name": [one for one in subject.name if one],
        "part": str(subject.part) if subject.part is not None else None,
        "differences": [
            {"field": one.field, "before": one.before, "after": one.after} for one in finding.differences
        ],
        "row": statement.row() if statement is not None and finding.verdict is Verdict.NEW else None,
        "standing": {"where": finding.where, "sources": list(finding.sources)} if finding.where else None,
        "document": None if statement is None else {"where": statement.place, "sources": [statement.source]},
        "known": finding.known,
    }
