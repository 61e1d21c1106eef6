"""Runs checks on facts: each gets what it asks for by parameter name, and roots are told from consequences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ascendenv.doctor.finding import Confidence, Finding, Severity, Skip
from ascendenv.facts.unknown import Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from ascendenv.doctor.check import Check
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix

__all__ = ["Diagnosis", "diagnose"]

EVIDENCE_LINES = 6
"""How many lines of proof one finding keeps."""


@dataclass(frozen=True)
class Diagnosis:
    """The outcome for one box: findings with roots first, what was skipped and why, and how many checks ran."""

    facts: HostFacts
    findings: tuple[Finding, ...]
    skipped: tuple[Skip, ...]
    checked: int


@dataclass(frozen=True)
class Request:
    """The facts that a check asks for: parameter names, and which of them it can do without."""

    names: tuple[str, ...]
    optional: frozenset[str]


def diagnose(
    facts: HostFacts, matrix: Matrix, checks: Iterable[type[Check]], *, now: datetime | None = None
) -> Diagnosis:
    """What `checks` find on the box that `facts` describe."""
    given = {"facts": facts, "matrix": matrix, "now": now}
    findings: list[Finding] = []
    skipped: list[Skip] = []
    ran: dict[str, type[Check]] = {}
    for check in sorted(checks, key=lambda check: check.last_resort):
        if check.last_resort and any(one.severity >= Severity.WARNING for one in findings):
            continue
        outcome = _run(check, facts, given)
        if isinstance(outcome, Skip):
            skipped.append(outcome)
        else:
            ran[check.id] = check
            findings.extend(outcome)
    kept = _without_guesses(_link(_merge(findings), ran))
    return Diagnosis(facts, _order(kept), tuple(skipped), len(ran))


def request_of(check: type[Check]) -> Request:
    """The facts that `check` asks for."""
    code = check.check.__code__
    names = code.co_varnames[1 : code.co_argcount]
    defaults = check.check.__defaults__ or ()
    return Request(names, frozenset(names[len(names) - len(defaults) :]))


def _run(check: type[Check], facts: HostFacts, given: Mapping[str, object]) -> Skip | list[Finding]:
    request = request_of(check)
    arguments: dict[str, Any] = {}
    for name in request.names:
        value = given[name] if name in given else getattr(facts, name)
        if not isinstance(value, Unknown):
            arguments[name] = value
        elif name in request.optional:
            arguments[name] = None
        else:
            return Skip(check.id, value.reason)
    return list(check().check(**arguments))


def _merge(findings: Sequence[Finding]) -> list[Finding]:
    """One finding for each check, cause and title; the proof of all its occurrences together."""
    merged: dict[tuple[str, str, object], Finding] = {}
    for one in findings:
        key = (one.id, one.cause, one.title)
        if (before := merged.get(key)) is None:
            merged[key] = one
        else:
            evidence = tuple(dict.fromkeys((*before.evidence, *one.evidence)))
            merged[key] = replace(max(before, one, key=_strength), evidence=evidence)
    return [replace(one, evidence=one.evidence[:EVIDENCE_LINES]) for one in merged.values()]


def _link(findings: Sequence[Finding], checks: Mapping[str, type[Check]]) -> list[Finding]:
    """The findings with `because_of` filled in from what each check says it is a consequence of."""
    linked = []
    for one in findings:
        roots = {
            root.id
            for root in findings
            if root.id in checks[one.id].consequence_of
            and (root.confidence, root.severity) >= (one.confidence, one.severity)
        }
        linked.append(replace(one, because_of=tuple(sorted({*one.because_of, *roots}))))
    return linked


def _without_guesses(findings: Sequence[Finding]) -> list[Finding]:
    """The findings without explanations that were only possible as long as nothing better was known.

    Of a symptom that follows from a likely cause, and of one with a certain explanation, the strongest finding stays.
    """
    sure = {one.id for one in findings if one.confidence > Confidence.POSSIBLE}
    certain = {one.id for one in findings if one.confidence is Confidence.CERTAIN}
    first = {one.id: one for one in sorted(findings, key=_strength)}
    return [
        one
        for one in findings
        if one.confidence > Confidence.POSSIBLE
        or one is first[one.id]
        or (one.id not in certain and not sure.intersection(one.because_of))
    ]


def _order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(
        sorted(findings, key=lambda one: (bool(one.because_of), *(-part for part in _strength(one)), one.id))
    )


def _strength(one: Finding) -> tuple[int, int, int]:
    return (one.severity, one.confidence, one.rank)
