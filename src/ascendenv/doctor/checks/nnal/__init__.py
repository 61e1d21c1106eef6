"""Checks of NNAL, the package that holds ATB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.nnal.abis_mixed import AbisMixed
from ascendenv.doctor.checks.nnal.atb_not_found import AtbNotFound
from ascendenv.doctor.checks.nnal.atb_symbol_missing import AtbSymbolMissing
from ascendenv.doctor.checks.nnal.nnal_library_incomplete import NnalLibraryIncomplete
from ascendenv.doctor.checks.nnal.nnal_version_differs import NnalVersionDiffers
from ascendenv.doctor.checks.nnal.trees_mixed import AtbTreesMixed

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

__all__ = ["CHECKS"]

CHECKS: tuple[type[Check], ...] = (
    AtbNotFound,
    AtbSymbolMissing,
    NnalLibraryIncomplete,
    AbisMixed,
    NnalVersionDiffers,
    AtbTreesMixed,
)
