"""A slice of a card (vNPU, soft slice) was set up wrongly or cannot do what is asked of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.explanations import virtual_device
from ascendenv.doctor.checks.device.symptoms import symptoms
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal, Signals

__all__ = ["VnpuMisconfigured"]

_TASK_TYPE = "507009"
_TEMPLATE = re.compile(r"vir\d{2}\w*")
_SLICE = re.compile(r"Ascend\w+(?:-\d)?-(?:memory|core|\d+c)")


class VnpuMisconfigured(Check):
    """A virtual NPU or a slice of a card is set up wrongly."""

    id = "DEV014"
    causes = ("vnpu-misconfigured",)
    rank = 5

    def check(self, signals: Signals) -> Iterator[Finding]:
        """Fires on a mode that does not fit, a slice that cannot be made, and a task type that a slice cannot run."""
        found = _what_fails(signals)
        if found is None:
            return
        observed, proof, confidence, severity = found
        explanation = virtual_device()
        yield self.finding(
            title=say("A virtual NPU or a slice of a card is set up wrongly"),
            observed=observed,
            expected=say("a template of this very chip, and the same sharing mode on node, plugin and pod"),
            why=say(
                "slices exist for some chips and drivers only, and run fewer kinds of tasks than a whole card"
            ),
            confidence=confidence,
            severity=severity,
            evidence=[one.evidence for one in proof],
            fix=explanation.fix,
            sources=(
                "https://github.com/Project-HAMi/HAMi/issues/1941",
                "https://github.com/Project-HAMi/HAMi/issues/1846",
                "https://github.com/Project-HAMi/HAMi/issues/1497",
            ),
        )


def _what_fails(signals: Signals) -> tuple[Message, tuple[Signal, ...], Confidence, Severity] | None:
    named = (*signals.of("virtual-device-named"), *_slices(signals))
    if unfit := signals.of("sharing-mode-unfit"):
        observed = say("the node is not in the sharing mode that the pod asks for")
        return observed, unfit, Confidence.LIKELY, Severity.ERROR
    if failed := signals.of("virtual-device-failed"):
        return (
            say("the virtual device could not be made"),
            (*failed, *named),
            Confidence.LIKELY,
            Severity.ERROR,
        )
    if task := signals.codes(_TASK_TYPE):
        sure = Confidence.LIKELY if named else Confidence.POSSIBLE
        return (
            say("the device does not support this kind of task (507009)"),
            (*task, *named),
            sure,
            Severity.ERROR,
        )
    if _asked_for(signals) and not symptoms(signals):
        observed = say("the pod is given a slice of a card; its size follows the template of the chip")
        return observed, named, Confidence.POSSIBLE, Severity.INFO
    return None


def _asked_for(signals: Signals) -> bool:
    template = any(_TEMPLATE.fullmatch(one.get("name")) for one in signals.of("virtual-device-named"))
    return template or (bool(_slices(signals)) and bool(signals.of("virtual-device-named")))


def _slices(signals: Signals) -> tuple[Signal, ...]:
    return tuple(one for one in signals.of("pod-device-request") if _SLICE.fullmatch(one.get("resource")))
