"""What the facts tell about the driver on a box, for several checks of this family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.observed import MODULES, cards_answer, cards_on_bus
from ascendenv.facts.unknown import Unknown

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signal, Signals

__all__ = ["cards_answer", "cards_on_bus", "device_symptoms", "driver_is_loaded", "has_driver_modules"]

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
