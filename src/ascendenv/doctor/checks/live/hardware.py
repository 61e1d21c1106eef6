"""What to run where a card computes wrongly: its health, and the vendor's own tests that are installed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.device.hardware_tests import hardware_tests
from ascendenv.doctor.finding import Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts

__all__ = ["card_tests"]


def card_tests(facts: HostFacts) -> tuple[Fix, ...]:
    """The health page of npu-smi in any case, and a step for each tool of the vendor that is here."""
    health = Fix("npu-smi info -t health -i 0", say("the fault codes of the card; -i is its NPU number"))
    return (health, *hardware_tests(facts))
