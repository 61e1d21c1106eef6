"""What the matrix says about the driver of this box and the CANN that runs on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.facts.unknown import known
from ascendenv.matrix.relations import Given, Level, judge

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix

__all__ = ["driver_is_too_old"]


def driver_is_too_old(facts: HostFacts, matrix: Matrix) -> bool | None:
    """Whether the table calls this driver and CANN no pair; None where a version or the table is silent."""
    driver, cann = known(facts.driver), known(facts.cann)
    if driver is None or cann is None:
        return None
    verdict = judge(matrix, Given(driver=driver, cann=cann, chip=known(facts.chip))).verdict
    return None if verdict is Level.UNKNOWN else verdict is Level.BROKEN
