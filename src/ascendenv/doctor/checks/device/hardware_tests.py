"""The vendor's own tests of the hardware, where they are installed: named, never run without being asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.finding import Fix
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts

__all__ = ["hardware_tests"]


def hardware_tests(facts: HostFacts) -> tuple[Fix, ...]:
    """The commands that would add evidence about the cards, one for each tool that this box has."""
    return tuple(step for path in known(facts.evidence_tools) or () for step in _steps(path))


def _steps(path: str) -> tuple[Fix, ...]:
    if path.endswith("ascend-dmi"):
        return (
            Fix(
                f"{path} -dg -i aicore -q",
                say("the vendor's test of the AI cores; no job may run meanwhile"),
                needs_root=True,
                disruptive=True,
            ),
        )
    return (Fix(f"{path} health", say("the vendor's health report of all cards"), needs_root=True),)
