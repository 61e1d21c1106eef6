"""A pod owns some cards of the host, and the runtime in it starts to count at a card it does not own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.chips import failing_devices
from ascendenv.doctor.checks.device.symptoms import symptoms
from ascendenv.doctor.checks.visibility.selection import CONTAINER, RUNTIME, selection_of
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signals

__all__ = ["RtVisibleDevicesUnsetInPod"]


class RtVisibleDevicesUnsetInPod(Check):
    """The pod owns some cards only, and ASCEND_RT_VISIBLE_DEVICES is not set to them."""

    id = "DEV012"
    causes = ("rt-visible-devices-unset-in-pod",)
    rank = 7

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Fires when a device that the pod does not own could not be opened while nothing maps the numbers."""
        owned = selection_of(facts, CONTAINER)
        if owned is None or not owned.ids or selection_of(facts, RUNTIME) is not None:
            return
        seen = symptoms(signals)
        foreign = [device for device in failing_devices(signals) if int(device) not in owned.ids]
        shifted = sorted(owned.ids) != list(range(len(owned.ids)))
        if not seen or not shifted or (failing_devices(signals) and not foreign):
            return
        cards = ",".join(str(card) for card in sorted(owned.ids))
        yield self.finding(
            title=say("ASCEND_RT_VISIBLE_DEVICES is not set in a container that owns some cards only"),
            observed=say(
                "device {device} was opened, but the container owns {cards}", device=foreign[0], cards=cards
            )
            if foreign
            else say("the container owns cards {cards}, and the runtime counts from 0", cards=cards),
            expected=say("ASCEND_RT_VISIBLE_DEVICES={cards}", cards=cards),
            why=say(
                "the device plugin passes physical cards; without the variable logical numbers may reach foreign ones"
            ),
            confidence=Confidence.LIKELY,
            evidence=(*(one.evidence for one in seen), *owned.evidence),
            fix=(
                Fix(
                    f"export ASCEND_RT_VISIBLE_DEVICES={cards}",
                    say("in ascending order, before the job starts"),
                ),
            ),
            sources=(
                "https://github.com/Project-HAMi/HAMi/issues/1894",
                "https://github.com/vllm-project/vllm-ascend/issues/9428",
            ),
        )
