"""A device number that does not exist here was asked for: 107001 and its kin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.visibility.npu_ids import gap_in, numbers_of
from ascendenv.doctor.checks.visibility.selection import (
    CONTAINER,
    RUNTIME,
    counted_devices,
    is_measured,
    selection_of,
)
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.checks.visibility.selection import Selection
    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal, Signals

__all__ = ["VisibleDevicesOutOfRange"]

_OUTSIDE = ("visible-devices-outside", "visible-devices-slice-failed")
_NUMBER = ("visible-device-invalid", "device-id-invalid", "device-number-absent")
_CODES = ("107001", "EL0002")


class VisibleDevicesOutOfRange(Check):
    """A device number was asked for that does not exist in this place."""

    id = "VIS003"
    causes = (
        "visible-devices-out-of-range",
        "npu-ids-not-contiguous",
        "rt-visible-devices-unset-in-pod",
        "visible-devices-set-late",
    )
    consequence_of = ("VIS004", "VIS006", "DEV010", "DEV011", "DEV012")
    rank = -1

    def check(self, facts: HostFacts, signals: Signals | None = None) -> Iterator[Finding]:
        """Weighs why the number does not exist; a list beyond the cards without a symptom is a warning."""
        proof = _proof(signals) if signals else []
        chosen = selection_of(facts, RUNTIME)
        count = counted_devices(facts)
        beyond = _beyond(chosen, count)
        if proof and signals is not None:
            yield from weigh(
                self,
                _hypotheses(facts, signals, chosen, beyond=beyond),
                observed=_observed(chosen, count),
                evidence=[*(one.evidence for one in proof), *(chosen.evidence if chosen else ())],
                sources=_SOURCES,
                sure=Confidence.CERTAIN if signals.of(*_OUTSIDE) else Confidence.LIKELY,
            )
        elif beyond and chosen is not None and count is not None:
            yield self._unproved(
                chosen, count, hides_all=is_measured(facts, chosen) and min(chosen.ids) >= count
            )

    def _unproved(self, chosen: Selection, count: int, *, hides_all: bool) -> Finding:
        hypothesis = _out_of_range(chosen, count, supported=True)
        return self.finding(
            title=hypothesis.title,
            observed=_observed(chosen, count),
            expected=say("numbers from 0 to {last}", last=count - 1),
            why=hypothesis.because,
            severity=Severity.ERROR if hides_all else Severity.WARNING,
            evidence=chosen.evidence,
            fix=hypothesis.fix,
            sources=_SOURCES,
        )


_SOURCES = (
    "hicann/runtime: docs/zh/env_vars/ASCEND_RT_VISIBLE_DEVICES.md",
    "https://github.com/gpustack/gpustack/issues/3352",
)


def _proof(signals: Signals) -> list[Signal]:
    more = [one for one in signals.of("more-ranks-than-devices") if one.get("count") not in ("", "0")]
    opened = [one for one in signals.of("device-open-failed") if one.get("code") == "107001"]
    return [*signals.of(*_OUTSIDE, *_NUMBER), *signals.codes(*_CODES), *opened, *more]


def _beyond(chosen: Selection | None, count: int | None) -> bool:
    return chosen is not None and count is not None and any(number >= count for number in chosen.ids)


def _observed(chosen: Selection | None, count: int | None) -> Message:
    if chosen is not None and chosen.value and count is not None:
        return say(
            "{name}={value}, and {count} devices here", name=chosen.name, value=chosen.value, count=count
        )
    return say("the runtime does not know the device number that was asked for (107001)")


def _hypotheses(
    facts: HostFacts, signals: Signals, chosen: Selection | None, *, beyond: bool
) -> list[Hypothesis]:
    owned = selection_of(facts, CONTAINER)
    copied = chosen is not None and gap_in(facts) and set(chosen.ids) <= set(numbers_of(facts))
    contiguous = bool(numbers_of(facts)) and not gap_in(facts)
    rewritten = signals.of("ray-worker") and signals.of("visible-device-invalid", "device-id-invalid")
    outside = beyond or bool(signals.of(*_OUTSIDE))
    numbers = [
        _out_of_range(chosen, counted_devices(facts), supported=True if outside else None),
        _copied_with_gap(facts, supported=True if copied else False if contiguous else None),
    ]
    return [
        *(reversed(numbers) if copied else numbers),
        _rewritten(supported=True if rewritten and not outside else None),
        _unset(supported=False if chosen is not None else True if owned is not None and owned.ids else None),
    ]


def _out_of_range(chosen: Selection | None, count: int | None, *, supported: bool | None) -> Hypothesis:
    here = ",".join(str(number) for number in range(len(chosen.ids) if chosen and chosen.ids else count or 1))
    return Hypothesis(
        "visible-devices-out-of-range",
        say("A device number was chosen that does not exist here"),
        supported=supported,
        because=say("inside a container, and behind ASCEND_RT_VISIBLE_DEVICES, cards are counted from 0"),
        ask=say("what do `ls /dev/davinci*` and `echo $ASCEND_RT_VISIBLE_DEVICES` print where the job runs?"),
        fix=(
            Fix(
                f"export ASCEND_RT_VISIBLE_DEVICES={here}",
                say("numbers from 0, as many as there are cards here"),
            ),
            Fix(
                "python -c 'import torch, torch_npu; print(torch.npu.device_count())'",
                say("how many it counts"),
            ),
        ),
    )


def _copied_with_gap(facts: HostFacts, *, supported: bool | None) -> Hypothesis:
    count = len(numbers_of(facts)) or 1
    return Hypothesis(
        "npu-ids-not-contiguous",
        say("The NPU numbers of npu-smi have gaps, and the runtime counts without"),
        supported=supported,
        because=say("npu-smi shows {numbers} here", numbers=", ".join(map(str, numbers_of(facts)))),
        ask=say("are the NPU numbers of `npu-smi info` 0, 1, 2 ... without a gap?"),
        fix=(
            Fix(
                f"export ASCEND_RT_VISIBLE_DEVICES={','.join(map(str, range(count)))}",
                say("numbers from 0, whatever the slots are called"),
            ),
            Fix("npu-smi info -m", say("the column Chip Logic ID is the number to use")),
        ),
    )


def _rewritten(*, supported: bool | None) -> Hypothesis:
    return Hypothesis(
        "visible-devices-set-late",
        say("The list of visible cards was rewritten after the program chose its number"),
        supported=supported,
        because=say("Ray gives each worker its own list, in which the cards count from 0 again"),
        ask=say("does the program or Ray change ASCEND_RT_VISIBLE_DEVICES after torch_npu was imported?"),
        fix=(
            Fix(
                "export RAY_EXPERIMENTAL_NOSET_ASCEND_RT_VISIBLE_DEVICES=1",
                say("before `ray start` on every node: Ray leaves the variable alone"),
            ),
            Fix(note=say("or let Ray choose the cards and use device 0 in each worker")),
        ),
    )


def _unset(*, supported: bool | None) -> Hypothesis:
    return Hypothesis(
        "rt-visible-devices-unset-in-pod",
        say("ASCEND_RT_VISIBLE_DEVICES is not set in a container that owns some cards only"),
        supported=supported,
        because=say(
            "the device plugin passes physical cards; without the variable logical numbers may reach foreign ones"
        ),
        ask=say("which cards does the pod own (`echo $ASCEND_VISIBLE_DEVICES`)?"),
        fix=(
            Fix("export ASCEND_RT_VISIBLE_DEVICES=$ASCEND_VISIBLE_DEVICES", say("sorted in ascending order")),
        ),
    )
