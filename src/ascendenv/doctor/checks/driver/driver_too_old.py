"""DRV008: the driver is older than the CANN that runs on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.age import age_of
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.fixes import upgrade_driver
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.checks.driver.age import Age
    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

NOT_SUPPORTED = ("65534", "207000")
"""DRV_ERROR_NOT_SUPPORT of the driver and ACL_ERROR_RT_FEATURE_NOT_SUPPORT of the runtime: the driver lacks a call."""
REPLAY_FAULTS = ("507000", "507899", "207008", *NOT_SUPPORTED)
OWN_FUNCTIONS = ("hal", "drv", "dsmi_", "dcmi_")
"""How the functions begin that the libraries of the driver define."""


@dataclass(frozen=True)
class Symptom:
    """Lines that an old driver causes, and how far they alone prove it."""

    lines: tuple[Signal, ...]
    told: Message
    alone: Confidence


class DriverTooOld(Check):
    """The driver is older than this CANN or torch_npu needs."""

    id = "DRV008"
    causes = ("driver-too-old-for-cann",)
    consequence_of = ("DRV003", "CHP004")
    rank = 4

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """With a symptom it is an error; the table alone gives a warning or advice."""
        age = age_of(matrix, known(facts.driver), known(facts.cann), known(facts.chip))
        symptom = _symptom(signals)
        if symptom is None:
            if age is not None and (age.rejected or age.far_behind):
                yield self._finding(facts, matrix, age, None)
            return
        certain = symptom.alone == Confidence.CERTAIN
        if age is not None and age.suspect is False and not certain:
            return
        yield self._finding(facts, matrix, age, symptom)

    def _finding(self, facts: HostFacts, matrix: Matrix, age: Age | None, symptom: Symptom | None) -> Finding:
        cann = known(facts.cann)
        return self.finding(
            title=say("The driver is too old for the software that runs on it"),
            observed=symptom.told if symptom else _pair(facts),
            expected=say("driver {wanted} for CANN {cann}", wanted=age.wanted, cann=cann)
            if age and age.wanted
            else None,
            why=_pair(facts) if symptom and age and age.suspect else None,
            severity=_severity(age, symptom),
            confidence=_confidence(age, symptom),
            evidence=(
                *((one.evidence for one in symptom.lines) if symptom else ()),
                *facts.seen("driver", "cann"),
            ),
            fix=(
                Fix("npu-smi info | head -3; cat /usr/local/Ascend/driver/version.info"),
                *upgrade_driver(matrix, cann=cann, chip=known(facts.chip), arch=known(facts.arch)),
                Fix(note=say("or run the CANN release or image that is paired with this driver")),
            ),
            sources=("vllm-project/vllm-ascend issue 4972", "Ascend/pytorch: torch_npu/csrc/npu/Module.cpp"),
        )


def _severity(age: Age | None, symptom: Symptom | None) -> Severity:
    """An error with a symptom; else a warning where the table says no, advice where it names a newer generation."""
    if symptom is not None:
        return Severity.ERROR
    return Severity.WARNING if age is not None and age.rejected else Severity.INFO


def _confidence(age: Age | None, symptom: Symptom | None) -> Confidence:
    if symptom is None:
        return Confidence.LIKELY if age is not None and age.rejected else Confidence.POSSIBLE
    if age is not None and age.suspect:
        return Confidence.CERTAIN if symptom.alone == Confidence.CERTAIN else Confidence.LIKELY
    return min(symptom.alone, Confidence.LIKELY)


def _pair(facts: HostFacts) -> Message:
    return say("driver {driver} with CANN {cann}", driver=facts.driver, cann=facts.cann)


def _symptom(signals: Signals) -> Symptom | None:
    """The strongest sign of an old driver, or None."""
    return next((one for one in _symptoms(signals) if one.lines), None)


def _symptoms(signals: Signals) -> Iterator[Symptom]:
    yield Symptom(
        signals.of("driver-said-too-old", "driver-version-differs"),
        say("the program says that the driver is too old or does not match"),
        Confidence.CERTAIN,
    )
    yield Symptom(
        tuple(one for one in signals.of("host-register-failed") if one.get("code") in NOT_SUPPORTED),
        say("the driver does not know how to register host memory"),
        Confidence.CERTAIN,
    )
    yield Symptom(
        tuple(one for one in signals.of("undefined-symbol") if one.get("symbol").startswith(OWN_FUNCTIONS)),
        say("CANN calls a function that the driver's library does not have"),
        Confidence.LIKELY,
    )
    yield Symptom(
        (*signals.codes("drv:65534", "207000"), *_demanded(signals)),
        say("the driver does not support a call that the software makes"),
        Confidence.LIKELY,
    )
    yield Symptom(
        signals.of("driver-newer-helps"),
        say("the same is said to work with another driver"),
        Confidence.LIKELY,
    )
    yield Symptom(
        tuple(one for one in signals.of("graph-replay-failed") if one.get("code") in REPLAY_FAULTS),
        say("capturing or replaying a graph fails in the runtime"),
        Confidence.POSSIBLE,
    )
    yield Symptom(
        (*signals.codes("507014"), *_core_timeouts(signals)),
        say("a kernel on the AI core runs into its time limit"),
        Confidence.POSSIBLE,
    )
    yield Symptom(
        signals.of("trace-watchdog"),
        say("the process hangs until the watchdog of the trace ends"),
        Confidence.POSSIBLE,
    )
    yield Symptom(
        signals.of("host-register-failed"), say("registering host memory fails"), Confidence.POSSIBLE
    )


def _demanded(signals: Signals) -> tuple[Signal, ...]:
    """Lines that stop a program for a feature; those that only warn and go on are none."""
    return tuple(one for one in signals.of("driver-lacks-feature") if "warn" not in one.evidence.text.lower())


def _core_timeouts(signals: Signals) -> tuple[Signal, ...]:
    return tuple(one for one in signals.of("kernel-timeout") if one.get("kind").startswith("aicore"))
