"""One symptom, several causes: what the facts support comes first, what they refute is not named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Finding, Severity
from ascendenv.doctor.hypothesis import ALTERNATIVES, Hypothesis, weigh
from ascendenv.facts.evidence import Evidence
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Sequence


class Umbrella(Check):
    """A symptom with several causes."""

    id = "ZZZ001"
    causes = ("a", "b", "c")


def findings(*judged: tuple[str, bool | None]) -> list[Finding]:
    hypotheses = [
        Hypothesis(cause, say("certain"), supported=supported, ask=say("likely"))
        for cause, supported in judged
    ]
    return list(weigh(Umbrella(), hypotheses, observed=say("possible"), evidence=[Evidence("log:1", "x")]))


@pytest.mark.parametrize(
    ("judged", "causes"),
    [
        ([("a", None), ("b", None)], ["a", "b"]),
        ([("a", None), ("b", True)], ["b", "a"]),
        ([("a", False), ("b", None)], ["b"]),
        ([("a", False), ("b", False)], []),
        ([("a", True), ("b", True), ("c", None)], ["a", "b", "c"]),
    ],
)
def test_order_follows_the_facts(judged: Sequence[tuple[str, bool | None]], causes: list[str]) -> None:
    assert [one.cause for one in findings(*judged)] == causes


def test_an_undecided_symptom_is_one_error_and_asks() -> None:
    first, second = findings(("a", None), ("b", None))

    assert (first.severity, first.confidence) == (Severity.ERROR, Confidence.POSSIBLE)
    assert second.severity is Severity.WARNING
    assert "likely" in (first.fix[0].note or say("")).text()


@pytest.mark.parametrize("judged", [[("a", True), ("b", None)], [("a", None), ("b", False)]])
def test_a_decided_symptom_is_likely_and_asks_nothing(judged: Sequence[tuple[str, bool | None]]) -> None:
    first = findings(*judged)[0]

    assert first.confidence is Confidence.LIKELY
    assert first.fix == ()


def test_only_so_many_alternatives_are_named() -> None:
    assert len(findings(*[(str(number), None) for number in range(20)])) == ALTERNATIVES + 1
