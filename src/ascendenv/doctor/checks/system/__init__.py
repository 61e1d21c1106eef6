"""Checks of system libraries, compilers and the limits of the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.system.cmake_version import CmakeVersion
from ascendenv.doctor.checks.system.compiler_abi import CompilerAbi
from ascendenv.doctor.checks.system.compiler_too_old import CompilerTooOld
from ascendenv.doctor.checks.system.glibc_too_old import GlibcTooOld
from ascendenv.doctor.checks.system.host_memory_exhausted import HostMemoryExhausted
from ascendenv.doctor.checks.system.libstdcxx_too_old import LibstdcxxTooOld
from ascendenv.doctor.checks.system.limits_exhausted import LimitsExhausted
from ascendenv.doctor.checks.system.parts_not_seen import PartsNotSeen
from ascendenv.doctor.checks.system.shared_memory_too_small import SharedMemoryTooSmall
from ascendenv.doctor.checks.system.static_tls import StaticTls

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

CHECKS: tuple[type[Check], ...] = (
    GlibcTooOld,
    LibstdcxxTooOld,
    StaticTls,
    CompilerAbi,
    CompilerTooOld,
    CmakeVersion,
    SharedMemoryTooSmall,
    HostMemoryExhausted,
    LimitsExhausted,
    PartsNotSeen,
)
