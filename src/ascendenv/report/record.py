"""A diagnosis as plain data, the record that all formats render (schema: docs/schemas/doctor.schema.json)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from ascendenv.doctor.verdict import box_of, verdict_of
from ascendenv.doctor.waivers import verdict_of_review
from ascendenv.facts.unknown import known
from ascendenv.report.live import live_record

if TYPE_CHECKING:
    from ascendenv.doctor.engine import Diagnosis
    from ascendenv.doctor.finding import Finding, Fix
    from ascendenv.doctor.waivers import Match, Review, Waiver
    from ascendenv.language import Message
    from ascendenv.report.live import LiveRecord

__all__ = [
    "SCHEMA_VERSION",
    "DiagnosisRecord",
    "FindingRecord",
    "ReplacedRecord",
    "WaiverRecord",
    "record_of",
    "reviewed_record",
]

SCHEMA_VERSION = 1


class EvidenceRecord(TypedDict):
    """One line of proof."""

    where: str
    text: str


class FixRecord(TypedDict):
    """One step of a fix."""

    run: str
    note: str
    needs_root: bool
    disruptive: bool


class FindingRecord(TypedDict):
    """One problem."""

    id: str
    cause: str
    severity: str
    confidence: str
    title: str
    observed: str
    expected: str
    evidence: list[EvidenceRecord]
    why: str
    fix: list[FixRecord]
    because_of: list[str]
    sources: list[str]
    doc: str


class SkipRecord(TypedDict):
    """A check that could not run."""

    id: str
    reason: str


class WaiverRecord(TypedDict):
    """A waiver and what it is about; `until` as `2027-03-31`, `where` as `waivers.yaml:3`."""

    id: str
    cause: str
    reason: str
    by: str
    until: str
    where: str


class WaivedRecord(TypedDict):
    """A finding that does not count, and why."""

    finding: FindingRecord
    waiver: WaiverRecord


class ReplacedRecord(TypedDict):
    """A pseudonym, what kind of thing it stands for, and how often it stands in the record."""

    kind: str
    pseudonym: str
    count: int


class RedactionRecord(TypedDict):
    """What was replaced; `key` tells two keys apart without telling them."""

    key: str
    replaced: list[ReplacedRecord]


class _Published(TypedDict):
    schema_version: int
    verdict: str
    box: dict[str, str | bool | None]
    findings: list[FindingRecord]
    skipped: list[SkipRecord]
    checked: int


class DiagnosisRecord(_Published, total=False):
    """One box.

    `live` is there only with the live probe, `redaction` only where it is shared, the lists about waivers only with a
    waiver file.
    """

    live: LiveRecord
    waived: list[WaivedRecord]
    expired_waivers: list[WaiverRecord]
    unused_waivers: list[WaiverRecord]
    redaction: RedactionRecord


def record_of(diagnosis: Diagnosis) -> DiagnosisRecord:
    """The record of `diagnosis` in the active language."""
    record: DiagnosisRecord = {
        "schema_version": SCHEMA_VERSION,
        "verdict": verdict_of(diagnosis),
        "box": {fact.name: fact.value for fact in box_of(diagnosis.facts)},
        "findings": [finding_record(one) for one in diagnosis.findings],
        "skipped": [{"id": one.id, "reason": str(one.reason)} for one in diagnosis.skipped],
        "checked": diagnosis.checked,
    }
    if (live := known(diagnosis.facts.live)) is not None:
        record["live"] = live_record(live)
    return record


def reviewed_record(review: Review) -> DiagnosisRecord:
    """The record of what a waiver file left of a diagnosis, with what it took away."""
    record = record_of(review.diagnosis)
    if not review.given:
        return record
    record["verdict"] = verdict_of_review(review)
    return {
        **record,
        "waived": [
            {"finding": finding_record(one.finding), "waiver": _matched(one)} for one in review.waived
        ],
        "expired_waivers": [_matched(one) for one in review.expired],
        "unused_waivers": [waiver_record(one, one.id or "", one.cause or "") for one in review.unused],
    }


def waiver_record(waiver: Waiver, id_: str, cause: str) -> WaiverRecord:
    """The record of a waiver about that check and cause."""
    return {
        "id": id_,
        "cause": cause,
        "reason": waiver.reason,
        "by": waiver.by,
        "until": waiver.until.isoformat(),
        "where": waiver.where,
    }


def _matched(match: Match) -> WaiverRecord:
    return waiver_record(match.waiver, match.finding.id, match.finding.cause)


def finding_record(one: Finding) -> FindingRecord:
    """The record of one finding."""
    return {
        "id": one.id,
        "cause": one.cause,
        "severity": one.severity.name.lower(),
        "confidence": one.confidence.name.lower(),
        "title": str(one.title),
        "observed": str(one.observed),
        "expected": _text(one.expected),
        "evidence": [{"where": line.where, "text": line.text} for line in one.evidence],
        "why": _text(one.why),
        "fix": [fix_record(step) for step in one.fix],
        "because_of": list(one.because_of),
        "sources": list(one.sources),
        "doc": f"ascendenv explain {one.id}",
    }


def fix_record(step: Fix) -> FixRecord:
    """The record of one step."""
    return {
        "run": step.run,
        "note": _text(step.note),
        "needs_root": step.needs_root,
        "disruptive": step.disruptive,
    }


def _text(message: Message | None) -> str:
    return "" if message is None else str(message)
