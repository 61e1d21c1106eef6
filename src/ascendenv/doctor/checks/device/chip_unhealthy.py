"""A chip whose health is not OK."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.chips import names_of, sick_chips
from ascendenv.doctor.checks.device.hardware_tests import hardware_tests
from ascendenv.doctor.checks.device.symptoms import symptoms
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signals

__all__ = ["ChipUnhealthy"]

_GRAVE = ("CRITICAL", "UNHEALTHY")


class ChipUnhealthy(Check):
    """npu-smi shows Warning, Alarm or Critical for a chip."""

    id = "DEV018"
    causes = ("chip-unhealthy",)
    consequence_of = ("DEV017", "DEV019")
    rank = 6

    def check(self, facts: HostFacts, signals: Signals | None = None) -> Iterator[Finding]:
        """Fires on each health that is not OK; an error when it is grave or a device could not be used."""
        sick = sick_chips(facts)
        told = signals.of("chip-health") if signals else ()
        if not sick and not told:
            return
        words = dict.fromkeys((*(npu.health for npu in sick), *(one.get("health") for one in told)))
        seen = symptoms(signals) if signals else ()
        grave = any(word.upper() in _GRAVE for word in words)
        number = sick[0].npu_id if sick else 0
        yield self.finding(
            title=say("A chip is not healthy"),
            observed=say("health of {chips}: {words}", chips=names_of(sick) or "NPU", words=", ".join(words)),
            expected=say("OK in the Health column of `npu-smi info`"),
            why=say(
                "the driver counts faults of the chip; Warning is minor, Alarm needs a look, Critical stops the work"
            ),
            confidence=Confidence.LIKELY,
            severity=Severity.ERROR if grave or seen else Severity.WARNING,
            evidence=(
                *(line for line in facts.seen("npus") if any(word in line.text for word in words)),
                *(one.evidence for one in (*told, *seen)),
            ),
            fix=(
                Fix(f"npu-smi info -t health -i {number}", say("the fault code and what it means")),
                *hardware_tests(facts),
                Fix(
                    "export ASCEND_RT_VISIBLE_DEVICES=1",
                    say("take the card out of use: list the healthy ones only"),
                ),
                Fix(
                    f"npu-smi set -t reset -i {number} -c 0",
                    say("resets the idle card; look at Health again afterwards"),
                    needs_root=True,
                    disruptive=True,
                ),
            ),
            sources=("npu-smi manual: info -t health", "Health Management Error Definition"),
        )
