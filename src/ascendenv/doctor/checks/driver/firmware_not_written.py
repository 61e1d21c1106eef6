"""DRV010: the firmware installer does not reach the card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.steps import list_cards
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals


class FirmwareNotWritten(Check):
    """The firmware package finds no card that it is for."""

    id = "DRV010"
    causes = ("firmware-install-failed",)
    consequence_of = ("DRV002", "DRV004")
    rank = 9

    def check(self, signals: Signals, matrix: Matrix) -> Iterator[Finding]:
        """A package of another chip, a driver that does not run yet, or a card that is down."""
        symptoms = signals.of("firmware-not-written")
        if not symptoms:
            return
        yield self.finding(
            title=say("The firmware could not be written to the cards"),
            observed=say("the firmware installer stops: {problem}", problem=symptoms[0].get("problem")),
            why=say("the package is for another chip, the driver does not run, or the card does not answer"),
            confidence=Confidence.CERTAIN,
            evidence=[one.evidence for one in symptoms],
            fix=(
                list_cards(matrix),
                Fix("npu-smi info", say("must work before firmware can be written")),
                Fix(
                    note=say(
                        "take the firmware package of this chip; after a cold reset the card may answer again"
                    )
                ),
            ),
            sources=("hicann/oam-tools: test data, ascend_install.log of 2025",),
        )
