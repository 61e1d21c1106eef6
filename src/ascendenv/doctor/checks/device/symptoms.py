"""Whether the texts show that a device was wanted and not had: what turns a doubtful setting into an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascendenv.signals.model import Signal, Signals

__all__ = ["LIBRARIES", "missing_driver_libraries", "symptoms"]

_CODES = (
    "-8005",
    "-8020",
    "-9005",
    "drv:4",
    "drv:87",
    "507033",
    "507899",
    "507008",
    "207004",
    "207006",
    "107001",
    "E39002",
    "E39007",
    "EL0001",
    "EL0005",
    "EL0015",
)
_TEXTS = (
    "dcmi-init-failed",
    "console-log-level-failed",
    "board-type-unknown",
    "device-node-denied",
    "device-node-absent",
    "device-open-failed",
    "device-service-start-failed",
    "device-start-failed",
    "npu-unavailable",
    "more-ranks-than-devices",
)
LIBRARIES = ("libascend_hal", "libdrvdsmi_host", "libdcmi", "libc_sec", "libmmpa", "libdrv")
"""How the names of the driver's libraries begin."""


def symptoms(signals: Signals) -> tuple[Signal, ...]:
    """The signals that say that no device, or not this one, could be used; in the order in which they were seen."""
    found = (*signals.codes(*_CODES), *signals.of(*_TEXTS), *missing_driver_libraries(signals))
    return tuple(signal for signal in signals if signal in found)


def missing_driver_libraries(signals: Signals) -> tuple[Signal, ...]:
    """The signals that name a library of the driver as not found."""
    return tuple(one for one in signals.of("missing-library") if one.get("library").startswith(LIBRARIES))
