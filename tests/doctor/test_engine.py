"""The engine: facts by parameter name, skips, merging, roots before consequences."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ascendenv.doctor.check import Check
from ascendenv.doctor.engine import EVIDENCE_LINES, Diagnosis, diagnose
from ascendenv.doctor.finding import Confidence, Finding, Severity
from ascendenv.facts.evidence import Evidence
from ascendenv.facts.model import HostFacts
from ascendenv.facts.unknown import Unknown
from ascendenv.language import say
from ascendenv.matrix.store import shipped_matrix

if TYPE_CHECKING:
    from collections.abc import Iterator


class NeedsArch(Check):
    """Fires on every known architecture."""

    id = "ZZZ001"
    causes = ("arch-known",)

    def check(self, arch: str) -> Iterator[Finding]:
        yield self.finding(title=say("certain"), observed=say("{arch}", arch=arch))


class WantsArch(Check):
    """Fires always, and says whether it knew the architecture."""

    id = "ZZZ002"
    causes = ("arch-wanted",)

    def check(self, arch: str | None = None) -> Iterator[Finding]:
        yield self.finding(
            title=say("likely"), observed=say("{arch}", arch=arch), confidence=Confidence.POSSIBLE
        )


class Consequence(Check):
    """Fires always, as a consequence of ZZZ001."""

    id = "ZZZ003"
    causes = ("follows",)
    consequence_of = ("ZZZ001",)

    def check(self, facts: HostFacts) -> Iterator[Finding]:
        assert facts
        yield self.finding(title=say("possible"), observed=say("certain"), rank=9)


class SureConsequence(Consequence):
    """Surer of itself than its root, so it stands alone."""

    id = "ZZZ004"

    def check(self, facts: HostFacts) -> Iterator[Finding]:
        for one in super().check(facts):
            yield replace(one, confidence=Confidence.CERTAIN)


class Repeats(Check):
    """Fires twelve times for one problem."""

    id = "ZZZ005"
    causes = ("repeats",)

    def check(self, matrix: object) -> Iterator[Finding]:
        assert matrix is shipped_matrix()
        for number in range(12):
            yield self.finding(
                title=say("certain"),
                observed=say("certain"),
                evidence=[Evidence(f"log:{number}", "x")],
                rank=number,
            )


class LastResort(WantsArch):
    """Answers where nobody else does."""

    id = "ZZZ006"
    last_resort = True


def run(*checks: type[Check], facts: HostFacts | None = None) -> Diagnosis:
    return diagnose(facts or HostFacts(arch="aarch64"), shipped_matrix(), checks)


def test_a_check_gets_the_facts_that_it_names() -> None:
    assert run(NeedsArch).findings[0].observed.text() == "aarch64"


def test_a_check_whose_fact_is_unknown_is_skipped_with_the_reason() -> None:
    outcome = run(NeedsArch, facts=HostFacts(arch=Unknown(say("certain"))))

    assert not outcome.findings
    assert outcome.checked == 0
    assert [(one.id, one.reason.text()) for one in outcome.skipped] == [("ZZZ001", "certain")]


def test_a_check_runs_without_a_fact_that_it_only_wants() -> None:
    assert run(WantsArch, facts=HostFacts()).findings[0].observed.text() == "None"


def test_roots_come_before_their_consequences() -> None:
    findings = run(Consequence, WantsArch, NeedsArch).findings

    assert [one.id for one in findings] == ["ZZZ001", "ZZZ002", "ZZZ003"]
    assert findings[-1].because_of == ("ZZZ001",)


def test_a_consequence_without_its_root_stands_alone() -> None:
    assert run(Consequence).findings[0].because_of == ()


def test_a_surer_finding_is_no_consequence_of_a_guess() -> None:
    assert run(SureConsequence, NeedsArch).findings[0].id == "ZZZ004"


def test_occurrences_of_one_problem_are_one_finding() -> None:
    findings = run(Repeats).findings

    assert len(findings) == 1
    assert [line.where for line in findings[0].evidence] == [
        f"log:{number}" for number in range(EVIDENCE_LINES)
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"severity": Severity.ERROR}, {"severity": Severity.WARNING, "confidence": Confidence.CERTAIN}),
        ({"confidence": Confidence.CERTAIN}, {"confidence": Confidence.LIKELY, "rank": 20}),
        ({"rank": 3}, {"rank": 2}),
    ],
)
def test_severity_then_confidence_then_rank_decide_the_order(
    one: dict[str, object], other: dict[str, object]
) -> None:
    class Stronger(WantsArch):
        """Yields the stronger of two findings."""

        id = "ZZZ009"

        def check(self, arch: str | None = None) -> Iterator[Finding]:
            yield self.finding(title=say("likely"), observed=say("likely"), **one)  # type: ignore[arg-type]

    class Weaker(WantsArch):
        """Yields the weaker of two findings."""

        id = "ZZZ008"

        def check(self, arch: str | None = None) -> Iterator[Finding]:
            yield self.finding(title=say("likely"), observed=say("likely"), **other)  # type: ignore[arg-type]

    assert [found.id for found in run(Weaker, Stronger).findings] == ["ZZZ009", "ZZZ008"]


def test_a_last_resort_runs_only_where_nothing_else_found_an_error() -> None:
    assert [one.id for one in run(LastResort, NeedsArch).findings] == ["ZZZ001"]
    assert [one.id for one in run(LastResort, NeedsArch, facts=HostFacts()).findings] == ["ZZZ006"]
