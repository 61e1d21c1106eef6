"""The network card that a variable names does not exist here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.hccl.clues import INTERFACE_VARIABLES, first_field, lines
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals

_SURE = ("hccl-interface-missing", "hccl-nic-listed", "gloo-interface-missing")
_HINTS = ("interface-not-on-host", "hccl-no-interface")
SOURCES = (
    "HCCL user guide: environment configuration (EI0001)",
    "gloo: tcp device",
    "torch: ProcessGroupGloo",
)


class InterfaceName(Check):
    """A variable names a network card of the host that does not exist or cannot be used."""

    id = "HCC001"
    causes = ("hccl-ifname-wrong",)
    rank = 6

    def check(self, signals: Signals, environment: Mapping[str, str] | None = None) -> Iterator[Finding]:
        """HCCL, gloo or the system say that there is no such card; or gloo fell back to the loopback address."""
        found, confidence = _seen(signals)
        if not found:
            return
        wanted = first_field(
            [one for one in found if one.id != "hccl-nic-listed"], "interface", "address", "value"
        )
        there = sorted({name for one in signals.of("hccl-nic-listed") if (name := one.get("interface"))})
        yield self.finding(
            confidence=confidence,
            title=say("The network card that HCCL or gloo should use does not exist here"),
            observed=say("no usable network card: {wanted}", wanted=wanted or _set_to(environment)),
            expected=say("one of the cards of this host: {cards}", cards=", ".join(there))
            if there
            else say(
                "the name of a card that `ip -br addr` shows, with the address that the other nodes reach"
            ),
            why=say(
                "HCCL_SOCKET_IFNAME, GLOO_SOCKET_IFNAME and TP_SOCKET_IFNAME name cards of the host; names differ"
                " between nodes, and a container without --net=host sees only its own"
            ),
            evidence=lines(found),
            fix=_steps(there),
            sources=SOURCES,
        )


def _seen(signals: Signals) -> tuple[tuple[Signal, ...], Confidence]:
    refused = [
        one for one in signals.of("hccl-variable-invalid") if one.get("variable") in INTERFACE_VARIABLES
    ]
    if found := (*signals.of(*_SURE), *refused):
        named = any(one.get("interface") or one.get("value") or one.id == "hccl-nic-listed" for one in found)
        return found, Confidence.CERTAIN if named else Confidence.LIKELY
    failed = signals.of("gloo-connect-failed")
    fallen_back = signals.of("gloo-hostname-unresolved")
    if failed:
        return (*failed, *fallen_back), Confidence.LIKELY if fallen_back else Confidence.POSSIBLE
    return signals.of(*_HINTS), Confidence.LIKELY


def _set_to(environment: Mapping[str, str] | None) -> str:
    given = [
        f"{name}={environment[name]}" for name in INTERFACE_VARIABLES if environment and environment.get(name)
    ]
    return ", ".join(given) or "?"


def _steps(there: list[str]) -> tuple[Fix, ...]:
    card = there[0] if len(there) == 1 else "<card>"
    return (
        Fix("ip -br addr", say("the cards of this node; do it on every node and in the container")),
        Fix(
            f"export HCCL_SOCKET_IFNAME={card} GLOO_SOCKET_IFNAME={card} TP_SOCKET_IFNAME={card}",
            say("the card with the address that the other nodes can reach"),
        ),
        Fix("unset HCCL_IF_IP", say("unless it is the address of that card")),
        Fix(note=say("containers that span nodes need --net=host")),
    )
