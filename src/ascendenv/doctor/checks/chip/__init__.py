"""Whether the software knows the chip in this box, and was built for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.chip.built_for_other_chip import BuiltForOtherChip
from ascendenv.doctor.checks.chip.chip_newer_than_release import ChipNewerThanRelease
from ascendenv.doctor.checks.chip.chip_not_served import ChipNotServed
from ascendenv.doctor.checks.chip.soc_refused import SocRefused

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

__all__ = ["CHECKS"]

CHECKS: tuple[type[Check], ...] = (SocRefused, ChipNotServed, BuiltForOtherChip, ChipNewerThanRelease)
