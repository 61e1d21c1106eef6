"""The network port of an NPU is down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.hccl.clues import communication_failed, down_ports, lines
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import HostFacts, NpuPort
    from ascendenv.language import Message
    from ascendenv.signals.model import Signals

SOURCES = ("hcomm error messages (EJ0002, EI0009)", "HCCL Test FAQ: ret(-67)", "vllm-ascend issue 1815")


class LinkDown(Check):
    """The network port of a device is down."""

    id = "HCC005"
    causes = ("hccl-link-down",)
    rank = 8

    def check(
        self, facts: HostFacts, signals: Signals | None = None, ports: tuple[NpuPort, ...] | None = None
    ) -> Iterator[Finding]:
        """HCCL's own words; or hccn_tool's, which matter only where communication fails."""
        told = (*signals.of("device-port-down"), *signals.codes("EJ0002")) if signals else ()
        shown = (
            [one for one in signals.of("device-link-state") if one.get("state").upper() == "DOWN"]
            if signals
            else []
        )
        down = down_ports(ports)
        names = ", ".join(
            dict.fromkeys(
                [str(port.device) for port in down] + [one.get("device") for one in told if one.get("device")]
            )
        )
        if told:
            yield self._finding(Severity.ERROR, Confidence.CERTAIN, _observed(names), lines((*told, *shown)))
        elif down or shown:
            fails = communication_failed(signals)
            yield self._finding(
                Severity.ERROR if fails else Severity.WARNING,
                Confidence.LIKELY,
                _observed(names),
                (*facts.seen("ports"), *lines(shown)),
            )
        elif signals and (found := signals.of("rdma-init-failed")):
            yield self._finding(
                Severity.ERROR,
                Confidence.POSSIBLE,
                say("RDMA could not be started on a device port"),
                lines(found),
            )

    def _finding(
        self, severity: Severity, confidence: Confidence, observed: Message, evidence: tuple[Evidence, ...]
    ) -> Finding:
        return self.finding(
            severity=severity,
            confidence=confidence,
            title=say("The network port of an NPU is down"),
            observed=observed,
            expected=say("`hccn_tool -i N -link -g` says UP for every NPU that talks to another server"),
            why=say(
                "cable or optical module missing, switch port off, wrong speed or FEC on the switch, or no address"
                " on the port; a job inside one server does not need the port when it stays on HCCS"
            ),
            evidence=evidence,
            fix=_STEPS,
            sources=SOURCES,
        )


def _observed(names: str) -> Message:
    return say("port down on device {devices}", devices=names) if names else say("a device port is down")


_STEPS = (
    Fix(
        "for i in $(seq 0 7); do hccn_tool -i $i -link -g; done", say("UP or DOWN, each NPU"), needs_root=True
    ),
    Fix(
        "for i in $(seq 0 7); do hccn_tool -i $i -optical -g | grep -i present; hccn_tool -i $i -lldp -g; done",
        say("is a module plugged in, and does the switch answer?"),
        needs_root=True,
    ),
    Fix("hccn_tool -a -cfg recovery", say("sets the addresses of /etc/hccn.conf again"), needs_root=True),
    Fix(note=say("a port that stays down is a matter of cable, module or switch: ask the network people")),
)
