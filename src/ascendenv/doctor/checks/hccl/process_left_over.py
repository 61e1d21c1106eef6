"""HCCL's process on the device could not be started, usually because an earlier one is still there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.hccl.clues import lines
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals

SOURCES = ("hcomm error messages (EJ0001)", "HCCL FAQ: EJ0001", "verl-project/verl pull request 332")


class ProcessLeftOver(Check):
    """HCCL's process (HCCP) did not start on a device."""

    id = "HCC015"
    causes = ("device-not-released", "duplicate-device-ranks", "hccl-tls-mismatch")
    consequence_of = ("HCC012", "DEV015")
    rank = 4

    def check(self, signals: Signals) -> Iterator[Finding]:
        """EJ0001: an earlier job, a second rank on the device, or a certificate that is not valid."""
        found = (*signals.of("hccp-not-started"), *signals.codes("EJ0001"))
        if not found:
            return
        dated = signals.of("tls-certificate-date")
        twice = signals.of("duplicate-device", "more-ranks-than-devices")
        yield from weigh(
            self,
            (
                Hypothesis(
                    "device-not-released",
                    say("HCCL's process of an earlier job is still on the device"),
                    ask=say("does it pass some seconds after all old processes are gone?"),
                    fix=(
                        Fix(
                            "npu-smi info; ps -ef | grep -E 'python|torchrun|ray|VLLM' | grep -v grep",
                            say("what is left?"),
                        ),
                        Fix(
                            "for i in $(seq 0 7); do hccn_tool -i $i -process -g; done",
                            say("is hccp still there?"),
                            needs_root=True,
                        ),
                        Fix(
                            "kill -9 <pid>; sleep 10",
                            say("end what is left over, wait, start again"),
                            disruptive=True,
                        ),
                    ),
                ),
                Hypothesis(
                    "duplicate-device-ranks",
                    say("Two ranks of one job start on the same device"),
                    supported=True if twice else None,
                    because=say("another line shows more ranks than devices") if twice else None,
                    ask=say("does it fail every time? Then count: processes a node and cards a node"),
                    fix=(
                        Fix(
                            "torchrun --nproc_per_node=<number of cards> ...",
                            say("not more processes than cards"),
                        ),
                    ),
                ),
                Hypothesis(
                    "hccl-tls-mismatch",
                    say("The clock of the host is outside the time of the TLS certificates"),
                    supported=bool(dated),
                    because=say("the device log says that a certificate is not valid yet, or no longer"),
                    fix=(Fix("timedatectl set-ntp true; date", say("sets the clock"), needs_root=True),),
                ),
            ),
            observed=say("HCCL's process could not be started on a device (EJ0001)"),
            evidence=lines((*found, *dated)),
            sources=SOURCES,
        )
