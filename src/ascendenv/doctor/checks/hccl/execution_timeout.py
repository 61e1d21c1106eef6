"""A collective started and one rank never took part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.hccl.clues import lines
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal, Signals

_WAITED = ("notify-wait-timeout", "cluster-exception")
SOURCES = (
    "hcomm error messages (EI0002)",
    "HCCL user guide: execution stage",
    "vllm-ascend issues 1193 and 1443",
    "Ascend/pytorch issues 48, 54, 62",
)


class ExecutionTimeout(Check):
    """A collective waited for a rank until its time was over."""

    id = "HCC013"
    causes = ("hccl-rank-missing", "hccl-notify-timeout", "hccl-connect-timeout")
    consequence_of = (
        *("DRV008", "DEV017", "DEV019"),
        *("HCC005", "HCC007", "HCC008", "HCC009", "HCC010", "HCC012", "HCC014"),
    )

    def check(self, signals: Signals) -> Iterator[Finding]:
        """EI0002, 507048 and HCCL's heartbeat; 507046 alone may have other reasons."""
        strong = (*signals.of(*_WAITED), *signals.codes("EI0002", "507048"))
        weak = (*signals.of("collective-failed"), *signals.codes("507046", "507047", "EE1002"))
        if not strong and not weak:
            return
        yield self.finding(
            cause="hccl-rank-missing" if strong else "hccl-notify-timeout",
            confidence=Confidence.LIKELY if strong else Confidence.POSSIBLE,
            title=say("A collective waited in vain: one rank did not take part"),
            observed=_observed(signals),
            expected=say("every rank calls the same collective within HCCL_EXEC_TIMEOUT (1836 s)"),
            why=say(
                "the rank that reports this is the one that waited. The reason is at the silent rank: an error,"
                " a crash, saving a checkpoint, uneven data, a model that took another branch, or lost packets"
            ),
            evidence=lines((*strong, *weak)),
            fix=_STEPS,
            sources=SOURCES,
        )
        yield self.finding(
            cause="hccl-connect-timeout",
            severity=Severity.WARNING,
            confidence=Confidence.POSSIBLE,
            title=say("A rank may only have come too late"),
            observed=_observed(signals),
            evidence=lines((*strong, *weak)),
            fix=_STEPS[-1:],
            sources=SOURCES,
        )


def _observed(signals: Signals) -> Message:
    located = [one for one in signals.of("cluster-exception") if one.get("location")]
    if located:
        return say(
            "HCCL names the rank at {place}: {what}", place=located[0].get("location"), what=_what(located[0])
        )
    peer = next(
        (
            one.get("peer")
            for one in signals.of("notify-wait-timeout")
            if one.get("peer") not in ("", "unknown")
        ),
        "",
    )
    return (
        say("waited for rank {rank}", rank=peer) if peer else say("a rank waited for another one and gave up")
    )


def _what(signal: Signal) -> Message:
    kind = signal.get("type").lower()
    if "stuck" in kind:
        return say("it hangs")
    return say("packets to it were lost") if "cqe" in kind else say("it is gone, or its network is")


_STEPS = (
    Fix(
        "grep -rE 'Cluster Exception Location|HeartbeatAbnormal|error cqe' ~/ascend/log | head",
        say("on any node: HCCL often names the rank that is the cause"),
    ),
    Fix(
        "for p in $(pgrep -f train); do py-spy dump --pid $p | head -20; done",
        say("while it hangs: where each rank stands; the odd one out is the cause"),
    ),
    Fix(
        "dmesg -T | tail -50",
        say("on the node of the silent rank: ended by the kernel, card lost?"),
        needs_root=True,
    ),
    Fix(
        "export HCCL_EXEC_TIMEOUT=3600",
        say("only when a rank is busy for a good reason (checkpoint, evaluation); the same on all ranks"),
    ),
)
