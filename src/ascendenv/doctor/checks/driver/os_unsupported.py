"""DRV011: the installer does not accept this system or this card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.steps import list_cards
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import OsRelease
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals


class OsUnsupported(Check):
    """The installer says that package and machine do not match."""

    id = "DRV011"
    causes = ("os-unsupported", "driver-package-wrong-chip")
    rank = 10

    def check(
        self, signals: Signals, matrix: Matrix, os: OsRelease | None = None, kernel: str | None = None
    ) -> Iterator[Finding]:
        """The operating system or kernel is not on the list, or the package is for another chip."""
        system = signals.of("installer-os-unsupported")
        either = signals.of("installer-environment-mismatch")
        if not system and not either:
            return
        chip = [one for one in either if "no chip matching" in one.evidence.text]
        yield from weigh(
            self,
            (
                _system(named=bool(system), os=os, kernel=kernel, refuted=bool(chip and not system)),
                _chip(matrix, told=bool(chip), refuted=bool(system and not either)),
            ),
            observed=say("the installer says that package and machine do not match"),
            evidence=[one.evidence for one in (*system, *either)],
            sources=("hicann/driver: scripts/package/custom/driver/common/scripts/args_parse.sh",),
            sure=Confidence.CERTAIN,
        )


def _system(*, named: bool, os: OsRelease | None, kernel: str | None, refuted: bool) -> Hypothesis:
    return Hypothesis(
        "os-unsupported",
        say("This operating system or kernel is not supported by the driver package"),
        False if refuted else named or None,
        say(
            "found {os}, kernel {kernel}",
            os=os.text if os else say("unknown"),
            kernel=kernel or say("unknown"),
        ),
        ask=say("are cat /etc/os-release and uname -r on the list of this HDK release?"),
        fix=(
            Fix("cat /etc/os-release; uname -rm", say("compare with the list of the HDK release")),
            Fix(note=say("take an HDK release that lists this system, or a system that the release lists")),
        ),
    )


def _chip(matrix: Matrix, *, told: bool, refuted: bool) -> Hypothesis:
    return Hypothesis(
        "driver-package-wrong-chip",
        say("The driver package is for another chip"),
        True if told else False if refuted else None,
        say("the installer compares the PCI device number of the card with the one of the package"),
        ask=say("does lspci -nn -d 19e5: show the chip that is in the name of the package?"),
        fix=(
            list_cards(matrix),
            Fix(note=say("take the driver package of this chip")),
        ),
    )
