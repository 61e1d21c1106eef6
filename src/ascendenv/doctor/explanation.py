"""What is known about an id, a cause, an error code or an error text, without any machine at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.doctor.catalogue import catalogue
from ascendenv.doctor.engine import diagnose
from ascendenv.doctor.selection import matches
from ascendenv.doctor.topics import topic_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ascendenv.doctor.check import Check
    from ascendenv.doctor.finding import Finding
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.codes import ErrorCode

__all__ = ["Explanation", "explain"]

PAGES = 3
"""How many check pages an error text or code may bring along."""


@dataclass(frozen=True)
class Explanation:
    """The answer: checks whose pages fit, the error code's record, topics, and what the text itself gives away."""

    subject: str
    checks: tuple[type[Check], ...] = ()
    code: ErrorCode | None = None
    topics: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.checks or self.code or self.topics)


def explain(subject: str, matrix: Matrix) -> Explanation:
    """What is known about `subject`: an id (`TOR002`), a cause slug, a topic, an error code, or a pasted error text."""
    from ascendenv.signals.codes import find_code

    named = tuple(check for check in catalogue() if matches(check, subject))
    topics = tuple(name for name in topic_names() if name == subject.lower())
    if named or topics:
        return Explanation(subject, named, topics=topics)
    code = find_code(subject)
    findings = _found_in(subject, matrix)
    checks = _checks_of(findings) or (_checks_for(code.causes) if code else ())
    return Explanation(subject, checks[:PAGES], code, findings=findings)


def _found_in(text: str, matrix: Matrix) -> tuple[Finding, ...]:
    from ascendenv.facts.text import facts_of

    return diagnose(facts_of(log=text), matrix, catalogue()).findings


def _checks_of(findings: Sequence[Finding]) -> tuple[type[Check], ...]:
    by_id = {check.id: check for check in catalogue()}
    return tuple(by_id[name] for name in dict.fromkeys(finding.id for finding in findings))


def _checks_for(causes: Sequence[str]) -> tuple[type[Check], ...]:
    """The checks that may name these causes, those of the commonest cause first."""
    found = (check for cause in causes for check in catalogue() if cause in check.causes)
    return tuple(dict.fromkeys(found))
