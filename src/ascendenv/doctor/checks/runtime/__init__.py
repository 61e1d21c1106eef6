"""Checks of the daily work: memory, speed, operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.runtime.allocator_option import AllocatorOption
from ascendenv.doctor.checks.runtime.forked_process import ForkedProcess
from ascendenv.doctor.checks.runtime.kernel_failure import KernelFailure
from ascendenv.doctor.checks.runtime.known_symptom import KnownSymptom
from ascendenv.doctor.checks.runtime.master_port_in_use import MasterPortInUse
from ascendenv.doctor.checks.runtime.out_of_memory import OutOfMemory
from ascendenv.doctor.checks.runtime.slow_settings import SlowSettings
from ascendenv.doctor.checks.runtime.unexplained_code import UnexplainedCode
from ascendenv.doctor.checks.runtime.unsupported_operator import UnsupportedOperator

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

CHECKS: tuple[type[Check], ...] = (
    OutOfMemory,
    SlowSettings,
    UnsupportedOperator,
    KernelFailure,
    MasterPortInUse,
    ForkedProcess,
    AllocatorOption,
    KnownSymptom,
    UnexplainedCode,
)
