"""What the npu-smi table says about chips that are sick or full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.facts.unknown import known

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascendenv.facts.model import HostFacts, Npu
    from ascendenv.signals.model import Signals

__all__ = ["failing_devices", "full_chips", "names_of", "sick_chips"]

NEARLY_FULL = 0.85
"""The share of HBM in use above which nothing of size fits beside it."""
_WELL = "OK"


def sick_chips(facts: HostFacts) -> tuple[Npu, ...]:
    """Chips whose Health column is not OK."""
    return tuple(npu for npu in known(facts.npus) or () if npu.health and npu.health.upper() != _WELL)


def full_chips(facts: HostFacts, device: str = "") -> tuple[Npu, ...]:
    """Chips whose HBM is nearly full; with `device`, only the chip of that number where it can be told apart."""
    npus = known(facts.npus) or ()
    chosen = [npu for place, npu in enumerate(npus) if not device.isdigit() or place == int(device)]
    return tuple(npu for npu in chosen or npus if _share(npu) >= NEARLY_FULL)


def failing_devices(signals: Signals) -> tuple[str, ...]:
    """The device numbers that the log says could not be opened or started."""
    found = signals.of("device-open-failed", "device-service-start-failed", "device-start-failed")
    return tuple(dict.fromkeys(number for one in found if (number := one.get("device")).isdigit()))


def names_of(npus: Iterable[Npu]) -> str:
    """The chips in words: `NPU 3`, and `NPU 0 chip 1` where an NPU has several."""
    return ", ".join(f"NPU {npu.npu_id}" + (f" chip {npu.chip_id}" if npu.chip_id else "") for npu in npus)


def _share(npu: Npu) -> float:
    used, total = (npu.hbm_used, npu.hbm_total) if npu.hbm_total else (npu.memory_used, npu.memory_total)
    return used / total if used is not None and total else 0.0
