"""The address of a device port is missing, of another family, or not the one that the job expects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.hccl.clues import first_field, lines
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal, Signals

_HOST_PORTS = 50000
"""HCCL listens from 60000 on (or HCCL_IF_BASE_PORT) on the host, and on 16666 on a device."""
SOURCES = ("HCCL user guide: cluster information check", "HCCL FAQ: EJ0003, EJ0004")


class DeviceAddress(Check):
    """The IP address of a device port is not set, differs from the rank table, repeats, or has another family."""

    id = "HCC004"
    causes = ("hccl-device-ip-wrong", "hccl-ifname-wrong")
    consequence_of = ("HCC012",)
    rank = 6

    def check(self, signals: Signals) -> Iterator[Finding]:
        """HCCL's or HCCP's words about the address."""
        families = (*signals.of("device-ip-family"), *_family_variable(signals))
        mismatch = signals.of("device-ip-mismatch")
        absent = (*signals.of("device-ip-absent"), *signals.codes("EJ0004"))
        repeated = [one for one in signals.of("device-ip-repeated") if not _same_node(one)]
        if families:
            yield self._finding(
                families, Confidence.CERTAIN, say("ranks have device addresses of different families")
            )
        if mismatch:
            yield self._finding((*mismatch, *absent), Confidence.CERTAIN, _difference(mismatch))
        elif absent:
            yield self._finding(absent, Confidence.LIKELY, say("HCCP refused the address of a device port"))
        if repeated:
            yield self._finding(repeated, Confidence.CERTAIN, say("two device ports have the same address"))
        yield from self._unavailable(signals)

    def _unavailable(self, signals: Signals) -> Iterator[Finding]:
        found = [
            one
            for one in signals.of("device-address-unavailable")
            if "HCC" in one.evidence.text or one.get("port")
        ]
        if not found:
            return
        port = first_field(found, "port")
        on_host = port.isdigit() and int(port) >= _HOST_PORTS
        yield self._finding(
            found,
            Confidence.LIKELY,
            say("binding an address failed because no card has it (errno 99)"),
            "hccl-ifname-wrong" if on_host else "hccl-device-ip-wrong",
        )

    def _finding(
        self,
        found: tuple[Signal, ...] | list[Signal],
        confidence: Confidence,
        observed: Message,
        cause: str | None = None,
    ) -> Finding:
        return self.finding(
            cause=cause,
            confidence=confidence,
            title=say("The address of a device port is missing or wrong")
            if cause != "hccl-ifname-wrong"
            else say("HCCL was told an address that this host does not have"),
            observed=observed,
            expected=say(
                "every NPU has an own address of one family, and the rank table names the same ones"
            ),
            why=say(
                "between servers, ranks talk over the NPUs' own network ports; their addresses come from"
                " /etc/hccn.conf and are set with hccn_tool, not with the host's network tools"
            ),
            evidence=lines(found),
            fix=_STEPS,
            sources=SOURCES,
        )


def _family_variable(signals: Signals) -> list[Signal]:
    return [one for one in signals.of("hccl-variable-invalid") if one.get("variable") == "RankIpFamily"]


def _same_node(signal: Signal) -> bool:
    return bool(signal.get("node")) and signal.get("node") == signal.get("other_node")


def _difference(found: tuple[Signal, ...]) -> Message:
    configured, actual = first_field(found, "configured"), first_field(found, "actual")
    if configured and actual:
        return say(
            "the rank table says {configured}, the device has {actual}", configured=configured, actual=actual
        )
    return say("the rank table names another address than the device has")


_STEPS = (
    Fix(
        "for i in $(seq 0 7); do hccn_tool -i $i -ip -g; done; cat /etc/hccn.conf",
        say("the addresses of the ports, on every server; IPv6 with `-ip -inet6 -g`"),
        needs_root=True,
    ),
    Fix(
        "hccn_tool -i 0 -ip -s address 192.168.1.10 netmask 255.255.255.0",
        say("sets the address of device 0; choose an own one for each NPU of the cluster"),
        needs_root=True,
        disruptive=True,
    ),
    Fix(note=say("write the same addresses into the rank table, or generate it again")),
    Fix("export HCCL_SOCKET_FAMILY=AF_INET", say("when both families are configured: one for all ranks")),
)
