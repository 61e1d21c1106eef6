"""DRV016: processes hold the devices while the driver is to be replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals

HARMLESS = "no hot reset"


class InstallDevicesBusy(Check):
    """The installer finds processes or containers that use the cards."""

    id = "DRV016"
    causes = ("driver-install-devices-busy", "container-device-busy")
    rank = 12

    def check(self, signals: Signals) -> Iterator[Finding]:
        """Modules in use cannot be replaced; a mere missing hot reset only asks for a reboot later."""
        symptoms = signals.of("installer-devices-in-use")
        if not symptoms:
            return
        container = any("docker" in one.evidence.text for one in symptoms)
        stopped = any(HARMLESS not in one.evidence.text for one in symptoms)
        yield self.finding(
            title=say("Processes hold the NPU devices while the driver is installed"),
            observed=say("a container has the davinci nodes mapped")
            if container
            else say("the installer finds davinci nodes in use"),
            cause="container-device-busy" if container else None,
            severity=Severity.ERROR if stopped else Severity.INFO,
            confidence=Confidence.CERTAIN,
            evidence=[one.evidence for one in symptoms],
            fix=(
                Fix("fuser -uv /dev/davinci* /dev/devmm_svm /dev/hisi_hdc; docker ps"),
                Fix(
                    "docker stop $(docker ps -q)",
                    say("containers, exporters and device plugins that use the cards"),
                    needs_root=True,
                    disruptive=True,
                ),
                Fix("bash Ascend-hdk-*-npu-driver_*.run --upgrade", needs_root=True, disruptive=True),
            ),
            sources=("hicann/driver: scripts/package/driver/common/scripts/install.sh",),
        )
