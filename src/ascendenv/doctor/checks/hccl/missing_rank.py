"""Some ranks never came to the meeting point."""

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

_LAUNCHER = ("store-clients-missing", "store-unreachable", "cluster-not-formed")
SOURCES = ("HCCL user guide: cluster negotiation (EI0015)", "torch: TCPStore")


class MissingRank(Check):
    """Some ranks did not reach the root of the communicator or the launcher's meeting point."""

    id = "HCC008"
    causes = ("hccl-rank-missing",)
    consequence_of = ("HCC001", "HCC002", "HCC003", "HCC004", "HCC006", "HCC009", "HCC012")
    rank = 3

    def check(self, signals: Signals) -> Iterator[Finding]:
        """The root that counts its peers, a rank that does not reach the root, or a launcher that gave up."""
        found = signals.of("hccl-rank-absent")
        codes = signals.codes("EI0015")
        launcher = signals.of(*_LAUNCHER)
        if not (found or codes or launcher):
            return
        counted = any(one.get("ranks") or one.get("size") for one in found)
        yield self.finding(
            confidence=Confidence.CERTAIN if counted else Confidence.LIKELY,
            title=say("Some ranks never reached the root of the job"),
            observed=_observed((*found, *launcher)),
            expected=say("every rank started, with the root's address and port open to it"),
            why=say(
                "ranks meet at the root over the host's network before any NPU talks; a rank that crashed early, a"
                " firewall, a wrong network card or another rank count keeps the rest waiting"
            ),
            evidence=lines((*found, *codes, *launcher)),
            fix=_steps(first_field((*found, *launcher), "server"), first_field((*found, *launcher), "port")),
            sources=SOURCES,
        )


def _observed(found: tuple[Signal, ...]) -> Message:
    if ranks := first_field(found, "ranks").strip(", "):
        return say("rank {ranks} did not connect", ranks=ranks)
    size, connected = first_field(found, "size"), first_field(found, "connected")
    if size and connected:
        return say("{connected} of {size} ranks connected", connected=connected, size=size)
    if server := first_field(found, "server"):
        return say("the root {server} was not reached", server=server)
    return say("the ranks did not meet in time")


def _steps(server: str, port: str) -> tuple[Fix, ...]:
    target = f"{server or '<root address>'} {port or '60000'}"
    return (
        Fix(
            f"nc -zv {target}",
            say("from the node of a missing rank, while the job starts: is the root reached?"),
        ),
        Fix(
            "systemctl status firewalld; ufw status",
            say("open the ports of HCCL and of the launcher"),
            needs_root=True,
        ),
        Fix(
            "env | grep -E 'SOCKET_IFNAME|MASTER_|WORLD_SIZE|RANK|HCCL_IF'",
            say("the same job on every node?"),
        ),
        Fix(
            note=say(
                "read the log of the missing ranks first: one that crashed at start has its reason there"
            )
        ),
    )
