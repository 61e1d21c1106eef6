"""Runs one check or all of them on a piece of text or on hand-made facts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ascendenv.doctor.catalogue import catalogue
from ascendenv.doctor.engine import Diagnosis, diagnose
from ascendenv.facts.text import facts_of
from ascendenv.matrix.store import shipped_matrix

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check
    from ascendenv.doctor.finding import Finding, Skip

__all__ = ["causes_of", "diagnose_text", "run_check"]


def diagnose_text(log: str | None = None, report: str | None = None) -> Diagnosis:
    """What all checks find in these texts."""
    return diagnose(facts_of(report=report, log=log), shipped_matrix(), catalogue())


def causes_of(log: str | None = None, report: str | None = None) -> list[str]:
    """The causes of all findings, best first."""
    return [finding.cause for finding in diagnose_text(log, report).findings]


def run_check(
    check: type[Check], log: str | None = None, report: str | None = None, **facts: Any
) -> Skip | list[Finding]:
    """What one check finds in these texts and facts, or why it was skipped."""
    given = replace(facts_of(report=report, log=log), **facts)
    outcome = diagnose(given, shipped_matrix(), [check])
    return outcome.skipped[0] if outcome.skipped else list(outcome.findings)
