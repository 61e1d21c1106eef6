"""The online compilation of an operator breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.repairs import install_same_cann
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals

__all__ = ["OperatorCompileFailed"]


class OperatorCompileFailed(Check):
    """The online compilation of an operator breaks."""

    id = "CAN009"
    causes = ("op-compile-failed",)
    consequence_of = ("CAN005", "CAN006", "CAN007", "CAN008", "CAN011", "CAN014", "CAN015", "CAN016")
    rank = 4

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """The compiler started and failed on one operator."""
        seen = (*signals.of("operator-compile-failed"), *signals.codes("E40021", "E40024"))
        if not seen:
            return
        yield self.finding(
            title=say("The compilation of an operator on this machine fails"),
            observed=_observed(signals),
            confidence=Confidence.LIKELY,
            why=say(
                "The operator has no ready binary for this chip and is compiled on the spot, "
                "by a compiler that does not fit this Python, this kernels package or what lies in kernel_meta."
            ),
            evidence=[one.evidence for one in seen],
            fix=[
                Fix(
                    "rm -rf kernel_meta ~/atc_data/kernel_cache",
                    say("in the start folder; half-written results are read again otherwise"),
                ),
                *install_same_cann(matrix, facts),
            ],
            sources=["leideng/CANN-8.1.RC1: conf/error_manager/error_code.json", "Ascend/pytorch#61"],
        )


def _observed(signals: Signals) -> Message:
    failed = signals.of("operator-compile-failed")
    if any(one.get("python") for one in failed):
        return say("a C extension of the compiler was built for an older Python (PY_SSIZE_T_CLEAN)")
    names = dict.fromkeys(one.get("op") or one.get("json").rpartition("/")[2] for one in failed)
    named = ", ".join(name for name in names if name)
    return (
        say("fails to compile: {operators}", operators=named)
        if named
        else say("the compiler reports a failed operator")
    )
