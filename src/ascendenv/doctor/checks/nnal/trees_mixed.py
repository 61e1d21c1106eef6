"""The variables name two ATB trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.nnal.abi import trees_in
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts

__all__ = ["AtbTreesMixed"]


class AtbTreesMixed(Check):
    """The variables name two ATB trees at the same time."""

    id = "ATB006"
    causes = ("nnal-libs-mixed",)
    consequence_of = ("CAN017",)
    rank = 0

    def check(self, environment: Mapping[str, str], facts: HostFacts) -> Iterator[Finding]:
        """ATB_HOME_PATH and LD_LIBRARY_PATH lead to different folders."""
        roots = dict.fromkeys(root for root, _ in trees_in(environment))
        if len(roots) < 2:  # noqa: PLR2004  (two of them)
            return
        yield self.finding(
            title=say("Two ATB trees are in the environment at the same time"),
            observed=say("named together: {roots}", roots=", ".join(roots)),
            expected=say("ATB_HOME_PATH and LD_LIBRARY_PATH lead to one NNAL"),
            severity=Severity.WARNING,
            confidence=Confidence.POSSIBLE,
            why=say(
                "The loader takes each library from the first folder that has it, so parts of both are loaded."
            ),
            evidence=facts.seen("environment"),
            fix=[
                Fix(
                    "unset ATB_HOME_PATH LD_LIBRARY_PATH",
                    say("in a new shell; MindIE and ATB-Models bring copies of their own"),
                ),
                Fix(
                    "source /usr/local/Ascend/nnal/atb/set_env.sh",
                    say("once, after the toolkit's set_env.sh"),
                ),
            ],
            sources=["Ascend/ascend-transformer-boost: scripts/set_env.sh"],
        )
