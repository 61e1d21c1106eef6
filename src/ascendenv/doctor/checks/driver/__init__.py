"""The driver and firmware on the host, and the installers of the stack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.driver.device_not_booted import DeviceNotBooted
from ascendenv.doctor.checks.driver.driver_library_missing import DriverLibraryMissing
from ascendenv.doctor.checks.driver.driver_not_loaded import DriverNotLoaded
from ascendenv.doctor.checks.driver.driver_too_old import DriverTooOld
from ascendenv.doctor.checks.driver.firmware_mismatch import FirmwareMismatch
from ascendenv.doctor.checks.driver.firmware_not_written import FirmwareNotWritten
from ascendenv.doctor.checks.driver.install_conflict import InstallConflict
from ascendenv.doctor.checks.driver.install_devices_busy import InstallDevicesBusy
from ascendenv.doctor.checks.driver.install_incomplete import InstallIncomplete
from ascendenv.doctor.checks.driver.install_user_missing import InstallUserMissing
from ascendenv.doctor.checks.driver.installer_needs_root import InstallerNeedsRoot
from ascendenv.doctor.checks.driver.installer_no_space import InstallerNoSpace
from ascendenv.doctor.checks.driver.installer_tools_missing import InstallerToolsMissing
from ascendenv.doctor.checks.driver.kernel_modules_unfit import KernelModulesUnfit
from ascendenv.doctor.checks.driver.no_hardware import NoHardware
from ascendenv.doctor.checks.driver.nothing_installed import NothingInstalled
from ascendenv.doctor.checks.driver.os_unsupported import OsUnsupported
from ascendenv.doctor.checks.driver.package_too_old_for_board import PackageTooOldForBoard
from ascendenv.doctor.checks.driver.package_unreadable import PackageUnreadable
from ascendenv.doctor.checks.driver.reboot_pending import RebootPending
from ascendenv.doctor.checks.driver.run_install_pip_missing import RunInstallPipMissing
from ascendenv.doctor.checks.driver.wrong_arch_package import WrongArchPackage

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

__all__ = ["CHECKS"]

CHECKS: tuple[type[Check], ...] = (
    DriverLibraryMissing,
    DriverNotLoaded,
    RebootPending,
    KernelModulesUnfit,
    InstallerToolsMissing,
    InstallUserMissing,
    InstallConflict,
    DriverTooOld,
    FirmwareMismatch,
    FirmwareNotWritten,
    OsUnsupported,
    WrongArchPackage,
    RunInstallPipMissing,
    PackageUnreadable,
    InstallerNoSpace,
    InstallDevicesBusy,
    InstallerNeedsRoot,
    PackageTooOldForBoard,
    DeviceNotBooted,
    InstallIncomplete,
    NoHardware,
    NothingInstalled,
)
