"""Devices that cannot be reached, opened, started or kept: nodes, rights, containers, memory, health."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.device.aicpu_package_load_failed import AicpuPackageLoadFailed
from ascendenv.doctor.checks.device.chip_unhealthy import ChipUnhealthy
from ascendenv.doctor.checks.device.container_device_busy import ContainerDeviceBusy
from ascendenv.doctor.checks.device.container_missing_devices import ContainerMissingDevices
from ascendenv.doctor.checks.device.container_mounts_incomplete import ContainerMountsIncomplete
from ascendenv.doctor.checks.device.dev_node_permission import DeviceNodePermission
from ascendenv.doctor.checks.device.device_busy import DeviceBusy
from ascendenv.doctor.checks.device.device_lost_heartbeat import DeviceLostHeartbeat
from ascendenv.doctor.checks.device.device_not_released import DeviceNotReleased
from ascendenv.doctor.checks.device.device_plugin_chip_mismatch import DevicePluginChipMismatch
from ascendenv.doctor.checks.device.device_start_failed import DeviceStartFailed
from ascendenv.doctor.checks.device.driver_not_mounted import DriverNotMounted
from ascendenv.doctor.checks.device.hbm_ecc import HbmEcc
from ascendenv.doctor.checks.device.hbm_occupied import HbmOccupied
from ascendenv.doctor.checks.device.host_memory_not_pinned import HostMemoryNotPinned
from ascendenv.doctor.checks.device.nodes_missing import NodesMissing
from ascendenv.doctor.checks.device.npu_smi_hangs import NpuSmiHangs
from ascendenv.doctor.checks.device.npu_unreachable import NpuUnreachable
from ascendenv.doctor.checks.device.privileged_container_sees_all import PrivilegedContainerSeesAll
from ascendenv.doctor.checks.device.rt_visible_devices_unset_in_pod import RtVisibleDevicesUnsetInPod
from ascendenv.doctor.checks.device.sandbox_blocks_devices import SandboxBlocksDevices
from ascendenv.doctor.checks.device.uid_without_passwd_entry import UidWithoutPasswdEntry
from ascendenv.doctor.checks.device.vnpu_misconfigured import VnpuMisconfigured

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

CHECKS: tuple[type[Check], ...] = (
    NpuUnreachable,
    DeviceBusy,
    DeviceStartFailed,
    DeviceNodePermission,
    UidWithoutPasswdEntry,
    SandboxBlocksDevices,
    ContainerMissingDevices,
    ContainerMountsIncomplete,
    DriverNotMounted,
    ContainerDeviceBusy,
    PrivilegedContainerSeesAll,
    RtVisibleDevicesUnsetInPod,
    DevicePluginChipMismatch,
    VnpuMisconfigured,
    DeviceNotReleased,
    AicpuPackageLoadFailed,
    DeviceLostHeartbeat,
    ChipUnhealthy,
    HbmEcc,
    HbmOccupied,
    HostMemoryNotPinned,
    NodesMissing,
    NpuSmiHangs,
)
