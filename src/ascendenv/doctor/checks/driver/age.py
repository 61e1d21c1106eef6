"""How old a driver is, seen from the CANN release that has to run on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.matrix.relations import Given, Level, judge

if TYPE_CHECKING:
    from ascendenv.matrix.model import Matrix
    from ascendenv.versions import Version

__all__ = ["Age", "age_of"]

LINE = 2
"""How many numbers of an HDK version name its line: 25.0 of 25.0.rc1.1. Fixes within a line make no driver old."""


@dataclass(frozen=True)
class Age:
    """A driver beside the release that its CANN is paired with; None where the table does not tell."""

    rejected: bool
    """The table says no to this pair, and the driver is the older side."""
    behind: bool | None
    """The driver's line is older than that of the paired release."""
    wanted: Version | None
    """The paired driver."""
    far_behind: bool = False
    """The driver is of an earlier year's generation than the paired release, e.g. 24.1 beside 25.3."""

    @property
    def suspect(self) -> bool | None:
        """Whether the driver may be blamed: True, False, or None where nothing tells."""
        return True if self.rejected else self.behind


def age_of(
    matrix: Matrix, driver: Version | None, cann: Version | None, chip: str | None = None
) -> Age | None:
    """The age of `driver` for `cann`; None where one of the two is not known."""
    if driver is None or cann is None:
        return None
    found = matrix.find_chip(chip) if chip else None
    paired = matrix.recommended_hdk(cann, found.family if found else None)
    pair = paired.pair_for(found.family if found else None) if paired else None
    wanted = pair.driver if pair else paired.hdk if paired else None
    behind = None if wanted is None else driver.release[:LINE] < wanted.release[:LINE]
    far = wanted is not None and driver.release[0] < wanted.release[0]
    judged = judge(matrix, Given(driver=driver, cann=cann, chip=chip)).of("cann-hdk", "known-break")
    rejected = any(one.level == Level.BROKEN for one in judged)
    return Age(rejected=rejected and behind is not False, behind=behind, wanted=wanted, far_behind=far)
