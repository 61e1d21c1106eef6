"""The memory of a card has an error that could not be corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals

__all__ = ["HbmEcc"]

_CODES = ("507053", "507054", "0x80E01801", "0x80E01809", "0x80F38008")
_SURE = ("507054", "0x80E01801", "0x80E01809", "0x80F38008")
_DEVICE_MEMORY = "device mem error"


class HbmEcc(Check):
    """The HBM of a card has an uncorrectable error."""

    id = "DEV019"
    causes = ("hbm-ecc",)
    rank = 9

    def check(self, signals: Signals) -> Iterator[Finding]:
        """Fires on the runtime's and the driver's words, codes and events for an uncorrectable memory error."""
        told = (*signals.of("hbm-uncorrectable"), *signals.codes(*_CODES))
        found = told or signals.of("hbm-errors-counted")
        if not found:
            return
        yield self.finding(
            title=say("The HBM of a card has an uncorrectable error"),
            observed=say("npu-smi counts uncorrected HBM errors or isolated pages")
            if not told
            else say("the runtime or the driver reports a multi-bit ECC error of the HBM"),
            expected=say("no uncorrectable memory error"),
            why=say("a multi-bit error destroys data: the task on that page ends, whatever operator it was"),
            confidence=Confidence.CERTAIN if any(map(_is_sure, found)) else Confidence.LIKELY,
            severity=Severity.WARNING if not told else Severity.ERROR,
            evidence=[one.evidence for one in found],
            fix=(
                Fix("npu-smi info -t ecc -i 0", say("counts for each card: which one it is")),
                Fix("npu-smi info -t health -i 0", say("the fault code of the card")),
                Fix(note=say("end the job, wait for the page to be isolated, and start again")),
                Fix(
                    "npu-smi set -t reset -i 0 -c 0",
                    say("if the error stays; no job may run on the card"),
                    needs_root=True,
                    disruptive=True,
                ),
                Fix(note=say("if it comes back on the same card, have the card replaced")),
            ),
            sources=(
                "hicann/runtime: errcode_manage.cc, device_error_core_proc.cc",
                "Health Management Error Definition: 0x80E01801",
            ),
        )


def _is_sure(signal: Signal) -> bool:
    if signal.id == "error-code":
        return signal.get("code") in _SURE
    return signal.id == "hbm-uncorrectable" and _DEVICE_MEMORY not in signal.get("text")
