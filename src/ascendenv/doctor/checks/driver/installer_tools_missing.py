"""DRV005: the driver installer lacks tools of the system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.steps import install_system_packages, retry_installer
from ascendenv.doctor.finding import Confidence
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import OsRelease
    from ascendenv.signals.model import Signals

AROUND = ("driver-install-failed", "driver-build-failed", "installer-wheel-failed", "installer-unpack-failed")
"""Signals that show that an installer was at work when the shell missed a tool."""


class InstallerToolsMissing(Check):
    """The driver installer names system tools that are not installed."""

    id = "DRV005"
    causes = ("driver-install-tools-missing",)
    rank = 12

    def check(self, signals: Signals, os: OsRelease | None = None) -> Iterator[Finding]:
        """The tools are named by the installer, or by the shell while an installer runs."""
        listed = signals.of("installer-tools-missing")
        missed = signals.of("tool-not-found") if signals.first(*AROUND) else ()
        symptoms = (*listed, *missed)
        if not symptoms:
            return
        tools = dict.fromkeys(
            tool.strip() for one in symptoms for tool in one.get("tools").replace("、", ",").split(",")
        )
        yield self.finding(
            title=say("The installer needs system tools that are not here"),
            observed=say("missing: {tools}", tools=", ".join(name for name in tools if name)),
            confidence=Confidence.CERTAIN if listed else Confidence.LIKELY,
            evidence=[one.evidence for one in symptoms],
            fix=(
                *install_system_packages(
                    os,
                    apt="net-tools pciutils kmod udev dkms gcc make tar unzip linux-headers-$(uname -r)",
                    dnf="net-tools pciutils kmod systemd-udev dkms gcc make tar unzip"
                    " kernel-devel-$(uname -r) kernel-headers-$(uname -r)",
                ),
                retry_installer(),
            ),
            sources=("hicann/driver: scripts/package/custom/driver/common/scripts/check_tools.conf",),
        )
