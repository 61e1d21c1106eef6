"""Packets between NPUs of two servers were lost."""

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


class PacketLoss(Check):
    """The network between two NPUs loses packets, or its peer vanished."""

    id = "HCC014"
    causes = ("hccl-packet-loss",)
    consequence_of = ("HCC005",)
    rank = 3

    def check(self, signals: Signals) -> Iterator[Finding]:
        """An error completion (CQE) of RoCE or UB: packets were sent again until the limit was reached."""
        found = signals.of("roce-packet-lost")
        codes = signals.codes("EI0013", "EI0018")
        if not found and not codes:
            return
        peer, device = first_field(found, "peer"), first_field(found, "device")
        yield self.finding(
            confidence=Confidence.LIKELY,
            title=say("The network between NPUs lost packets until a transfer failed"),
            observed=say("no answer from server {server}, device {device}", server=peer, device=device)
            if peer
            else say("error CQE: packets were sent again until the limit was reached"),
            expected=say("a link without flaps, and flow control (PFC, DSCP) that fits the switch"),
            why=say(
                "a port that went down for a moment, congestion with flow control set differently on switch and"
                " server, or a peer process that ended first"
            ),
            evidence=lines((*found, *codes)),
            fix=(
                Fix(
                    "for i in $(seq 0 7); do hccn_tool -i $i -link_stat -g; done",
                    say("when was a port down?"),
                    needs_root=True,
                ),
                Fix(
                    "hccn_tool -i 0 -stat -g | grep -E 'roce_new_pkt_rty|pfc|err'",
                    say("packets sent again, pauses"),
                    needs_root=True,
                ),
                Fix(
                    "export HCCL_RDMA_TC=132 HCCL_RDMA_SL=4",
                    say("as agreed with the switch; these are the defaults"),
                ),
                Fix(
                    "export HCCL_RDMA_TIMEOUT=20 HCCL_RDMA_RETRY_CNT=7",
                    say("the defaults; smaller values give up too soon"),
                ),
                Fix(note=say("look at the peer first: if it ended before, its own error is the cause")),
            ),
            sources=("HCCL user guide: error CQE (EI0013)", "HCCL Test FAQ: bandwidth drops to zero"),
        )
