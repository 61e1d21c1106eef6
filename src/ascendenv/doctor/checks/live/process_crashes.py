"""The process of the live probe dies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.live.steps import stack_lines, words_for
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.live import LiveResult

__all__ = ["ProcessCrashes"]


class ProcessCrashes(Check):
    """With --live: Python dies while torch or torch_npu is imported or used."""

    id = "LIV003"
    causes = ("live-process-crashes",)
    consequence_of = (
        *("TOR001", "TOR002", "TOR005", "TOR007", "CAN001", "CAN004", "CAN017", "CAN019", "CAN020", "CAN022"),
        *("ATB002", "ATB003", "ATB004", "SYS002", "SYS003", "SYS004", "SYS008"),
    )

    def check(self, live: LiveResult) -> Iterator[Finding]:
        """The step in which it died, and the innermost Python frames."""
        step = live.stopped_in
        if live.end != "crashed" or step is None:
            return
        yield self.finding(
            confidence=Confidence.LIKELY,
            title=say("Python dies here: {step}", step=words_for(step)),
            observed=say("the process ended with {reason}", reason=live.reason),
            expected=say("an exception at worst"),
            why=say(
                "libraries that were built for other versions, or two copies of one, meet in one process"
            ),
            evidence=stack_lines(live),
            fix=(
                Fix(
                    "echo $LD_LIBRARY_PATH | tr ':' '\\n'",
                    say("folders of one CANN only, and none of another Python"),
                ),
                Fix(
                    f"gdb -batch -ex run -ex bt --args {live.python} -c 'import torch, torch_npu'",
                    say("the library in the topmost frames is the one that does not fit"),
                ),
            ),
            sources=("the live probe",),
        )
