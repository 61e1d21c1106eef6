"""A diagnosis as plain data, the record that all formats render (schema: docs/schemas/doctor.schema.json)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from ascendenv.doctor.verdict import box_of, verdict_of

if TYPE_CHECKING:
    from ascendenv.doctor.engine import Diagnosis
    from ascendenv.doctor.finding import Finding, Fix
    from ascendenv.language import Message

__all__ = ["SCHEMA_VERSION", "DiagnosisRecord", "FindingRecord", "record_of"]

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


class DiagnosisRecord(TypedDict):
    """One box."""

    schema_version: int
    verdict: str
    box: dict[str, str | bool | None]
    findings: list[FindingRecord]
    skipped: list[SkipRecord]
    checked: int


def record_of(diagnosis: Diagnosis) -> DiagnosisRecord:
    """The record of `diagnosis` in the active language."""
    return {
        "schema_version": SCHEMA_VERSION,
        "verdict": verdict_of(diagnosis),
        "box": {fact.name: fact.value for fact in box_of(diagnosis.facts)},
        "findings": [finding_record(one) for one in diagnosis.findings],
        "skipped": [{"id": one.id, "reason": str(one.reason)} for one in diagnosis.skipped],
        "checked": diagnosis.checked,
    }


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
