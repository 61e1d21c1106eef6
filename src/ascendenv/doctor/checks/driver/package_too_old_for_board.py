"""DRV018: the board wants a newer driver package, or a step in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals


class PackageTooOldForBoard(Check):
    """The hardware revision refuses this driver package."""

    id = "DRV018"
    causes = ("driver-package-too-old-for-board",)
    rank = 12

    def check(self, signals: Signals) -> Iterator[Finding]:
        """The installer names the version that the board needs."""
        symptoms = signals.of("installer-older-than-board", "installer-step-version")
        if not symptoms:
            return
        wanted = symptoms[0].get("needed") or symptoms[0].get("step")
        yield self.finding(
            title=say("The board needs another driver version first"),
            observed=say("the installer refuses this package"),
            expected=say("driver {version} or later", version=wanted)
            if symptoms[0].get("needed")
            else say("driver {version} first, then the wanted one", version=wanted),
            why=say("newer boards and older firmware accept certain driver versions only"),
            confidence=Confidence.CERTAIN,
            evidence=[one.evidence for one in symptoms],
            fix=(
                Fix(
                    f"bash Ascend-hdk-*-npu-driver_{wanted}_linux-$(uname -m | tr _ -).run --upgrade",
                    needs_root=True,
                    disruptive=True,
                ),
            ),
            sources=(
                "hicann/driver: scripts/package/custom/driver/common/scripts/run_driver_upgrade_check.sh",
            ),
        )
