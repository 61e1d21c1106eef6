"""DRV003: the driver or firmware was changed and the machine not restarted since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.traces import cards_answer, device_symptoms
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.fixes import reboot
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, KernelState
    from ascendenv.signals.model import Signals


class RebootPending(Check):
    """The installer asked for a reboot that has not happened yet."""

    id = "DRV003"
    causes = ("reboot-needed-after-upgrade",)
    rank = 6

    def check(
        self, signals: Signals, facts: HostFacts, kernel_state: KernelState | None = None
    ) -> Iterator[Finding]:
        """An announced reboot explains devices that do not answer; without such a symptom it is advice."""
        symptoms = () if cards_answer(facts) else device_symptoms(signals)
        since = _written_since_start(kernel_state)
        announced = signals.of("driver-reboot-due") if symptoms or since is not False else ()
        told = signals.of("driver-was-upgraded")
        if not announced and not since and not (told and symptoms):
            return
        yield self.finding(
            title=say("Driver or firmware was changed and the machine was not restarted since"),
            observed=(
                say("the installer asks for a reboot, and the devices do not answer")
                if announced and symptoms
                else say("the devices do not answer after an upgrade of the driver")
                if symptoms
                else say("the installer asks for a reboot")
                if announced
                else say("the files of the driver are newer than the last start of the machine")
            ),
            why=say(
                "old modules stay in the kernel until they are reloaded; new libraries do not talk to them"
            ),
            severity=Severity.ERROR if symptoms else Severity.INFO,
            confidence=Confidence.LIKELY,
            evidence=(
                *(one.evidence for one in (*symptoms, *announced, *told)),
                *(facts.seen("kernel_state") if since else ()),
            ),
            fix=(
                Fix("uptime -s; stat -c %y /etc/ascend_install.info", say("which of the two is newer?")),
                reboot(),
            ),
            sources=("hicann/driver: scripts/package/driver/common/scripts/install.sh",),
        )


def _written_since_start(state: KernelState | None) -> bool | None:
    """Whether the driver's files were written after the machine was started; None where one of the times is unknown."""
    if state is None or state.boot_time is None or state.driver_written is None:
        return None
    return state.driver_written > state.boot_time
