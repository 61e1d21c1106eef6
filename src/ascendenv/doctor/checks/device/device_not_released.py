"""A process of an earlier job still holds the device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.explanations import held_by_process
from ascendenv.doctor.checks.device.symptoms import symptoms
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals

__all__ = ["DeviceNotReleased"]

_STILL_ALIVE = ("EJ0001", "E30003")
_MEMORY = ("device-memory-short", "device-memory-shared", "device-memory-taken")
_PLAIN = ("僵尸进程", "残留进程", "进程残留", "HCCP", "释放", "released", "freed", "still ")
"""Words that mean a job on the device, also where no process is named."""


class DeviceNotReleased(Check):
    """A job that ended or was killed has left a process on the device."""

    id = "DEV015"
    causes = ("device-not-released",)
    consequence_of = ("DEV010",)
    rank = 6

    def check(self, signals: Signals) -> Iterator[Finding]:
        """Fires on the codes for a living helper process, and on a zombie or leftover that is named."""
        alive = signals.codes(*_STILL_ALIVE)
        left = _left(signals)
        seen = (*symptoms(signals), *signals.of(*_MEMORY))
        if not alive and not left:
            return
        explanation = held_by_process()
        yield self.finding(
            title=explanation.title,
            observed=say("a process of an earlier job is still alive on the device"),
            expected=say("no process and only idle HBM on the card before the next job starts"),
            why=say(
                "killing one process leaves its children and the device-side helpers alive for a while, or as zombies"
            ),
            confidence=Confidence.LIKELY,
            severity=Severity.ERROR if alive or seen else Severity.WARNING,
            evidence=[one.evidence for one in (*alive, *left, *seen)],
            fix=explanation.fix,
            sources=(
                "hicann/runtime: dfx/error_manager/error_code.json, E30003",
                "https://github.com/vllm-project/vllm-ascend/issues/9888",
            ),
        )


def _left(signals: Signals) -> tuple[Signal, ...]:
    """Leftovers that are plainly processes of a job: the word zombie alone may mean anything."""
    return tuple(
        one
        for one in signals.of("device-process-left")
        if one.get("process") or any(word in one.get("what") for word in _PLAIN)
    )
