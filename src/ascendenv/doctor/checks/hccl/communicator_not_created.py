"""Making a communicator failed, and only HCCL's return value is in the text."""

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
    from ascendenv.signals.model import Signals

_BY_RESULT = {
    "1": "hccl-env-invalid",
    "3": "hccl-memory-exhausted",
    "4": "hccl-connect-timeout",
    "6": "hccl-ifname-wrong",
    "7": "hccl-port-in-use",
    "9": "hccl-connect-timeout",
    "11": "hccl-port-in-use",
    "13": "hccl-connect-timeout",
    "15": "device-not-released",
    "19": "hccl-link-down",
}
"""What a return value of HCCL usually stands for (hccl_types.h names it: 1 parameter, 6 not found, 7 unavailable,
9 timeout, 11 TCP connect, 15 runtime, 19 network)."""
_OTHERWISE = "hccl-connect-timeout"


class CommunicatorNotCreated(Check):
    """HCCL failed, and the reason stands only in its own log."""

    id = "HCC017"
    causes = tuple(dict.fromkeys((_OTHERWISE, *_BY_RESULT.values())))
    consequence_of = (
        *("DEV003", "DEV005", "DEV015", "DEV021", "DRV008"),
        *(f"HCC{number:03}" for number in range(1, 17)),
    )
    rank = -5

    def check(self, signals: Signals) -> Iterator[Finding]:
        """A bare `HCCL function error`; the number only narrows it down."""
        found = signals.of("hccl-call-failed")
        if not found:
            return
        call, result = first_field(found, "call"), first_field(found, "result")
        creating = not call or any(word in call for word in ("RootInfo", "CommInit", "CreateSubComm"))
        yield self.finding(
            cause=_BY_RESULT.get(result, _OTHERWISE) if creating else _OTHERWISE,
            confidence=Confidence.POSSIBLE,
            title=say("HCCL failed; its reason stands some lines lower or in its log"),
            observed=say(
                "{call} returned {result}: {meaning}",
                call=call or "HCCL",
                result=result,
                meaning=_meaning(result),
            )
            if result
            else say("an HCCL call failed"),
            why=say(
                "torch_npu prints only the return value; the line with EI or EJ, or the first ERROR of plog, decides"
            ),
            evidence=lines(found),
            fix=(
                Fix(
                    "grep -rhE 'ERROR.*(HCCL|HCCP)|E[IJ]00[0-9]{2}' ~/ascend/log/debug/plog | sort | head -20",
                    say("give this to `ascendenv doctor --log -`"),
                ),
                Fix(
                    "npu-smi info; env | grep -E 'HCCL|IFNAME'",
                    say("cards that are busy, and the variables that count"),
                ),
            ),
            sources=("hccl_types.h of CANN", "vllm-ascend issues 397, 405, 672, 3196"),
        )


def _meaning(result: str) -> Message:
    meanings = {
        "1": say("a parameter or variable is refused"),
        "3": say("no memory"),
        "6": say("something was not found, usually the network card"),
        "7": say("something is not available, usually a port"),
        "9": say("a peer did not answer in time"),
        "11": say("a TCP connection failed"),
        "15": say("the runtime failed, usually because the card is busy"),
        "19": say("the network of the device could not be used"),
    }
    return meanings.get(result, say("an inner error"))
