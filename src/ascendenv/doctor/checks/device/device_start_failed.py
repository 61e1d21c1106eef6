"""The device-side service does not start: 507033, TsdOpen failed, E39007."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device import explanations as explain
from ascendenv.doctor.checks.device.chips import failing_devices, full_chips, names_of
from ascendenv.doctor.checks.device.pairing import driver_is_too_old
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals

__all__ = ["DeviceStartFailed"]

_CODES = ("507033", "E39007", "E39005", "E39004", "E30003", "E30005")
_SERVICE_CODES = ("E39007", "E39005", "E39004")
_TEXTS = ("device-service-start-failed", "device-start-failed")
_LEFT_BEHIND = ("EngineCore", "VLLM", "raylet", "ray::")


class DeviceStartFailed(Check):
    """A device cannot be started: 507033, "TsdOpen failed", E39007."""

    id = "DEV003"
    causes = (
        "tsd-open-failed",
        "device-open-failed",
        "device-not-released",
        "hbm-occupied",
        "driver-too-old-for-cann",
        "aicpu-package-load-failed",
        "rt-visible-devices-unset-in-pod",
        "cann-versions-mixed",
    )
    consequence_of = ("DEV002", "DEV010", "DEV012", "DEV015", "DEV016", "DEV017", "DEV018", "DEV019")

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """Weighs why the device-side service does not come up."""
        opened = [one for one in signals.of("device-open-failed") if not one.get("code")]
        found = [*signals.codes(*_CODES), *signals.of(*_TEXTS), *opened]
        if not found:
            return
        devices = failing_devices(signals)
        yield from weigh(
            self,
            _hypotheses(signals, facts, devices, old=driver_is_too_old(facts, matrix)),
            observed=_observed(devices),
            evidence=[one.evidence for one in found],
            sources=("hicann/runtime: dfx/error_manager/error_code.json", "rt_error_codes.h: 507033"),
        )


def _observed(devices: tuple[str, ...]) -> Message:
    if devices:
        return say("the device-side service of device {devices} does not start", devices=", ".join(devices))
    return say("the device-side service of a device does not start")


def _hypotheses(
    signals: Signals, facts: HostFacts, devices: tuple[str, ...], *, old: bool | None
) -> list[Hypothesis]:
    """What the text itself names stands first; who fills or holds the card comes from the other facts."""
    full = full_chips(facts, devices[0] if devices else "")
    service, opening = _service_fails(), _opening_fails()
    left = bool(signals.codes("E30003") or _left_behind(facts))
    again = bool(signals.first("worked-on-next-try"))
    named = bool(signals.first("device-service-start-failed") or signals.codes(*_SERVICE_CODES))
    return [
        service if named else opening,
        explain.held_by_process(
            supported=True if left or again else None,
            because=say("the next try works")
            if again
            else say("processes of an earlier engine are still on the cards"),
        ),
        explain.memory_taken(
            supported=True if full else None,
            because=say("the HBM of {chips} is nearly full", chips=names_of(full)),
        ),
        explain.driver_too_old(
            supported=old, because=say("the table of releases does not pair this driver with this CANN")
        ),
        opening if named else service,
        _package_refused(),
        _two_toolkits(),
    ]


def _left_behind(facts: HostFacts) -> bool:
    """Engine processes on the cards; they belong to another job when the one that failed never got a device."""
    return any(
        process.name.startswith(_LEFT_BEHIND) for process in known(facts.npu_processes) or () if process.name
    )


def _service_fails() -> Hypothesis:
    return Hypothesis(
        "tsd-open-failed",
        say("The service on the device side does not start"),
        ask=say(
            "does it fail on every card (driver and CANN), or on one card only (leftover process, sick chip)?"
        ),
        fix=(
            Fix("npu-smi info", say("health, processes and HBM of the card")),
            Fix(
                "echo $ASCEND_OPP_PATH $ASCEND_AICPU_PATH", say("both must lie in the CANN that the job uses")
            ),
            Fix(
                "grep -rE 'ERROR.*(TDT|TSD|DRV)' ~/ascend/log/debug | tail -20",
                say("the first error of the driver side names the reason"),
            ),
            Fix(
                "npu-smi set -t reset -i 0 -c 0",
                say("resets the idle card; no job may run on it"),
                needs_root=True,
                disruptive=True,
            ),
        ),
    )


def _opening_fails() -> Hypothesis:
    return Hypothesis(
        "device-open-failed",
        say("The device cannot be opened"),
        ask=say("does another card of this machine work? is the OS on the list of the HDK release?"),
        fix=(
            Fix("npu-smi info", say("health, processes and HBM of the card")),
            Fix("dmesg | grep -iE 'ascend|davinci' | tail -20", say("what the driver said at that moment")),
            Fix(
                "ascendenv matrix check --driver VERSION --cann VERSION --os NAME",
                say("whether the set fits"),
            ),
            Fix(
                "npu-smi set -t reset -i 0 -c 0",
                say("resets the idle card; no job may run on it"),
                needs_root=True,
                disruptive=True,
            ),
        ),
    )


def _package_refused() -> Hypothesis:
    return Hypothesis(
        "aicpu-package-load-failed",
        say("The device refuses the AI CPU package of this CANN"),
        ask=say("does the log hold E30006, E39011 or the words aicpu package?"),
    )


def _two_toolkits() -> Hypothesis:
    return Hypothesis(
        "cann-versions-mixed",
        say("Two CANN toolkits are loaded in one process"),
        ask=say("does LD_LIBRARY_PATH name more than one CANN root?"),
    )
