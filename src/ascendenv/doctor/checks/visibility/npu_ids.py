"""The NPU numbers of npu-smi, and whether they can be mistaken for the runtime's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.facts.unknown import known

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts

__all__ = ["gap_in", "numbers_of"]


def numbers_of(facts: HostFacts) -> tuple[int, ...]:
    """The different numbers of the NPU column, in ascending order."""
    return tuple(sorted({npu.npu_id for npu in known(facts.npus) or ()}))


def gap_in(facts: HostFacts) -> bool:
    """Whether the numbers are something else than 0, 1, 2 and so on."""
    numbers = numbers_of(facts)
    return bool(numbers) and numbers != tuple(range(len(numbers)))
