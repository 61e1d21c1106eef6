"""DRV013: the CANN installer finds no pip3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.steps import install_system_packages
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import OsRelease
    from ascendenv.signals.model import Signals

COMMAND_NOT_FOUND = "127"


class RunInstallPipMissing(Check):
    """The CANN installer needs python3 and pip3 of the installing user and finds none."""

    id = "DRV013"
    causes = ("run-install-pip-missing",)
    rank = 10

    def check(self, signals: Signals, os: OsRelease | None = None) -> Iterator[Finding]:
        """The installer puts the op compiler's wheels in place with pip3; without it everything is rolled back."""
        wheels = signals.of("installer-wheel-failed")
        missing = signals.of("installer-pip-missing", "installer-python-missing")
        if not wheels and not missing:
            return
        proven = bool(wheels and missing) or any(one.get("status") == COMMAND_NOT_FOUND for one in wheels)
        yield self.finding(
            title=say("The CANN installer finds no usable pip3"),
            observed=say("pip3 or python3 is not on the PATH of the installing user")
            if missing or proven
            else say("pip3 could not install {package}", package=wheels[0].get("package")),
            why=say("sudo has a PATH of its own: a Python in /usr/local or a conda environment is not on it"),
            confidence=Confidence.CERTAIN if proven else Confidence.LIKELY,
            evidence=[one.evidence for one in (*missing, *wheels)],
            fix=(
                Fix("which python3 pip3; sudo which python3 pip3"),
                *install_system_packages(os, apt="python3 python3-pip", dnf="python3 python3-pip"),
                Fix(
                    'sudo env "PATH=$PATH" bash Ascend-cann-toolkit_*.run --install',
                    say("keeps the PATH on which pip3 is found"),
                ),
            ),
            sources=("CANN 8.1: compiler/script/compiler_custom_install.sh",),
        )
