"""How the CANN in use stands to the torch_npu that is installed."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from ascendenv.facts.unknown import known
from ascendenv.matrix.fit import cann_level, covers
from ascendenv.matrix.level import Level
from ascendenv.versions import Version, VersionLine

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix

__all__ = ["Standing", "standing_of", "wanted_cann"]


class Standing(Enum):
    """Where the CANN in use lies, seen from the releases that this torch_npu is made for."""

    FITS = "fits"
    OLDER = "older"
    NEWER = "newer"


def standing_of(matrix: Matrix, facts: HostFacts) -> Standing | None:
    """The standing by the table; None when a version is not known or the table does not have it."""
    cann, torch_npu = known(facts.cann), known(facts.torch_npu)
    release = matrix.find_torch_npu(torch_npu) if torch_npu is not None else None
    if cann is None or release is None or not release.cann:
        return None
    level = cann_level(release, cann, matrix.find_cann(cann))
    if level >= Level.COMPATIBLE:
        return Standing.FITS
    return Standing.OLDER if _before(cann, release.cann[0]) else Standing.NEWER


def wanted_cann(matrix: Matrix, torch_npu: Version | None) -> str:
    """The CANN that this torch_npu is made for, as text; empty when the table does not tell."""
    release = matrix.find_torch_npu(torch_npu) if torch_npu is not None else None
    return ", ".join(str(one) for one in release.cann) if release is not None else ""


def _before(cann: Version, wanted: Version | VersionLine) -> bool:
    if isinstance(wanted, VersionLine):
        return cann.release[: len(wanted.release)] < wanted.release
    return cann < wanted and not covers(wanted, cann)
