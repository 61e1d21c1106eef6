"""DRV015: no room for the installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals


class InstallerNoSpace(Check):
    """The file system of the installation or of the unpacking is full."""

    id = "DRV015"
    causes = ("installer-no-space",)
    rank = 12

    def check(self, signals: Signals) -> Iterator[Finding]:
        """Both the place that is unpacked to and the target need room."""
        symptoms = signals.of("installer-no-space")
        if not symptoms:
            return
        first = symptoms[0]
        yield self.finding(
            title=say("There is not enough disk space for the installation"),
            observed=say("free: {free}", free=first.get("free") or "0"),
            expected=say("more than {needed}", needed=first.get("needed"))
            if first.get("needed")
            else say(
                "300 MB for the driver, 10 GB for CANN, and as much again where the package is unpacked"
            ),
            confidence=Confidence.CERTAIN,
            evidence=[one.evidence for one in symptoms],
            fix=(
                Fix("df -h /usr/local /tmp /var"),
                Fix(
                    "export TMPDIR=/data/tmp && mkdir -p $TMPDIR",
                    say("a place with room for the unpacked files"),
                ),
                Fix(
                    "bash Ascend-cann-toolkit_*.run --install --install-path=/data/Ascend",
                    say("another target"),
                ),
            ),
            sources=("hicann/driver: scripts/package/driver/common/scripts/install.sh",),
        )
