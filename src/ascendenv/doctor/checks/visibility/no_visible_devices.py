"""The runtime counts no card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device import explanations as explain
from ascendenv.doctor.checks.device.surroundings import surroundings
from ascendenv.doctor.checks.visibility.selection import RUNTIME, counted_devices, selection_of
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signal, Signals

__all__ = ["NoVisibleDevices"]

_CODES = ("207004", "drv:1", "E39002")


class NoVisibleDevices(Check):
    """The runtime counts no NPU: is_available() is False, device_count() is 0."""

    id = "VIS001"
    causes = (
        "no-visible-devices",
        "cann-env-not-sourced",
        "driver-not-loaded",
        "container-missing-devices",
        "dev-node-permission",
        "visible-devices-out-of-range",
    )
    consequence_of = (
        "CAN001",
        "CAN003",
        "DEV001",
        "DEV002",
        "DEV003",
        "DEV004",
        "DEV006",
        "DEV007",
        "DEV008",
        "DEV009",
        "DEV010",
        "DRV001",
        "DRV002",
        "DRV004",
        "DRV020",
        "LIV004",
        "TOR006",
        "TOR007",
        "TOR008",
        "TOR009",
        "TOR010",
        "VIS002",
        "VIS003",
        "VIS004",
    )
    rank = -3

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Weighs driver, nodes, permission and variable, in this order, unless another text says more."""
        none = _counted_none(signals)
        unknown_type = signals.of("device-type-unknown")
        if not none and not unknown_type:
            return
        hypotheses = [_counts_none(), *_tree(facts)]
        if unknown_type and not none:
            hypotheses.insert(0, _environment_missing())
        yield from weigh(
            self,
            hypotheses,
            observed=say("the runtime counts no NPU, or the framework finds none"),
            evidence=[one.evidence for one in (*none, *unknown_type)],
            sources=(
                "https://github.com/vllm-project/vllm-ascend/issues/14628",
                "https://github.com/vllm-project/vllm-ascend/issues/262",
            ),
        )


def _counted_none(signals: Signals) -> list[Signal]:
    zero = [one for one in signals.of("more-ranks-than-devices") if one.get("count") == "0"]
    return [*signals.of("npu-unavailable", "npu-smi-no-card"), *zero, *signals.codes(*_CODES)]


def _tree(facts: HostFacts) -> list[Hypothesis]:
    place = surroundings(facts)
    listed = bool(known(facts.npus))
    chosen = selection_of(facts, RUNTIME)
    count = counted_devices(facts)
    beyond = chosen is not None and count is not None and bool(chosen.ids) and min(chosen.ids) >= count
    return [
        _numbers_beyond(supported=True if beyond else None if chosen is not None and chosen.ids else False),
        explain.no_permission(
            supported=None if place.is_root is None else not place.is_root,
            because=say("the command ran without root's rights"),
        ),
        explain.nodes_not_passed(
            supported=True
            if place.lacking_nodes
            else False
            if place.is_complete or not place.may_be_container
            else None,
            because=say("the command line does not pass {nodes}", nodes=", ".join(place.lacking_nodes)),
        ),
        explain.driver_not_loaded(supported=False if listed or place.in_container else None),
    ]


def _counts_none() -> Hypothesis:
    return Hypothesis(
        "no-visible-devices",
        say("The runtime counts no NPU"),
        ask=say(
            "which of these fails first: `npu-smi info`, `ls /dev/davinci*`, `echo $ASCEND_RT_VISIBLE_DEVICES`?"
        ),
        fix=(
            Fix("npu-smi info", say("1. the driver: does it list the cards here?")),
            Fix(
                "ls -l /dev/davinci* /dev/davinci_manager",
                say("2. the nodes: passed to the container, readable by you?"),
            ),
            Fix(
                "env | grep VISIBLE_DEVICES",
                say("3. the variable: unset, or numbers from 0 in ascending order"),
            ),
            Fix(
                "python -c 'import torch, torch_npu; torch.npu.set_device(0)'",
                say("4. the runtime: is_available() hides the reason, set_device() prints it"),
            ),
        ),
    )


def _environment_missing() -> Hypothesis:
    return Hypothesis(
        "cann-env-not-sourced",
        say("The environment of CANN is not set in this shell"),
        ask=say("does `python -c 'import torch_npu'` work in the same shell?"),
        fix=(
            Fix("source /usr/local/Ascend/ascend-toolkit/set_env.sh", say("CANN 8.3 and older")),
            Fix("source /usr/local/Ascend/cann/set_env.sh", say("CANN 8.5 and newer")),
        ),
    )


def _numbers_beyond(*, supported: bool | None) -> Hypothesis:
    return Hypothesis(
        "visible-devices-out-of-range",
        say("A device number was chosen that does not exist here"),
        supported=supported,
        because=say("inside a container, and behind ASCEND_RT_VISIBLE_DEVICES, cards are counted from 0"),
        ask=say("what do `ls /dev/davinci*` and `echo $ASCEND_RT_VISIBLE_DEVICES` print where the job runs?"),
        fix=(Fix("unset ASCEND_RT_VISIBLE_DEVICES", say("then all cards that were passed are visible")),),
    )
