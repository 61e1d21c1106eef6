"""What goes with what: the level of every relation between the parts of a stack, each with its reason and source.

The verdict is the worst level among the core relations. Operating system, Python of CANN and life-cycle are listed
beside them and change the verdict only when they are broken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.matrix.conflicts import breaks, contradiction
from ascendenv.matrix.given import Given, Looked
from ascendenv.matrix.hardware_relations import cann_chip, cann_hdk, driver_firmware, hdk_chip
from ascendenv.matrix.level import Level
from ascendenv.matrix.relation import Relation
from ascendenv.matrix.surrounding_relations import cann_python, life_cycle, operating_system, toolkit_ops
from ascendenv.matrix.torch_relations import cann_torch_npu, torch_npu_chip, torch_npu_torch, torch_npu_wheel

if TYPE_CHECKING:
    from collections.abc import Callable

    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix

__all__ = ["CORE", "Given", "Judgement", "Level", "Relation", "judge"]

_RULES: tuple[Callable[[Looked], Relation | None], ...] = (
    driver_firmware,
    cann_hdk,
    hdk_chip,
    cann_chip,
    toolkit_ops,
    cann_torch_npu,
    torch_npu_torch,
    torch_npu_wheel,
    torch_npu_chip,
    cann_python,
    operating_system,
    life_cycle,
)

CORE = frozenset(
    {
        "driver-firmware",
        "cann-hdk",
        "hdk-chip",
        "cann-chip",
        "toolkit-ops",
        "cann-torch_npu",
        "torch_npu-torch",
        "torch_npu-python-arch",
        "torch_npu-chip",
        "known-break",
    }
)
"""The relations whose worst level is the verdict."""


@dataclass(frozen=True)
class Judgement:
    """The verdict on what was given, the relations it rests on, and what the matrix cannot tell."""

    verdict: Level
    relations: tuple[Relation, ...]
    unknown: tuple[Message, ...] = ()

    def of(self, *kinds: str) -> tuple[Relation, ...]:
        """The relations of these kinds."""
        return tuple(one for one in self.relations if one.kind in kinds)


def judge(matrix: Matrix, given: Given, *, today: str | None = None) -> Judgement:
    """How well the given parts go together; with nothing to compare the verdict is UNKNOWN.

    `today` (`2026-11-29`) lets announced life-cycle changes count.
    """
    looked = Looked(matrix, given, today)
    found = [_settled(one, looked) for one in (rule(looked) for rule in _RULES) if one is not None]
    relations = (*found, *breaks(looked))
    unknown = looked.strangers()
    if looked.given.kernel is not None:
        unknown += (
            say("no table of the matrix speaks of kernels, such as {name}", name=looked.given.kernel),
        )
    return Judgement(_verdict(relations), relations, unknown)


def _settled(relation: Relation, looked: Looked) -> Relation:
    """The relation as it stands once sources that contradict each other are weighed."""
    found = contradiction(relation, looked)
    return (
        relation
        if found is None
        else replace(relation, level=found.level, why=found.why, sources=found.sources)
    )


def _verdict(relations: tuple[Relation, ...]) -> Level:
    counted = [one.level for one in relations if one.kind in CORE or one.level == Level.BROKEN]
    if not any(one.kind in CORE for one in relations) and Level.BROKEN not in counted:
        return Level.UNKNOWN
    return min(counted)
