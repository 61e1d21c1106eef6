"""The list of visible cards changed after the program had started with another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.visibility.selection import RUNTIME, selection_of
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, NpuProcess
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal, Signals

__all__ = ["VisibleDevicesSetLate"]

_RAY = ("ray", "Ray")
_NOT_OPENED = ("507033", "107001", "EL0003", "207004")


class VisibleDevicesSetLate(Check):
    """ASCEND_RT_VISIBLE_DEVICES was changed after the runtime started, or is rewritten by Ray."""

    id = "VIS005"
    causes = ("visible-devices-set-late",)
    rank = 3

    def check(self, facts: HostFacts, signals: Signals | None = None) -> Iterator[Finding]:
        """Fires on work on another card than chosen, on a choice told to have no effect, and on Ray's own choice."""
        moved = signals.of("tensor-on-other-npu") if signals else ()
        ignored = _ignored(signals) if signals else ()
        workers = tuple(one for one in known(facts.npu_processes) or () if one.name.startswith(_RAY))
        if not moved and not workers and not ignored:
            return
        chosen = selection_of(facts, RUNTIME)
        outside = (
            chosen is not None and bool(workers) and not {one.npu_id for one in workers} <= set(chosen.ids)
        )
        yield self.finding(
            title=say("The cards in use are not those that ASCEND_RT_VISIBLE_DEVICES asked for"),
            observed=_observed(moved, workers)
            if moved or workers
            else say("the variable was set where it has no effect"),
            expected=say("one owner of the variable: Ray, or the script before it starts anything"),
            why=say("the runtime reads the variable once; Ray writes its own value for every worker"),
            confidence=Confidence.LIKELY if moved or ignored or outside else Confidence.POSSIBLE,
            severity=Severity.ERROR if moved or ignored else Severity.WARNING if outside else Severity.INFO,
            evidence=(
                *(one.evidence for one in (*moved, *ignored)),
                *(line for line in facts.seen("npu_processes") if any(name in line.text for name in _RAY)),
                *(chosen.evidence if chosen is not None and outside else ()),
            ),
            fix=(
                Fix(
                    "ASCEND_RT_VISIBLE_DEVICES=4,5 python train.py",
                    say("in the shell, or in the script before torch and torch_npu are imported"),
                ),
                Fix(
                    "unset RAY_EXPERIMENTAL_NOSET_ASCEND_RT_VISIBLE_DEVICES",
                    say("where Ray shall choose the cards"),
                ),
                Fix(
                    "export RAY_EXPERIMENTAL_NOSET_ASCEND_RT_VISIBLE_DEVICES=1",
                    say("where the script chooses them: then set the list before `ray start` on every node"),
                ),
                Fix(note=say("do not set the variable in runtime_env and in the script at the same time")),
            ),
            sources=(
                "https://github.com/vllm-project/vllm-ascend/issues/412",
                "https://github.com/verl-project/verl-omni/pull/227",
            ),
        )


def _ignored(signals: Signals) -> tuple[Signal, ...]:
    """Lines that say so; or a choice typed in a running interpreter whose device then does not open."""
    typed = signals.of("devices-chosen-in-session") if signals.codes(*_NOT_OPENED) else ()
    return (*signals.of("devices-choice-ignored"), *typed)


def _observed(moved: tuple[Signal, ...], workers: tuple[NpuProcess, ...]) -> Message:
    if moved:
        return say(
            "a tensor is on npu:{found}, the worker computes on npu:{wanted}",
            found=moved[0].get("found"),
            wanted=moved[0].get("wanted"),
        )
    cards = ", ".join(str(number) for number in sorted({one.npu_id for one in workers}))
    return say("Ray workers run on NPU {cards}", cards=cards)
