"""DRV019: the system inside the card does not start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.traces import cards_answer
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.doctor.fixes import reboot
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signals


class DeviceNotBooted(Check):
    """The driver could not start the system on a card."""

    id = "DRV019"
    causes = ("driver-fault-state",)
    consequence_of = ("DRV009",)
    rank = 7

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """The kernel log says which card did not come up."""
        symptoms = signals.of("device-boot-failed")
        if not symptoms or cards_answer(facts):
            return
        devices = sorted({one.get("device") for one in symptoms if one.get("device")}, key=int)
        yield self.finding(
            title=say("The driver could not start the system on the card"),
            observed=say(
                "device {devices}: {problem}", devices=", ".join(devices), problem=symptoms[0].get("problem")
            )
            if devices
            else say("the card did not start in time"),
            why=say(
                "the images of driver and firmware do not fit each other, or the card needs a cold reset"
            ),
            confidence=Confidence.LIKELY,
            evidence=[one.evidence for one in symptoms],
            fix=(
                Fix("dmesg | grep -iE 'devdrv|davinci|ascend' | grep -iE 'err|fail|timeout' | tail -30"),
                Fix("npu-smi info; lspci -d 19e5: | wc -l", say("which card is absent?")),
                reboot(),
                Fix(note=say("power the machine off and on if a reboot does not help")),
            ),
            sources=("hicann/driver: src/sdk_driver/pcie",),
        )
