"""Which family of chips a text or a box speaks of, and what was made for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.facts.unknown import known

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.names import Chip
    from ascendenv.matrix.rows.releases import CannRelease
    from ascendenv.versions import Version

__all__ = [
    "NEWER",
    "NOT_SERVED",
    "chip_of_box",
    "family_named",
    "family_of_box",
    "first_cann_for",
    "newest_cann_for",
]


NEWER = ("A3", "950")
"""Families that releases before them cannot know."""
NOT_SERVED = ("910A", "310B", "310")
"""Families that vllm-ascend and the operators of large models do not serve (vllm-ascend FAQ: 910, 910 Pro B, 310B)."""


def family_named(matrix: Matrix, text: str) -> str | None:
    """The family behind any name of a chip, product or image; None where nobody uses that name."""
    if not text:
        return None
    name = text.replace(" ", "_")
    chip = matrix.find_chip(name)
    if chip is not None:
        return chip.family
    product = matrix.find_product(name)
    if product is not None:
        return product.family
    return "310" if name.lower().removeprefix("ascend") == "310" else None


def chip_of_box(matrix: Matrix, facts: HostFacts) -> Chip | None:
    """The chip of this box as the matrix knows it."""
    name = known(facts.chip)
    return matrix.find_chip(name) if name else None


def family_of_box(matrix: Matrix, facts: HostFacts) -> str | None:
    """The family of the chips in this box; None where it is not known."""
    name = known(facts.chip)
    return family_named(matrix, name) if name else None


def newest_cann_for(matrix: Matrix, family: str) -> CannRelease | None:
    """The newest released CANN that has kernels for that family."""
    return next(
        (one for one in matrix.cann.values() if one.channel == "release" and family in one.chips), None
    )


def first_cann_for(matrix: Matrix, chip: Chip) -> Version | None:
    """The first CANN that has kernels for that chip; None where it always had, or nothing tells."""
    if chip.first_cann is not None or chip.family not in NEWER:
        return chip.first_cann
    return min((one.version for one in matrix.cann.values() if chip.family in one.chips), default=None)
