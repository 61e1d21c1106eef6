"""DRV009: driver and firmware do not belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.traces import cards_answer, device_symptoms
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.fixes import reboot
from ascendenv.facts.unknown import known
from ascendenv.language import say
from ascendenv.matrix.relations import Given, Level, judge
from ascendenv.versions import InvalidVersion, vendor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import DriverInfo, HostFacts
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals
    from ascendenv.versions import Version

OWN_SCHEME = 20
"""Firmware versions begin with a number below this (7.7.0.1.231); a higher one is an HDK name that people wrote."""


class FirmwareMismatch(Check):
    """The firmware is outside the range that the driver states."""

    id = "DRV009"
    causes = ("driver-firmware-mismatch",)
    rank = 9

    def check(
        self,
        signals: Signals,
        facts: HostFacts,
        matrix: Matrix,
        firmware: Version | None = None,
        driver_info: DriverInfo | None = None,
    ) -> Iterator[Finding]:
        """The installer's word is an error; versions alone that do not fit are a warning."""
        told = signals.of("firmware-driver-differ")
        expected = _unmet(matrix, facts, firmware, driver_info)
        failing = () if cards_answer(facts) else device_symptoms(signals)
        if not told and expected is None:
            return
        yield self.finding(
            title=say("Driver and firmware do not belong together"),
            observed=say(
                "driver {driver}, firmware {firmware}",
                driver=facts.driver or say("unknown"),
                firmware=firmware or say("unknown"),
            )
            if facts.driver or firmware
            else say("driver and firmware are said not to match"),
            expected=expected,
            why=say("the firmware in the card and the driver on the host talk a protocol of one release"),
            severity=Severity.ERROR if told or failing else Severity.WARNING,
            confidence=Confidence.CERTAIN if told else Confidence.LIKELY,
            evidence=(
                *(one.evidence for one in (*told, *failing)),
                *facts.seen("firmware", "driver", "driver_info"),
            ),
            fix=(
                Fix("grep -H . /usr/local/Ascend/{driver,firmware}/version.info | grep -iE 'version'"),
                Fix(
                    "bash Ascend-hdk-*-npu-firmware_*.run --upgrade",
                    say("the firmware of the same HDK release; firmware first, then the driver"),
                    needs_root=True,
                    disruptive=True,
                ),
                reboot(),
            ),
            sources=("hicann/driver: scripts/package/driver/common/scripts/ver_check.sh",),
        )


def _unmet(
    matrix: Matrix, facts: HostFacts, firmware: Version | None, driver_info: DriverInfo | None
) -> Message | None:
    """What the firmware should be, or None where it fits or is not known."""
    if firmware is None or firmware.release[0] >= OWN_SCHEME:
        return None
    if driver_info is not None and driver_info.compatible_firmware is not None:
        low, high = driver_info.compatible_firmware
        fits = _within(firmware, low, high)
        return None if fits else say("firmware between {low} and {high}", low=low, high=high)
    if not facts.driver:
        return None
    judged = judge(matrix, Given(driver=facts.driver, firmware=firmware, chip=known(facts.chip)))
    pair = judged.of("driver-firmware")
    broken = any(one.level == Level.BROKEN for one in pair)
    return say("the firmware of the driver's HDK release") if broken else None


def _within(firmware: Version, low: str, high: str) -> bool:
    try:
        return vendor(low) <= firmware <= vendor(high)
    except InvalidVersion:
        return True
