"""A matrix product comes out wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.live.hardware import card_tests
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.facts.evidence import Evidence
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.live import LiveResult
    from ascendenv.facts.model import HostFacts

__all__ = ["WrongProduct"]


class WrongProduct(Check):
    """With --live: a product of two small matrices of whole numbers is wrong."""

    id = "LIV005"
    causes = ("matrix-product-wrong",)
    consequence_of = ("DEV018", "DEV019", "CAN017", "CAN021")

    def check(self, live: LiveResult, facts: HostFacts) -> Iterator[Finding]:
        """Whole numbers below 100 are exact in every format that the cards compute with."""
        if live.error is None or live.error == 0:
            return
        yield self.finding(
            confidence=Confidence.CERTAIN,
            title=say("A matrix product on {device} is wrong", device=live.device),
            observed=say("the greatest error is {error}", error=live.error),
            expected=say("0: small whole numbers are exact in every number format of the cards"),
            why=say("a faulty core or memory, or kernels of another release than the toolkit"),
            evidence=[Evidence("live product", f"max |got - wanted| = {live.error}")],
            fix=(
                *card_tests(facts),
                Fix(
                    "export ASCEND_RT_VISIBLE_DEVICES=1",
                    say("until it is clear: leave this card out, list only the others"),
                ),
            ),
            sources=("the live probe",),
        )
