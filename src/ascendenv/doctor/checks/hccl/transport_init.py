"""The link between two ranks could not be set up."""

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

SOURCES = ("hcomm error messages (EI0009, EI0010)", "vllm-ascend issue 3162")


class TransportInit(Check):
    """The link between two ranks could not be set up."""

    id = "HCC011"
    causes = ("hccl-transport-init",)
    consequence_of = (
        *("HCC001", "HCC002", "HCC003", "HCC004", "HCC005", "HCC006"),
        *("HCC007", "HCC008", "HCC009", "HCC010", "HCC012", "HCC015", "HCC016"),
    )

    def check(self, signals: Signals) -> Iterator[Finding]:
        """EI0009 or EI0010: the reason is usually on the other side."""
        codes = signals.codes("EI0009", "EI0010")
        p2p = signals.of("p2p-failed", "hccl-transport-told")
        named = [one for one in signals.of("hccl-link-failed") if one.get("reason")]
        transfers = signals.of("transfer-link-failed")
        found = (*named, *p2p, *codes, *transfers)
        if not found:
            return
        rank, peer = first_field(named, "rank"), first_field(named, "peer_rank")
        yield self.finding(
            confidence=Confidence.POSSIBLE if len(found) == len(transfers) else Confidence.LIKELY,
            title=say("The link between two ranks could not be set up"),
            observed=say("rank {rank} has no link to rank {peer}", rank=rank, peer=peer)
            if rank and peer
            else say("HCCL could not initialise the transport"),
            expected=say("both ends alive, on different NPUs that see each other"),
            why=say(
                "this end only says that the link failed; the other end has the reason: a port that is down, the"
                " same NPU used twice, an error before, or memory that could not be had"
            ),
            evidence=lines(found),
            fix=_STEPS,
            sources=SOURCES,
        )


_STEPS = (
    Fix(
        "grep -rhE 'ERROR' ~/ascend/log/debug/plog | head -50",
        say("at the other end: its first error decides"),
    ),
    Fix("npu-smi info", say("is each rank on a card of its own?")),
    Fix(
        "for i in $(seq 0 7); do hccn_tool -i $i -link -g; done",
        say("between servers: ports UP?"),
        needs_root=True,
    ),
    Fix("npu-smi info -t topo", say("inside a server: how the two cards are connected")),
    Fix("export HCCL_INTRA_ROCE_ENABLE=1", say("when direct access between two cards (P2P) is what fails")),
)
