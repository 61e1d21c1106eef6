"""A port that HCCL needs is taken."""

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

_DEVICE_PORT = "16666"
SOURCES = (
    "hcomm error messages (EJ0003, EI0019, EI0020)",
    "HCCL user guide: port binding",
    "vllm-ascend issue 405",
)


class PortInUse(Check):
    """A port of the host (60000 and up) or of a device (16666) is taken by another job."""

    id = "HCC006"
    causes = ("hccl-port-in-use",)
    consequence_of = ("HCC001", "HCC004", "HCC005", "HCC015")
    rank = 5

    def check(self, signals: Signals) -> Iterator[Finding]:
        """HCCL's words about binding a port."""
        found, codes = signals.of("hccl-port-taken"), signals.codes("EJ0003", "EI0019", "EI0020")
        if not found and not codes:
            return
        port = first_field(found, "port")
        on_device = (
            port == _DEVICE_PORT
            or first_field(found, "socket") in ("0", "1")
            or bool(signals.codes("EI0020"))
        )
        yield self.finding(
            confidence=_confidence(signals, told=bool(found)),
            title=say("Two processes use HCCL on one NPU and want the same port")
            if on_device
            else say("A port that HCCL needs on the host is taken"),
            observed=say("port {port} could not be bound", port=port)
            if port
            else say("HCCL could not bind an address and port"),
            expected=say("ports of its own for every job on a host, and every process on an NPU"),
            why=say(
                "each job listens on the host from port 60000 on and on each NPU on port 16666; a second job, a"
                " process that did not end, or a port that the system gave away meanwhile stands in the way"
            ),
            evidence=lines((*found, *codes)),
            fix=_on_device() if on_device else _on_host(port),
            sources=SOURCES,
        )


def _confidence(signals: Signals, *, told: bool) -> Confidence:
    if signals.of("device-address-unavailable"):
        return Confidence.POSSIBLE
    return Confidence.CERTAIN if told else Confidence.LIKELY


def _on_host(port: str) -> tuple[Fix, ...]:
    return (
        Fix(f"ss -lntp | grep -E ':({port or '600[0-9][0-9]'})'", say("who holds the port"), needs_root=True),
        Fix(
            "export HCCL_IF_BASE_PORT=61000",
            say("another range for each job on this host; 32 ports are used"),
        ),
        Fix(
            "sysctl -w net.ipv4.ip_local_reserved_ports=60000-60031",
            say("keeps the system from giving these ports away"),
            needs_root=True,
        ),
        Fix("export MASTER_PORT=29501", say("and another rendezvous port for each torchrun")),
    )


def _on_device() -> tuple[Fix, ...]:
    return (
        Fix(
            "npu-smi info",
            say("which processes are on the card; end one that is left over from an earlier run"),
        ),
        Fix(
            "export HCCL_NPU_SOCKET_PORT_RANGE=auto HCCL_HOST_SOCKET_PORT_RANGE=auto",
            say("when several processes on one NPU are meant, on every rank"),
        ),
        Fix(note=say("else give each process its own cards with ASCEND_RT_VISIBLE_DEVICES")),
    )
