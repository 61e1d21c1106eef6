"""The port of a launcher or a server is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals

_NPU_PORT, _HOST_PORTS = "16666", "600"


class MasterPortInUse(Check):
    """The rendezvous port of torchrun or msrun, or the port of a server, is taken."""

    id = "RUN005"
    causes = ("master-port-in-use", "hccl-port-in-use")
    consequence_of = ("HCC006",)
    rank = 2

    def check(self, signals: Signals) -> Iterator[Finding]:
        """The system's words for a port that is in use."""
        found = signals.of("address-in-use", "cluster-port-taken")
        if not found:
            return
        port = next((one.get("port") for one in found if one.get("port")), "")
        if _is_of_hccl(port, found):
            yield self._of_hccl(port, found, Confidence.CERTAIN)
            return
        yield self.finding(
            confidence=Confidence.CERTAIN if port else Confidence.LIKELY,
            title=say("The port of the launcher or server is taken"),
            observed=say("port {port} is in use", port=port) if port else say("an address is in use"),
            expected=say("a port of its own for each job on a host"),
            why=say(
                "torchrun meets on MASTER_PORT (29500), msrun on 8118, a server on the port it is given: an earlier"
                " run that did not end, or a second job, still listens there"
            ),
            evidence=(one.evidence for one in found),
            fix=(
                Fix(f"ss -lntp | grep -E ':{port or '(29500|8118)'}'", say("who listens")),
                Fix(
                    "export MASTER_PORT=29501",
                    say("or `torchrun --master_port 29501`; for one node also --standalone"),
                ),
                Fix(
                    "kill <pid>",
                    say("when it is left over from an earlier run; look for its children too"),
                    disruptive=True,
                ),
            ),
            sources=("torch: TCPStore", "MindSpore: msrun"),
        )
        if not port:
            yield self._of_hccl(port, found, Confidence.POSSIBLE)

    def _of_hccl(self, port: str, found: tuple[Signal, ...], confidence: Confidence) -> Finding:
        return self.finding(
            cause="hccl-port-in-use",
            severity=Severity.ERROR if confidence is Confidence.CERTAIN else Severity.WARNING,
            confidence=confidence,
            title=say("A port that HCCL listens on is taken"),
            observed=say("port {port} is in use", port=port) if port else say("an address is in use"),
            expected=say("16666 on the NPU and 60000 to 60031 on the host are free, or others are set"),
            evidence=(one.evidence for one in found),
            fix=(
                Fix("ss -lntp | grep -E ':(60[0-9]{3}|16666)'", say("who listens")),
                Fix("export HCCL_IF_BASE_PORT=64000", say("another range for the ports of the host")),
            ),
            sources=("HCCL user guide: HCCL_IF_BASE_PORT",),
        )


def _is_of_hccl(port: str, found: tuple[Signal, ...]) -> bool:
    named = any(word in one.evidence.text for one in found for word in ("HCCL", "hccl", "HCCP"))
    return named or port == _NPU_PORT or port.startswith(_HOST_PORTS)
