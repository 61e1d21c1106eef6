"""A step of the live probe does not come to an end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.live.steps import stack_lines, words_for
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.live import LiveResult, LiveStep
    from ascendenv.language import Message

__all__ = ["StepHangs"]

_IMPORTS = ("torch", "torch_npu")


class StepHangs(Check):
    """With --live: importing torch or torch_npu, or a step after it, does not end in time."""

    id = "LIV002"
    causes = ("live-step-hangs",)
    consequence_of = ("DEV017", "DEV018", "DEV019", "DRV003", "DRV019")

    def check(self, live: LiveResult) -> Iterator[Finding]:
        """The step in which the process stood when its time was over."""
        step = live.stopped_in
        if live.end != "timeout" or step is None:
            return
        yield self.finding(
            confidence=Confidence.CERTAIN,
            title=say("This does not come to an end: {step}", step=words_for(step)),
            observed=say("it had not ended after {seconds} s and was killed", seconds=round(live.seconds)),
            expected=say(
                "some seconds; the first use of a card may take minutes while operators are compiled"
            ),
            why=_why(step),
            evidence=stack_lines(live),
            fix=(
                Fix(
                    "ps -eo pid,stat,wchan:32,args | awk '$2 ~ /D/'",
                    say("processes that wait for the driver or a disk in the kernel"),
                ),
                Fix("dmesg -T | tail -50", say("what the driver said at that time"), needs_root=True),
                Fix(
                    f"ascendenv doctor --live --live-seconds {round(live.seconds) * 4}",
                    say("more time, to tell slow from stuck"),
                ),
            ),
            sources=("the live probe",),
        )


def _why(step: LiveStep) -> Message:
    if step.name in _IMPORTS:
        return say(
            "the files come from a slow or dead network disk, or a library waits for the driver while it loads"
        )
    return say("the driver or the card does not answer; a sick card can hold up the calls for all others")
