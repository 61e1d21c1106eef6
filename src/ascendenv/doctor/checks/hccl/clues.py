"""What several checks of collective communication read from the same lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import NpuPort
    from ascendenv.signals.model import Signal, Signals

__all__ = [
    "INTERFACE_VARIABLES",
    "communication_failed",
    "down_ports",
    "first_field",
    "lines",
    "tls_switches",
]

INTERFACE_VARIABLES = ("HCCL_SOCKET_IFNAME", "HCCL_IF_IP", "GLOO_SOCKET_IFNAME", "TP_SOCKET_IFNAME")
"""The variables that choose the network card of the host."""

_FAILURES = (
    "hccl-socket-timeout",
    "hccl-link-failed",
    "hccl-link-row",
    "hccl-rank-absent",
    "hccl-call-failed",
    "notify-wait-timeout",
    "rdma-init-failed",
    "roce-packet-lost",
    "collective-failed",
)


def lines(found: Iterable[Signal]) -> tuple[Evidence, ...]:
    """The lines of these signals."""
    return tuple(one.evidence for one in found)


def first_field(found: Iterable[Signal], *names: str) -> str:
    """The first value that any of the signals has under one of these names, or an empty string."""
    return next((value for one in found for name in names if (value := one.get(name))), "")


def communication_failed(signals: Signals | None) -> bool:
    """Whether the texts tell of a collective that failed, whatever the reason."""
    if not signals:
        return False
    codes = (one.get("code") for one in signals.of("error-code"))
    return bool(signals.of(*_FAILURES)) or any(code.startswith(("EI", "EJ")) for code in codes)


def down_ports(ports: Iterable[NpuPort] | None) -> tuple[NpuPort, ...]:
    """The device ports that are known to be down."""
    return tuple(port for port in ports or () if port.link_up is False)


def tls_switches(signals: Signals | None, ports: Iterable[NpuPort] | None) -> frozenset[str]:
    """The TLS states seen on NPUs, `on` and `off`: two of them mean that the NPUs differ."""
    seen = {"on" if port.tls_enabled else "off" for port in ports or () if port.tls_enabled is not None}
    for one in signals.of("tls-switch") if signals else ():
        seen.add("on" if one.get("switch") == "1" else "off")
    for one in signals.of("hccl-link-row") if signals else ():
        if one.get("tls") in ("ENABLE", "DISABLE"):
            seen.add("on" if one.get("tls") == "ENABLE" else "off")
    return frozenset(seen)
