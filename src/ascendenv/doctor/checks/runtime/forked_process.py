"""A forked child uses the NPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals


class ForkedProcess(Check):
    """A child process that was forked uses an NPU that its parent had already opened."""

    id = "RUN006"
    causes = ("npu-in-forked-process",)

    def check(self, signals: Signals) -> Iterator[Finding]:
        """torch_npu's own words, or an empty context in a child."""
        found = [one for one in signals.of("npu-forked") if one.get("backend") == "NPU"]
        if not found:
            return
        yield self.finding(
            confidence=Confidence.CERTAIN,
            title=say("A forked process uses the NPU"),
            observed=say("the NPU was opened before the process was forked"),
            expected=say("children that are started fresh (spawn), or a parent that does not touch the NPU"),
            why=say(
                "the connection to the driver belongs to one process; a fork copies it without its threads"
            ),
            evidence=(one.evidence for one in found),
            fix=(
                Fix("export VLLM_WORKER_MULTIPROC_METHOD=spawn", say("vLLM")),
                Fix(
                    "torch.multiprocessing.set_start_method('spawn', force=True)",
                    say(
                        "in the script, below `if __name__ == '__main__':` and before the first use of the NPU"
                    ),
                ),
            ),
            sources=("torch_npu: lazy initialisation",),
        )
