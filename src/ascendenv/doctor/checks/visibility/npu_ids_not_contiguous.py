"""The NPU numbers of npu-smi have gaps, so they are not the numbers of the runtime."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.visibility.npu_ids import gap_in, numbers_of
from ascendenv.doctor.checks.visibility.selection import RUNTIME, selection_of
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.observed import card_nodes
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signals

__all__ = ["NpuIdsNotContiguous"]

_SYMPTOMS = (
    "device-id-invalid",
    "visible-device-invalid",
    "visible-devices-outside",
    "more-ranks-than-devices",
)
_CODES = ("107001", "207004")


class NpuIdsNotContiguous(Check):
    """The NPU numbers that npu-smi shows have gaps; the runtime counts 0, 1, 2."""

    id = "VIS006"
    causes = ("npu-ids-not-contiguous",)
    rank = 4

    def check(self, facts: HostFacts, signals: Signals | None = None) -> Iterator[Finding]:
        """Fires on gaps: an error when they were copied into the variable and refused, else a warning or a hint."""
        if not gap_in(facts) or _are_nodes_of_container(facts):
            return
        numbers = numbers_of(facts)
        chosen = selection_of(facts, RUNTIME)
        copied = chosen is not None and any(
            number >= len(numbers) and number in numbers for number in chosen.ids
        )
        seen = (*signals.of(*_SYMPTOMS), *signals.codes(*_CODES)) if signals else ()
        chips = known(facts.npus) or ()
        right = ",".join(str(number) for number in range(len(chips)))
        yield self.finding(
            title=say("The NPU numbers of npu-smi have gaps, and the runtime counts without"),
            observed=say("npu-smi shows NPU {numbers}", numbers=", ".join(map(str, numbers))),
            expected=say("numbers 0 to {last} for ASCEND_RT_VISIBLE_DEVICES and torch", last=len(chips) - 1),
            why=say(
                "the NPU column names slots; the runtime numbers the chips in order, two for a duo card or an A3"
            ),
            confidence=Confidence.LIKELY if copied else Confidence.POSSIBLE,
            severity=_severity(copied=copied, seen=bool(seen)),
            evidence=(
                *(chosen.evidence if chosen is not None and copied else ()),
                *(one.evidence for one in seen),
                *facts.seen("npus"),
            ),
            fix=(
                Fix("npu-smi info -m", say("the column Chip Logic ID is the number to use")),
                Fix(
                    f"export ASCEND_RT_VISIBLE_DEVICES={right}",
                    say("or a part of it, for all chips shown here"),
                ),
            ),
            sources=(
                "https://github.com/vllm-project/vllm-ascend/pull/10227",
                "https://github.com/ollama/ollama/issues/5315",
            ),
        )


def _severity(*, copied: bool, seen: bool) -> Severity:
    if copied:
        return Severity.ERROR if seen else Severity.WARNING
    return Severity.INFO


def _are_nodes_of_container(facts: HostFacts) -> bool:
    """Whether the numbers are those of the cards that this container was given: then nothing is missing between them."""
    return (
        bool(facts.in_container)
        and bool(card_nodes(facts))
        and set(numbers_of(facts)) <= set(card_nodes(facts))
    )
