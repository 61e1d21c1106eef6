"""Two ranks claim the same device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.hccl.clues import first_field, lines
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals

SOURCES = ("HCCL user guide: superDeviceId (EI0014)", "hcomm: cluster information check")


class DuplicateDevice(Check):
    """Two ranks run on one device, or two devices have the same id in a super node."""

    id = "HCC012"
    causes = ("duplicate-device-ranks",)
    rank = 7

    def check(self, signals: Signals) -> Iterator[Finding]:
        """HCCL compares devices, addresses and rank ids of all ranks when a communicator is made."""
        ids = signals.of("duplicate-rank-id")
        found = (*signals.of("duplicate-device"), *_same_card(signals), *ids)
        if not found:
            return
        rank, other = first_field(found, "rank"), first_field(found, "other")
        yield self.finding(
            confidence=Confidence.CERTAIN,
            title=say("Two ranks have the same rank number")
            if ids and len(found) == len(ids)
            else say("Two ranks use the same device"),
            observed=say("rank {rank} and rank {other} share a device", rank=rank, other=other)
            if rank and other
            else say("a device or rank number is there twice"),
            expected=say("one rank a device, and ids that are unique in the job"),
            why=say(
                "more processes than cards, a script that always takes card 0, ranks started twice, or (A3) two"
                " super nodes that were given one HCCL_LOGIC_SUPERPOD_ID"
            ),
            evidence=lines(found),
            fix=(
                Fix("npu-smi info", say("how many cards there are, and which processes are on them")),
                Fix("torchrun --nproc_per_node=<number of cards> ...", say("not more processes than cards")),
                Fix(
                    "python -c \"import os, torch, torch_npu; torch.npu.set_device(int(os.environ['LOCAL_RANK']))\"",
                    say("every process must take the card of its LOCAL_RANK before it makes a process group"),
                ),
                Fix("npu-smi info -t spod-info -i 0 -c 0", say("A3: the SDID of a chip; it must be unique")),
                Fix("unset HCCL_LOGIC_SUPERPOD_ID", say("unless super nodes are meant to be joined")),
            ),
            sources=SOURCES,
        )


def _same_card(signals: Signals) -> list[Signal]:
    """Equal device addresses on one node: it is one card, not a conflict of addresses."""
    repeated = signals.of("device-ip-repeated")
    return [one for one in repeated if one.get("node") and one.get("node") == one.get("other_node")]
