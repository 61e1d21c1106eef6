"""npu-smi does not come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.hardware_tests import hardware_tests
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.doctor.fixes import reboot
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts

__all__ = ["NpuSmiHangs"]


class NpuSmiHangs(Check):
    """npu-smi gives no answer in time: the driver or a card hangs."""

    id = "DEV023"
    causes = ("driver-fault-state",)
    consequence_of = ("DEV017", "DEV019", "DRV019")
    rank = 5

    def check(self, facts: HostFacts, npu_smi_answer: str | None = None) -> Iterator[Finding]:
        """Fires when the collector had to end npu-smi; what else was seen on the box was judged all the same."""
        if npu_smi_answer != "timeout":
            return
        yield self.finding(
            title=say("npu-smi hangs: the driver or a card does not answer"),
            observed=say("`npu-smi info` gave no answer and was ended"),
            expected=say("a table within a few seconds"),
            why=say("npu-smi asks every card; one that does not answer holds up the whole table"),
            confidence=Confidence.LIKELY,
            evidence=facts.seen("npu_smi_answer"),
            fix=(
                Fix(
                    'for i in 0 1 2 3 4 5 6 7; do timeout 5 npu-smi info -t health -i $i || echo "NPU $i: $?"; done',
                    say("which card does not answer (124 is the time limit)"),
                ),
                Fix(
                    "dmesg | grep -iE 'ascend|davinci|heartbeat|pcie' | tail -50",
                    say("the driver's last words"),
                ),
                Fix(
                    "ps -eo pid,stat,wchan:32,cmd | grep ' D'", say("processes that are stuck in the driver")
                ),
                *hardware_tests(facts),
                reboot(),
                Fix(note=say("power the machine off and on if a reboot does not help")),
            ),
            sources=("hicann/driver: src/custom/dev_prod/user/npucli",),
        )
