"""Choosing the cards: ASCEND_RT_VISIBLE_DEVICES, what is mistaken for it, and counting none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.visibility.cuda_visible_devices_set import CudaVisibleDevicesSet
from ascendenv.doctor.checks.visibility.no_visible_devices import NoVisibleDevices
from ascendenv.doctor.checks.visibility.npu_ids_not_contiguous import NpuIdsNotContiguous
from ascendenv.doctor.checks.visibility.visible_devices_empty import VisibleDevicesEmpty
from ascendenv.doctor.checks.visibility.visible_devices_not_ascending import VisibleDevicesNotAscending
from ascendenv.doctor.checks.visibility.visible_devices_out_of_range import VisibleDevicesOutOfRange
from ascendenv.doctor.checks.visibility.visible_devices_set_late import VisibleDevicesSetLate

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

CHECKS: tuple[type[Check], ...] = (
    NoVisibleDevices,
    VisibleDevicesEmpty,
    VisibleDevicesOutOfRange,
    VisibleDevicesNotAscending,
    VisibleDevicesSetLate,
    NpuIdsNotContiguous,
    CudaVisibleDevicesSet,
)
