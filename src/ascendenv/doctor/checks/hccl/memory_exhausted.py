"""HCCL found no memory on the device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.hccl.clues import first_field, lines
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals


class MemoryExhausted(Check):
    """HCCL could not get memory or another resource on the NPU."""

    id = "HCC016"
    causes = ("hccl-memory-exhausted",)
    rank = 3

    def check(self, signals: Signals) -> Iterator[Finding]:
        """EI0011 (queue pairs) and EI0007 (buffers, notifies)."""
        found = (*signals.of("hccl-resource-exhausted"), *signals.codes("EI0007", "EI0011"))
        if not found:
            return
        what = first_field(found, "resource", "size")
        yield self.finding(
            confidence=Confidence.LIKELY,
            title=say("HCCL found no memory left on the NPU"),
            observed=say("not to be had: {what}", what=what) if what else say("an allocation of HCCL failed"),
            expected=say("about 2 x HCCL_BUFFSIZE MB free for each communicator, and room for queue pairs"),
            why=say(
                "weights and caches were given nearly all memory of the card before HCCL made its buffers; every"
                " process group takes its own"
            ),
            evidence=lines(found),
            fix=(
                Fix("npu-smi info", say("is another process on the card?")),
                Fix(
                    "export HCCL_BUFFSIZE=120",
                    say("less for each communicator (default 200 MB, taken twice)"),
                ),
                Fix(
                    note=say(
                        "leave more room: a lower --gpu-memory-utilization, a smaller batch, fewer process groups"
                    )
                ),
            ),
            sources=("hcomm error messages (EI0007, EI0011)", "HCCL user guide: queue pair memory"),
        )
