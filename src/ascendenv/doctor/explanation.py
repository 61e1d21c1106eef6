"""What is known about an id, a cause, an error code or an error text, without any machine at hand."""

from __future__ import annotations

import re
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
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.codes import ErrorCode
    from ascendenv.signals.symbol import Symbol

__all__ = ["Explanation", "explain"]

_WORD = re.compile(r"\b[A-Za-z_]\w{3,}")
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
    symbol: SymbolRecord | None = None

    def __bool__(self) -> bool:
        return bool(self.checks or self.code or self.topics or self.symbol)


@dataclass(frozen=True)
class SymbolRecord:
    """A symbol of a library: how people read it, the package that should have it, and what the tables know of it."""

    symbol: Symbol
    known: tuple[Message, ...]


def explain(subject: str, matrix: Matrix) -> Explanation:
    """What is known about `subject`: an id (`TOR002`), a cause slug, a topic, an error code, or a pasted error text."""
    from ascendenv.signals.codes import find_code

    named = tuple(check for check in catalogue() if matches(check, subject))
    topics = tuple(name for name in topic_names() if name == subject.lower())
    if named or topics:
        return Explanation(subject, named, topics=topics)
    code = find_code(subject)
    symbol = _symbol_in(subject, matrix)
    bare = symbol is not None and subject.strip() == symbol.symbol.name
    findings = _found_in(f"undefined symbol: {subject}" if bare else subject, matrix)
    checks = _checks_of(findings) or (_checks_for(code.causes) if code else ())
    return Explanation(subject, checks[:PAGES], code, findings=findings, symbol=symbol)


def _symbol_in(subject: str, matrix: Matrix) -> SymbolRecord | None:
    """The first word of the subject that is a C++ symbol or a function which the tables know."""
    from ascendenv.doctor.symbols import about_symbol
    from ascendenv.signals.symbol import read_symbol

    for word in _WORD.findall(subject):
        known = tuple(about_symbol(word, matrix))
        symbol = read_symbol(word)
        if known or (word.startswith("_Z") and symbol.readable != word):
            return SymbolRecord(symbol, known)
    return None


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
