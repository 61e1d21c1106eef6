"""DRV022: the machine has nothing to do with Ascend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.observed import has_stack, looked_at, shows_no_card
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix

KINDS = ("pci", "device_nodes", "driver_files", "kernel_modules", "interpreter")


class NothingInstalled(Check):
    """No Ascend card and nothing of the Ascend stack is on this machine."""

    id = "DRV022"
    causes = ("no-ascend-here",)

    def check(self, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """Nothing to judge is said at once, together with what to do where something was expected."""
        if not looked_at(facts) or has_stack(facts) or not shows_no_card(matrix, facts):
            return
        interpreter = known(facts.interpreter)
        yield self.finding(
            title=say("No Ascend hardware was seen, and nothing of the Ascend stack is installed here"),
            observed=say(
                "no Ascend card on the bus, no driver, no CANN, and no torch_npu in {python}",
                python=interpreter.path if interpreter else "python3",
            ),
            expected=say("a machine with an Ascend card, or a snapshot or report of one"),
            why=say(
                "the Python was chosen by {rule}; packages elsewhere were not looked at",
                rule=interpreter.chosen_by,
            )
            if interpreter
            else None,
            severity=Severity.INFO,
            confidence=Confidence.CERTAIN,
            evidence=facts.seen(*KINDS),
            fix=(
                Fix("ascendenv doctor --python PATH", say("when torch_npu lives in another environment")),
                Fix(
                    "ascendenv collect --print-script | ssh NODE python3 - | ascendenv doctor --snapshot -",
                    say("to look at another machine; nothing is installed there"),
                ),
                Fix(
                    "ascendenv doctor --log error.txt --report report.txt",
                    say("to judge the error output and the report of somebody else"),
                ),
            ),
        )
