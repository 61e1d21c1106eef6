"""DRV003: the driver or firmware was changed and the machine not restarted since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.traces import cards_answer, device_symptoms
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.fixes import reboot
from ascendenv.facts.unknown import Unknown
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, KernelState
    from ascendenv.language import Message
    from ascendenv.signals.model import Signals
    from ascendenv.versions import Version


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
        waits = _waits(facts)
        since = None if _runs(facts) else _written_since_start(kernel_state)
        announced = signals.of("driver-reboot-due") if symptoms or since is not False else ()
        told = signals.of("driver-was-upgraded")
        if not announced and not since and not waits and not (told and symptoms):
            return
        yield self.finding(
            title=say("Driver or firmware was changed and the machine was not restarted since"),
            observed=waits
            or (
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
            severity=Severity.ERROR if symptoms else Severity.WARNING if waits else Severity.INFO,
            confidence=Confidence.LIKELY,
            evidence=(
                *(one.evidence for one in (*symptoms, *announced, *told)),
                *(facts.seen("driver", "driver_on_disk", "firmware", "firmware_on_disk") if waits else ()),
                *(facts.seen("kernel_state") if since else ()),
            ),
            fix=(
                Fix("uptime -s; stat -c %y /etc/ascend_install.info", say("which of the two is newer?")),
                reboot(),
            ),
            sources=("hicann/driver: scripts/package/driver/common/scripts/install.sh",),
        )


def _pairs(facts: HostFacts) -> Iterator[tuple[str, Version, Version]]:
    """(part, running, on disk) for what both is known of, on a box whose cards answer."""
    if not cards_answer(facts):
        return
    for part, running, written in (
        ("driver", facts.driver, facts.driver_on_disk),
        ("firmware", facts.firmware, facts.firmware_on_disk),
    ):
        if not isinstance(running, Unknown) and not isinstance(written, Unknown):
            yield part, running, written


def _waits(facts: HostFacts) -> Message | None:
    """What runs in another version than lies on disk."""
    for part, running, written in _pairs(facts):
        if not _same(running, written):
            return say(
                "{part} {running} is running, {written} is on disk",
                part=part,
                running=running,
                written=written,
            )
    return None


def _runs(facts: HostFacts) -> bool:
    """Whether all that can be compared runs as it lies on disk."""
    pairs = list(_pairs(facts))
    return bool(pairs) and all(_same(running, written) for _, running, written in pairs)


def _same(one: Version, other: Version) -> bool:
    """Whether both name one build; npu-smi may leave out what comes behind a release, as in 25.3.rc1 for 25.3.rc1.2."""
    shorter, longer = sorted((str(one).lower(), str(other).lower()), key=len)
    return longer == shorter or longer.startswith(f"{shorter}.")


def _written_since_start(state: KernelState | None) -> bool | None:
    """Whether the driver's files were written after the machine was started; None where one of the times is unknown."""
    if state is None or state.boot_time is None or state.driver_written is None:
        return None
    return state.driver_written > state.boot_time
