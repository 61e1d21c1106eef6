"""How the CANN in use stands to the torch_npu that is installed."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from ascendenv.facts.unknown import known
from ascendenv.matrix.relations import Given, Level, judge
from ascendenv.versions import Version, VersionLine

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix

__all__ = ["Standing", "likely_cann", "standing_of", "wanted_cann"]

_LINE = 2
"""How many numbers of a version name a release line: 8.3 of 8.3.RC2."""


class Standing(Enum):
    """Where the CANN in use lies, seen from the releases that this torch_npu is made for."""

    FITS = "fits"
    OLDER = "older"
    NEWER = "newer"


def standing_of(matrix: Matrix, facts: HostFacts) -> Standing | None:
    """The standing by the table; None when a version is not known or the table does not have it.

    A patch of a release line that the table states for this torch_npu fits, stated or not.
    """
    cann, torch_npu = known(facts.cann), known(facts.torch_npu)
    release = matrix.find_torch_npu(torch_npu) if torch_npu is not None else None
    if cann is None or release is None or not release.cann:
        return None
    judged = judge(matrix, Given(cann=cann, torch_npu=torch_npu)).of("cann-torch_npu", "known-break")
    level = min((one.level for one in judged), default=Level.UNKNOWN)
    lines = [one.release[:_LINE] for one in (*release.cann, *release.cann_compatible)]
    line = cann.release[:_LINE]
    if level >= Level.COMPATIBLE or (level == Level.UNKNOWN and line in lines):
        return Standing.FITS
    return Standing.OLDER if line <= max(release.cann[0].release[:_LINE], min(lines)) else Standing.NEWER


def wanted_cann(matrix: Matrix, torch_npu: Version | None) -> str:
    """The CANN that this torch_npu is made for, as text; empty when the table does not tell."""
    release = matrix.find_torch_npu(torch_npu) if torch_npu is not None else None
    return ", ".join(str(one) for one in release.cann) if release is not None else ""


def likely_cann(matrix: Matrix, facts: HostFacts) -> Version | None:
    """The CANN in use; where that was not seen, the one that the installed torch_npu is made for."""
    if (cann := known(facts.cann)) is not None:
        return cann
    torch_npu = known(facts.torch_npu)
    release = matrix.find_torch_npu(torch_npu) if torch_npu is not None else None
    stated = release.cann[0] if release is not None and release.cann else None
    if isinstance(stated, VersionLine):
        return next((row.version for row in matrix.cann.values() if stated.contains(row.version)), None)
    return stated
