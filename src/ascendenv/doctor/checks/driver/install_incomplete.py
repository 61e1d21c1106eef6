"""DRV020: the driver was not installed to the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.traces import device_symptoms
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals


class InstallIncomplete(Check):
    """An installation of the driver stopped on the way."""

    id = "DRV020"
    causes = ("driver-install-incomplete",)
    consequence_of = (
        "DRV004",
        "DRV005",
        "DRV006",
        "DRV007",
        "DRV009",
        "DRV011",
        "DRV012",
        "DRV014",
        "DRV015",
        "DRV016",
        "DRV017",
        "DRV018",
    )
    rank = 2

    def check(self, signals: Signals) -> Iterator[Finding]:
        """npu-smi's own warning, or an installer that gave up; most often another finding says why."""
        failed = signals.of("driver-install-failed")
        warned = signals.of("driver-incomplete")
        symptoms = (*failed, *warned)
        if not symptoms:
            return
        bad = bool(failed) or bool(device_symptoms(signals))
        yield self.finding(
            title=say("The driver is not completely installed"),
            observed=say("the installer gave up") if failed else say("npu-smi warns of an incomplete driver"),
            why=say("the old driver is removed before the new one is checked, so a failure leaves none"),
            severity=Severity.ERROR if bad else Severity.WARNING,
            confidence=Confidence.POSSIBLE,
            evidence=[one.evidence for one in symptoms],
            fix=(
                Fix("grep -nE 'ERROR|WARNING' /var/log/ascend_seclog/ascend_install.log | tail -20"),
                Fix(
                    "/usr/local/Ascend/driver/script/uninstall.sh && bash Ascend-hdk-*-npu-driver_*.run"
                    " --full --install-for-all",
                    needs_root=True,
                    disruptive=True,
                ),
            ),
            sources=("hicann/driver: scripts/package/driver/common/scripts/install.sh",),
        )
