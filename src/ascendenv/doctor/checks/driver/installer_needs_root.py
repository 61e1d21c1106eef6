"""DRV017: the driver installer runs as an ordinary user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals


class InstallerNeedsRoot(Check):
    """Driver and firmware can be installed by root only."""

    id = "DRV017"
    causes = ("installer-needs-root",)
    rank = 12

    def check(self, signals: Signals) -> Iterator[Finding]:
        """The installer says so itself."""
        symptoms = signals.of("installer-not-root")
        if not symptoms:
            return
        yield self.finding(
            title=say("Driver and firmware can be installed by root only"),
            observed=say("the installer was started without root permission"),
            confidence=Confidence.CERTAIN,
            evidence=[one.evidence for one in symptoms],
            fix=(
                Fix(
                    "sudo bash Ascend-hdk-*-npu-driver_*.run --full --install-for-all",
                    say("--install-for-all lets other accounts use the cards later"),
                    needs_root=True,
                    disruptive=True,
                ),
            ),
            sources=("hicann/driver: scripts/package/driver/common/scripts/install.sh",),
        )
