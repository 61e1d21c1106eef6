"""Checks of the CANN toolkit and its packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.cann.aclnn_operator_missing import AclnnOperatorMissing
from ascendenv.doctor.checks.cann.binary_for_other_cann import BinaryForOtherCann
from ascendenv.doctor.checks.cann.broken_link import BrokenCannLink
from ascendenv.doctor.checks.cann.compile_folder_not_writable import CompileFolderNotWritable
from ascendenv.doctor.checks.cann.compiler_not_started import CompilerNotStarted
from ascendenv.doctor.checks.cann.compiler_package_missing import CompilerPackageMissing
from ascendenv.doctor.checks.cann.components_differ import ComponentsDiffer
from ascendenv.doctor.checks.cann.crash_on_other_cann import CrashOnOtherCann
from ascendenv.doctor.checks.cann.custom_library_missing import CustomLibraryMissing
from ascendenv.doctor.checks.cann.environment_not_sourced import CannEnvironmentNotSourced
from ascendenv.doctor.checks.cann.kernels_not_found import KernelsNotFound
from ascendenv.doctor.checks.cann.library_not_found import CannLibraryNotFound
from ascendenv.doctor.checks.cann.mixed_toolkits import MixedToolkits
from ascendenv.doctor.checks.cann.numpy_too_new import NumpyTooNew
from ascendenv.doctor.checks.cann.operator_compile_failed import OperatorCompileFailed
from ascendenv.doctor.checks.cann.opp_unreadable import OppUnreadable
from ascendenv.doctor.checks.cann.ops_mismatch import OpsMismatch
from ascendenv.doctor.checks.cann.platform_info_missing import PlatformInfoMissing
from ascendenv.doctor.checks.cann.prerelease_toolkit import PrereleaseToolkit
from ascendenv.doctor.checks.cann.scipy_numpy_mismatch import ScipyNumpyMismatch
from ascendenv.doctor.checks.cann.symbol_missing import CannSymbolMissing
from ascendenv.doctor.checks.cann.tbe_not_importable import TbeNotImportable
from ascendenv.doctor.checks.cann.torch_npu_mismatch import TorchNpuMismatch

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

__all__ = ["CHECKS"]

CHECKS: tuple[type[Check], ...] = (
    CannLibraryNotFound,
    CannEnvironmentNotSourced,
    BrokenCannLink,
    CannSymbolMissing,
    CompilerPackageMissing,
    TbeNotImportable,
    PlatformInfoMissing,
    CompilerNotStarted,
    OperatorCompileFailed,
    KernelsNotFound,
    OppUnreadable,
    AclnnOperatorMissing,
    CustomLibraryMissing,
    NumpyTooNew,
    ScipyNumpyMismatch,
    CompileFolderNotWritable,
    MixedToolkits,
    PrereleaseToolkit,
    TorchNpuMismatch,
    BinaryForOtherCann,
    OpsMismatch,
    CrashOnOtherCann,
    ComponentsDiffer,
)
