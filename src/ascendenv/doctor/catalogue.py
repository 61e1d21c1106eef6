"""All checks, in the order of their families: from the driver on the host up to the daily work."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

__all__ = ["FAMILIES", "catalogue"]

FAMILIES = (
    "driver",
    "device",
    "visibility",
    "cann",
    "nnal",
    "torch",
    "package",
    "system",
    "hccl",
    "chip",
    "runtime",
    "live",
)


@lru_cache(maxsize=1)
def catalogue() -> tuple[type[Check], ...]:
    """Every check that ships with ascendenv."""
    checks: list[type[Check]] = []
    for family in FAMILIES:
        checks.extend(import_module(f"ascendenv.doctor.checks.{family}").CHECKS)
    return tuple(checks)
