"""The host ran out of memory and a process was ended for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals


class HostMemoryExhausted(Check):
    """The memory of the host (not of the NPU) was used up."""

    id = "SYS008"
    causes = ("host-out-of-memory",)
    rank = 2

    def check(self, signals: Signals) -> Iterator[Finding]:
        """The kernel's out-of-memory killer, an allocation that failed, or a process that got SIGKILL."""
        killed = signals.of("host-oom-kill")
        refused = signals.of("host-memory-refused")
        ended = signals.of("process-killed")
        found = (*killed, *refused, *ended)
        if not found:
            return
        process = next((name for one in killed if (name := one.get("process"))), "")
        yield self.finding(
            confidence=_confidence(bool(killed), bool(refused)),
            title=say("The host ran out of memory (RAM, not NPU memory)"),
            observed=say("the kernel ended {process}", process=process)
            if process
            else say("a process was ended with signal 9, or could not get host memory"),
            expected=say("free memory on the host, and a container limit above what the job needs"),
            why=say(
                "loading checkpoints on every rank, large host caches, and many data loader workers take host"
                " memory; the kernel or the container's limit then ends the largest process without a traceback"
            ),
            evidence=(one.evidence for one in found),
            fix=(
                Fix("dmesg -T | grep -iE 'out of memory|oom-kill' | tail", say("proves it"), needs_root=True),
                Fix(
                    "free -h; cat /sys/fs/cgroup/memory.max", say("what there is, and the container's limit")
                ),
                Fix(
                    note=say(
                        "fewer workers and smaller host caches, load weights rank by rank, or raise the limit"
                    )
                ),
            ),
            sources=("Linux kernel: out-of-memory killer",),
        )


def _confidence(killed: bool, refused: bool) -> Confidence:
    if killed:
        return Confidence.CERTAIN
    return Confidence.LIKELY if refused else Confidence.POSSIBLE
