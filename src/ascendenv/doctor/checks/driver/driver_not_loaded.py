"""DRV002: the kernel modules of the driver are not loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.traces import (
    cards_answer,
    cards_on_bus,
    device_symptoms,
    has_driver_modules,
)
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.fixes import reboot
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals

TOLD = "driver-modules-told-absent"
SILENT = ("failed", "timeout")
"""What npu-smi did on the box when its cards cannot be reached."""


class DriverNotLoaded(Check):
    """The list of loaded kernel modules holds none of the Ascend driver."""

    id = "DRV002"
    causes = ("driver-not-loaded",)
    consequence_of = ("DRV001", "DRV003", "DRV004", "DRV021")
    rank = 8

    def check(
        self,
        facts: HostFacts,
        matrix: Matrix,
        kernel_modules: frozenset[str] | None = None,
        signals: Signals | None = None,
    ) -> Iterator[Finding]:
        """Absent modules are the cause where the devices do not answer, and only a hint where nobody complains."""
        told = signals.of(TOLD) if signals else ()
        if facts.in_container or facts.npus or cards_answer(facts):
            return
        if not told and (kernel_modules is None or has_driver_modules(kernel_modules)):
            return
        symptoms = device_symptoms(signals) if signals else ()
        if not symptoms and not told and _needs_none(matrix, facts):
            return
        broken = bool(symptoms) or facts.npu_smi_answer in SILENT
        yield self.finding(
            title=say("The driver's kernel modules are not loaded"),
            observed=say("no drv_*, ascend_* or asdrv_* module is among the loaded ones"),
            expected=say("drv_pcie_host or tc_pcidev and their companions in lsmod"),
            severity=Severity.ERROR if broken else Severity.WARNING,
            confidence=Confidence.CERTAIN if broken else Confidence.LIKELY,
            evidence=(*(one.evidence for one in (*told, *symptoms)), *facts.seen("kernel_modules")),
            fix=(
                Fix("dmesg | grep -iE 'ascend|davinci|drv_' | tail -50", say("says why they did not load")),
                Fix("depmod -a && modprobe drv_pcie_host && modprobe drv_davinci_intf_host", needs_root=True),
                reboot(),
            ),
            sources=("hicann/driver: scripts/package/driver/common/scripts/run_driver_install.sh",),
        )


def _needs_none(matrix: Matrix, facts: HostFacts) -> bool:
    """Whether the box was looked at and has no card, or no driver of which modules could be loaded."""
    bare = isinstance(facts.pci, tuple) and not cards_on_bus(matrix, facts)
    return bare or facts.driver_files is False
