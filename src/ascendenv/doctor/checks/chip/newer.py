"""The steps that bring software which knows a chip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.chip.families import newest_cann_for
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.fixes import install_cann, install_torch_pair
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix

__all__ = ["image_of", "newer_release"]

VLLM_TAGS = {"910B": "", "A3": "-a3", "310P": "-310p", "950": "-950dt"}
"""What vllm-ascend appends to the tag of its image for each family (its installation page)."""


def image_of(matrix: Matrix, family: str) -> tuple[Fix, ...]:
    """The steps that take the image of that family."""
    row = matrix.family(family)
    steps = []
    if family in VLLM_TAGS:
        steps.append(
            Fix(
                f"docker pull quay.io/ascend/vllm-ascend:v<version>{VLLM_TAGS[family]}",
                say("the image of vllm-ascend for {family}", family=family),
            )
        )
    if row is not None and row.image_tag:
        steps.append(
            Fix(
                f"docker pull quay.io/ascend/cann:<version>-{row.image_tag}-ubuntu22.04-py3.11",
                say("the CANN image for {family}", family=family),
            )
        )
    return tuple(steps)


def newer_release(matrix: Matrix, facts: HostFacts, family: str | None) -> tuple[Fix, ...]:
    """The steps that bring CANN, torch and torch_npu of a release that knows the family, or its image."""
    if family is None:
        return (
            Fix(note=say("take the newest release line that lists this chip, with its CANN and torch_npu")),
        )
    cann = newest_cann_for(matrix, family)
    version = cann.version if cann else None
    arch = known(facts.arch)
    return (
        *image_of(matrix, family),
        *install_cann(matrix, cann=version, chip=known(facts.chip) or family, arch=arch),
        *install_torch_pair(matrix, cann=version, arch=arch, python=known(facts.python)),
    )
