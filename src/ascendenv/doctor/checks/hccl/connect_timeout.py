"""A rank did not answer while links were being made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.hccl.clues import lines
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals

_STRONG = ("hccl-socket-timeout", "hccl-link-row", "hccl-connect-detected")
SOURCES = ("hcomm error messages (EI0006)", "HCCL user guide: link timeout", "vllm-ascend issue 486")


class ConnectTimeout(Check):
    """The peers did not meet in time while HCCL made its links."""

    id = "HCC007"
    causes = ("hccl-connect-timeout",)
    consequence_of = (
        *("HCC001", "HCC002", "HCC003", "HCC004", "HCC005", "HCC006"),
        *("HCC008", "HCC009", "HCC010", "HCC012", "HCC014", "HCC015"),
    )
    rank = 1

    def check(self, signals: Signals, environment: Mapping[str, str] | None = None) -> Iterator[Finding]:
        """EI0006 and its kin; the rows of HCCL's table name the silent peers."""
        strong = (*signals.of(*_STRONG), *signals.codes("EI0006"))
        weak = [one for one in signals.of("hccl-link-failed") if not one.get("reason")]
        found = (*strong, *weak)
        if not found:
            return
        silent = _silent(found)
        limit = (environment or {}).get("HCCL_CONNECT_TIMEOUT", "120")
        yield self.finding(
            confidence=Confidence.LIKELY if strong else Confidence.POSSIBLE,
            title=say("A rank did not answer while HCCL made its links"),
            observed=say("no answer from rank {ranks} in time", ranks=", ".join(silent))
            if silent
            else say("making links timed out"),
            expected=say("all ranks reach the same operator within {seconds} seconds", seconds=limit),
            why=say(
                "the rank that shows this error is usually the one that waited. Look at the silent one: another"
                " error there, still loading, stopped, another TLS switch, or a network that does not connect"
            ),
            evidence=lines(found),
            fix=_STEPS,
            sources=SOURCES,
        )


def _silent(found: tuple[Signal, ...]) -> list[str]:
    """The ranks that others waited for and that themselves waited for nobody: the roots of a chain of waiting."""
    rows = [one for one in found if one.id == "hccl-link-row"]
    waiting = {one.get("rank") for one in rows}
    peers = list(dict.fromkeys(one.get("peer_rank") for one in rows if one.get("status") != "connected"))
    return [rank for rank in peers if rank not in waiting] or peers


_STEPS = (
    Fix(
        "grep -rlE 'ERROR' ~/ascend/log/debug/plog | xargs grep -LE 'wait socket establish timeout|EI0006'",
        say("on every node: ranks with another error, or with none, are where to look"),
    ),
    Fix(
        "for i in $(seq 0 7); do hccn_tool -i $i -tls -g | grep switch; done",
        say("equal everywhere?"),
        needs_root=True,
    ),
    Fix(
        "hccn_tool -i 0 -ping -g address <address of the peer's device>",
        say("between servers: do the device ports reach each other?"),
        needs_root=True,
    ),
    Fix(
        "export HCCL_CONNECT_TIMEOUT=1200",
        say(
            "only when a rank is slow for a good reason, such as loading or compiling; the same on all ranks"
        ),
    ),
)
