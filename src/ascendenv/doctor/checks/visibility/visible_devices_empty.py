"""ASCEND_RT_VISIBLE_DEVICES is set and empty: no card is visible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.visibility.selection import RUNTIME, is_measured, selection_of
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signals

__all__ = ["VisibleDevicesEmpty"]

_UNAVAILABLE = ("npu-unavailable", "more-ranks-than-devices", "device-number-absent")


class VisibleDevicesEmpty(Check):
    """ASCEND_RT_VISIBLE_DEVICES is empty, often cleared by Ray."""

    id = "VIS002"
    causes = ("visible-devices-empty",)
    rank = 7

    def check(self, facts: HostFacts, signals: Signals | None = None) -> Iterator[Finding]:
        """Fires on an empty variable, on Ray counting no NPU, and on workers of Ray that find none."""
        chosen = selection_of(facts, RUNTIME)
        empty = chosen is not None and not chosen.value
        refused = signals.of("ray-resource-missing") if signals else ()
        hints = signals.of("ray-actor-without-npu") if signals else ()
        unavailable = signals.of(*_UNAVAILABLE) if signals else ()
        if unavailable and chosen is None and signals:
            hints = (*hints, *signals.of("ray-worker"))
        if not (empty or refused or hints):
            return
        likely = bool(refused or ((empty or hints) and unavailable) or (empty and is_measured(facts, chosen)))
        yield self.finding(
            title=say("No card is visible: ASCEND_RT_VISIBLE_DEVICES is empty"),
            observed=say("ASCEND_RT_VISIBLE_DEVICES is set to nothing")
            if empty
            else say("Ray gave its workers no NPU, and then empties the variable for them"),
            expected=say("the variable unset, or a list such as 0,1; in Ray, NPU resources for each actor"),
            why=say("an empty list hides every card; Ray empties it for actors that ask for no accelerator"),
            confidence=Confidence.LIKELY if likely else Confidence.POSSIBLE,
            severity=Severity.ERROR if likely else Severity.WARNING,
            evidence=(
                *(chosen.evidence if chosen is not None and empty else ()),
                *(one.evidence for one in (*refused, *hints, *unavailable)),
            ),
            fix=(
                Fix("unset ASCEND_RT_VISIBLE_DEVICES", say("outside of Ray")),
                Fix(
                    "ray start --head --resources='{\"NPU\": 8}'",
                    say("and ask for it in each actor with options(resources=...), not with num_gpus"),
                ),
                Fix(
                    "export RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO=0",
                    say("Ray 2.55 and newer: keeps the variable of actors that ask for none"),
                ),
                Fix(
                    "export RAY_EXPERIMENTAL_NOSET_ASCEND_RT_VISIBLE_DEVICES=1",
                    say("or keep Ray from touching the variable, on every node before `ray start`"),
                ),
            ),
            sources=(
                "https://github.com/ray-project/ray/issues/59063",
                "zhshgmail/easyr1-npu: knowledge/npu-patterns.md, NPU-BUG-002",
            ),
        )
