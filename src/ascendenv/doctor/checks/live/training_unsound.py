"""A short training run does not learn, or does not repeat."""

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

__all__ = ["TrainingUnsound"]


class TrainingUnsound(Check):
    """With --live: in ten training steps the loss does not fall, or a second run with the same seed differs."""

    id = "LIV006"
    causes = ("loss-does-not-fall", "training-does-not-repeat")
    consequence_of = ("LIV005", "DEV018", "DEV019")

    def check(self, live: LiveResult, facts: HostFacts) -> Iterator[Finding]:
        """First the loss, then whether the run repeats bit for bit."""
        if not live.losses:
            return
        losses = [Evidence("live training", " ".join(f"{one:.4g}" for one in live.losses))]
        if not live.falls:
            yield self.finding(
                confidence=Confidence.CERTAIN,
                title=say("A small network does not learn on {device}", device=live.device),
                observed=say(
                    "the loss goes from {first} to {last} in ten steps",
                    first=f"{live.losses[0]:.4g}",
                    last=f"{live.losses[-1]:.4g}",
                ),
                expected=say("less than half of the first loss, as on every CPU"),
                why=say("gradients or updates are computed wrongly; jobs run, but learn nothing"),
                evidence=losses,
                fix=card_tests(facts),
                sources=("the live probe",),
            )
        if live.repeats is False:
            yield self.finding(
                cause="training-does-not-repeat",
                confidence=Confidence.LIKELY,
                title=say("The same training run gives other numbers on {device}", device=live.device),
                observed=say("two runs with one seed differ in losses or weights"),
                expected=say("the same bits: the run is too small for sums whose order changes"),
                why=say("a faulty core, or operators that are not deterministic"),
                evidence=losses,
                fix=(
                    Fix(
                        "export HCCL_DETERMINISTIC=true LCCL_DETERMINISTIC=1",
                        say(
                            "with torch.use_deterministic_algorithms(True): if it repeats then, the card is sound"
                        ),
                    ),
                    *card_tests(facts),
                ),
                sources=("the live probe",),
            )
