"""DRV002: the kernel modules of the driver are not loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.traces import device_symptoms, has_driver_modules
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.fixes import reboot
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Npu
    from ascendenv.signals.model import Signals


class DriverNotLoaded(Check):
    """The list of loaded kernel modules holds none of the Ascend driver."""

    id = "DRV002"
    causes = ("driver-not-loaded",)
    consequence_of = ("DRV003", "DRV004")
    rank = 8

    def check(
        self,
        kernel_modules: frozenset[str],
        facts: HostFacts,
        in_container: bool | None = None,
        npus: tuple[Npu, ...] | None = None,
        signals: Signals | None = None,
    ) -> Iterator[Finding]:
        """Absent modules are the cause where the devices do not answer, and only a hint where nobody complains."""
        if in_container or npus or has_driver_modules(kernel_modules):
            return
        symptoms = device_symptoms(signals) if signals else ()
        yield self.finding(
            title=say("The driver's kernel modules are not loaded"),
            observed=say("no drv_*, ascend_* or asdrv_* module is among the loaded ones"),
            expected=say("drv_pcie_host or tc_pcidev and their companions in lsmod"),
            severity=Severity.ERROR if symptoms else Severity.WARNING,
            confidence=Confidence.CERTAIN if symptoms else Confidence.LIKELY,
            evidence=(*(one.evidence for one in symptoms), *facts.seen("kernel_modules")),
            fix=(
                Fix("dmesg | grep -iE 'ascend|davinci|drv_' | tail -50", say("says why they did not load")),
                Fix("depmod -a && modprobe drv_pcie_host && modprobe drv_davinci_intf_host", needs_root=True),
                reboot(),
            ),
            sources=("hicann/driver: scripts/package/driver/common/scripts/run_driver_install.sh",),
        )
