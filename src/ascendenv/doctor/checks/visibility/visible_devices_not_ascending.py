"""The list of ASCEND_RT_VISIBLE_DEVICES is not strictly ascending."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.visibility.selection import RUNTIME, ids_of, is_measured, selection_of
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signals

__all__ = ["VisibleDevicesNotAscending"]

_REFUSED = ("visible-devices-unordered", "visible-devices-repeated")
_SYMPTOMS = ("npu-unavailable", "more-ranks-than-devices", "device-number-absent", "device-id-invalid")
_CODES = ("207004", "107001")


class VisibleDevicesNotAscending(Check):
    """ASCEND_RT_VISIBLE_DEVICES is not in ascending order, or names a card twice."""

    id = "VIS004"
    causes = ("visible-devices-not-ascending",)
    rank = 9

    def check(self, facts: HostFacts, signals: Signals | None = None) -> Iterator[Finding]:
        """Fires on the runtime's refusal, and on a list that it will refuse."""
        refused = signals.of(*_REFUSED) if signals else ()
        chosen = selection_of(facts, RUNTIME)
        unordered = chosen is not None and not chosen.is_ascending
        if not refused and not unordered:
            return
        value = next(
            (text for one in refused if (text := one.get("value").strip())), chosen.value if chosen else ""
        )
        seen = (*signals.of(*_SYMPTOMS), *signals.codes(*_CODES)) if signals else ()
        ordered = ",".join(str(number) for number in sorted(set(ids_of(value)))) or "0,1"
        yield self.finding(
            title=say("ASCEND_RT_VISIBLE_DEVICES is not in ascending order"),
            observed=say("the list is {value}", value=value or say("not ascending, or names a card twice")),
            expected=say("each number once and in ascending order: {value}", value=ordered),
            why=say(
                "CANN reads the list in ascending order only; another order is refused, or leaves no card at all"
            ),
            confidence=Confidence.CERTAIN if refused else Confidence.LIKELY,
            severity=Severity.ERROR if refused or seen or is_measured(facts, chosen) else Severity.WARNING,
            evidence=(*(one.evidence for one in (*refused, *seen)), *(chosen.evidence if chosen else ())),
            fix=(
                Fix(
                    f"export ASCEND_RT_VISIBLE_DEVICES={ordered}", say("before the first import of torch_npu")
                ),
            ),
            sources=(
                "hicann/runtime: docs/zh/env_vars/ASCEND_RT_VISIBLE_DEVICES.md",
                "https://github.com/gpustack/gpustack/issues/2527",
            ),
        )
