"""The memory of a card is taken by another process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.chips import full_chips, names_of
from ascendenv.doctor.checks.device.explanations import memory_taken
from ascendenv.doctor.finding import Confidence
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal, Signals

__all__ = ["HbmOccupied"]

_FOREIGN_SHARE = 0.25
"""The share of a card above which memory that is neither free nor this process's own belongs to somebody else."""
_MEBI = 1024
_UNITS = {"bytes": 1 / _MEBI**3, "KiB": 1 / _MEBI**2, "MiB": 1 / _MEBI, "GiB": 1.0}


class HbmOccupied(Check):
    """Another process holds the memory of the card."""

    id = "DEV020"
    causes = ("hbm-occupied",)
    consequence_of = ("DEV011", "DEV015")
    rank = 5

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Fires on too little free memory at the start, and on an OOM whose own share is small."""
        short = signals.of("device-memory-short")
        foreign = tuple(
            one for one in signals.of("device-memory-taken") if foreign_share(one) >= _FOREIGN_SHARE
        )
        shared = signals.of("device-memory-shared")
        if not (short or foreign or shared):
            return
        full = full_chips(facts)
        explanation = memory_taken()
        yield self.finding(
            title=explanation.title,
            observed=_observed(short, foreign),
            expected=say("an idle card: about 3 GB of HBM in use on 910B and A3, and no process"),
            why=say("the HBM of {chips} is nearly full", chips=names_of(full))
            if full
            else say("memory that is neither free nor held by this process belongs to another one"),
            confidence=Confidence.LIKELY if short or foreign else Confidence.POSSIBLE,
            evidence=(*(one.evidence for one in (*short, *foreign, *shared)), *facts.seen("npu_processes")),
            fix=explanation.fix,
            sources=(
                "vllm-ascend: vllm_ascend/worker/worker.py",
                "https://github.com/vllm-project/vllm-ascend/issues/14631",
            ),
        )


def _observed(short: tuple[Signal, ...], foreign: tuple[Signal, ...]) -> Message:
    if short:
        free, total = short[0].get("free"), short[0].get("total")
        return say("only {free} of {total} GiB were free when the engine started", free=free, total=total)
    if foreign:
        size = foreign[0].get("total")
        taken = f"{foreign_share(foreign[0]) * float(size):.1f}"
        return say("{taken} of {total} GiB are held by something else", taken=taken, total=size)
    return say("the engine found memory in use that is not its own")


def foreign_share(signal: Signal) -> float:
    """The share of the card that is neither free nor held by the process of an out-of-memory message."""
    own = _gibibytes(signal.get("reserved")) or _gibibytes(signal.get("allocated"))
    free = _gibibytes(signal.get("free"))
    total = float(signal.get("total") or 0)
    if own is None or free is None or not total:
        return 0.0
    return max(0.0, total - own - free) / total


def _gibibytes(text: str) -> float | None:
    number, _, unit = text.partition(" ")
    return float(number) * _UNITS[unit] if unit in _UNITS else None
