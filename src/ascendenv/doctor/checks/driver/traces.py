"""What the facts tell about the driver on a box, for several checks of this family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.facts.unknown import Unknown

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

__all__ = ["cards_answer", "cards_on_bus", "device_symptoms", "driver_is_loaded", "has_driver_modules"]

MODULES = ("drv_pcie_host", "drv_vpcie", "tc_pcidev", "drv_davinci_intf_host", "asdrv_pbl", "ascend_uda")
"""Modules of which every working host has at least one (the installer itself looks for the first three)."""
UNREACHABLE = ("-8005", "-8020", "507899", "drv:4", "drv:87", "drv:1")


def has_driver_modules(modules: frozenset[str]) -> bool:
    """Whether any module of the Ascend driver is among these loaded ones."""
    return any(name in MODULES or name.startswith(("drv_davinci", "drv_pcie", "asdrv_")) for name in modules)


def driver_is_loaded(facts: HostFacts) -> bool:
    """Whether something proves that the driver was installed and answered: a card table, a version, a module."""
    if facts.npus or not isinstance(facts.driver, Unknown) or cards_answer(facts):
        return True
    return bool(facts.kernel_modules) and has_driver_modules(facts.kernel_modules or frozenset())


def device_symptoms(signals: Signals) -> tuple[Signal, ...]:
    """The lines that say that the devices cannot be reached."""
    return signals.codes(*UNREACHABLE)


def cards_answer(facts: HostFacts) -> bool:
    """Whether npu-smi was asked on the box itself and answered: what older logs complain of is over then."""
    return facts.npu_smi_answer == "ok"


def cards_on_bus(matrix: Matrix, facts: HostFacts) -> int:
    """How many whole NPUs the bus of this box shows; 0 where nothing tells."""
    numbers = {number.rpartition(":")[2] for family in matrix.families.values() for number in family.pci}
    functions = facts.pci or ()
    return sum(one.device.removeprefix("0x") in numbers and not one.virtual for one in functions)
