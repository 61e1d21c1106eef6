"""TLS is on for some NPUs and off for others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.hccl.clues import communication_failed, first_field, lines, tls_switches
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import HostFacts, NpuPort
    from ascendenv.language import Message
    from ascendenv.signals.model import Signals

SOURCES = ("HCCL user guide: TLS check (EI0016)", "HCCL FAQ: TLS of the servers differs")


class TlsMismatch(Check):
    """The NPUs of a job have different TLS switches or certificates."""

    id = "HCC009"
    causes = ("hccl-tls-mismatch",)
    rank = 7

    def check(
        self, facts: HostFacts, signals: Signals | None = None, ports: tuple[NpuPort, ...] | None = None
    ) -> Iterator[Finding]:
        """HCCL's check, the switches of the NPUs, or a certificate that is not valid now."""
        if signals:
            told = (*signals.of("tls-inconsistent"), *signals.codes("EI0016"))
            if told:
                yield self._finding(Severity.ERROR, Confidence.CERTAIN, _told(signals), lines(told))
                return
            if dated := signals.of("tls-certificate-date"):
                observed = say("a certificate is not valid at the time that the host's clock shows")
                yield self._finding(Severity.ERROR, Confidence.LIKELY, observed, lines(dated))
        if len(tls_switches(signals, ports)) > 1:
            switches = signals.of("tls-switch", "hccl-link-row") if signals else ()
            seen = (*lines(switches), *facts.seen("ports"))
            symptom = communication_failed(signals) or bool(signals and signals.of("tls-switch"))
            yield self._finding(
                Severity.ERROR if symptom else Severity.WARNING,
                Confidence.CERTAIN,
                say("TLS is on for some NPUs and off for others"),
                seen,
            )

    def _finding(
        self, severity: Severity, confidence: Confidence, observed: Message, evidence: tuple[Evidence, ...]
    ) -> Finding:
        return self.finding(
            severity=severity,
            confidence=confidence,
            title=say("The NPUs of the job have different TLS settings"),
            observed=observed,
            expected=say(
                "the same switch, and with TLS on the same certificates, on every NPU of every server"
            ),
            why=say(
                "links between NPUs use TLS by the switch of each card; two sides that differ never connect"
            ),
            evidence=evidence,
            fix=_STEPS,
            sources=SOURCES,
        )


def _told(signals: Signals) -> Message:
    found = signals.of("tls-inconsistent")
    on, off = first_field(found, "enabled"), first_field(found, "disabled")
    if on and off:
        return say("TLS on: {on}; TLS off: {off}", on=on, off=off)
    return say("HCCL says that TLS differs between ranks")


_STEPS = (
    Fix(
        "for i in $(seq 0 7); do hccn_tool -i $i -tls -g | grep switch; done",
        say("on every server"),
        needs_root=True,
    ),
    Fix(
        "for i in $(seq 0 7); do hccn_tool -i $i -tls -s enable 1; done",
        say("on everywhere (0 switches it off, which a closed network may allow); the vendor recommends on"),
        needs_root=True,
        disruptive=True,
    ),
    Fix(
        "date; for i in $(seq 0 7); do hccn_tool -i $i -tls -g; done",
        say("clock, and validity of certificates"),
    ),
)
