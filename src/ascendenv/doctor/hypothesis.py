"""One symptom, several causes: what the other facts say for and against each, and what would decide.

A text such as "ret is -8005" has many causes. A check lists them as hypotheses in the order of how often they are met;
`weigh` turns them into findings: those that the facts refute are dropped, those that the facts support come first, and
where the facts do not decide, the first is named as possible together with the questions that would decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.doctor.finding import Confidence, Finding, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ascendenv.doctor.check import Check
    from ascendenv.facts.evidence import Evidence
    from ascendenv.language import Message

__all__ = ["Hypothesis", "weigh"]

ALTERNATIVES = 4
"""How many other explanations are listed beside the first."""


@dataclass(frozen=True)
class Hypothesis:
    """One explanation of a symptom.

    `supported` is True when a fact speaks for it (`because` says which), False when a fact rules it out, None when
    nothing tells. `ask` is the question or command whose answer would decide.
    """

    cause: str
    title: Message
    supported: bool | None = None
    because: Message | None = None
    ask: Message | None = None
    fix: tuple[Fix, ...] = ()
    evidence: tuple[Evidence, ...] = ()


def weigh(
    check: Check,
    hypotheses: Iterable[Hypothesis],
    *,
    observed: Message,
    evidence: Sequence[Evidence],
    sources: Sequence[str] = (),
    sure: Confidence = Confidence.LIKELY,
) -> Iterator[Finding]:
    """The findings of `check` for a symptom with several explanations, best first.

    A supported explanation has the confidence `sure`; so has the only one left. Undecided ones are possible, and only
    the first of all is an error: a box has one root cause, the others are named as what else it may be.
    """
    left = [one for one in hypotheses if one.supported is not False]
    ordered = [one for one in left if one.supported] + [one for one in left if not one.supported]
    for place, one in enumerate(ordered[: ALTERNATIVES + 1]):
        decided = bool(one.supported) or len(ordered) == 1
        rest = ordered[1:] if place == 0 and not decided else []
        yield check.finding(
            cause=one.cause,
            severity=Severity.ERROR if place == 0 or one.supported else Severity.WARNING,
            confidence=sure if decided else Confidence.POSSIBLE,
            title=one.title,
            observed=observed,
            why=one.because if one.supported else None,
            evidence=(*evidence, *one.evidence),
            fix=_with_question(one, undecided=bool(rest) or not decided),
            sources=sources,
            rank=check.rank + ALTERNATIVES - place,
        )


def _with_question(one: Hypothesis, *, undecided: bool) -> tuple[Fix, ...]:
    if not undecided or one.ask is None:
        return one.fix
    return (Fix(note=say("To be sure: {question}", question=one.ask)), *one.fix)
