"""Fix steps of the CANN checks, for the box that the facts describe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.fixes import install_cann, install_torch_pair
from ascendenv.facts.unknown import known

if TYPE_CHECKING:
    from ascendenv.doctor.finding import Fix
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.versions import Version

__all__ = ["install_same_cann", "install_this_cann", "install_wanted_cann", "pair_torch_npu"]


def install_same_cann(matrix: Matrix, facts: HostFacts) -> tuple[Fix, ...]:
    """Steps that install toolkit and ops of the CANN in use once more; without one, the CANN torch_npu wants."""
    return install_this_cann(matrix, facts, known(facts.cann))


def install_wanted_cann(matrix: Matrix, facts: HostFacts) -> tuple[Fix, ...]:
    """Steps that install the CANN that the installed torch_npu is made for."""
    return install_this_cann(matrix, facts, None)


def install_this_cann(matrix: Matrix, facts: HostFacts, cann: Version | None) -> tuple[Fix, ...]:
    """Steps that install that CANN on this box."""
    return install_cann(
        matrix,
        cann=cann,
        torch_npu=known(facts.torch_npu),
        chip=known(facts.chip),
        arch=known(facts.arch),
    )


def pair_torch_npu(matrix: Matrix, facts: HostFacts) -> tuple[Fix, ...]:
    """Steps that install the torch and torch_npu pair for the CANN in use."""
    return install_torch_pair(
        matrix,
        torch=known(facts.torch),
        torch_npu=known(facts.torch_npu),
        cann=known(facts.cann),
        arch=known(facts.arch),
        python=known(facts.python),
    )
