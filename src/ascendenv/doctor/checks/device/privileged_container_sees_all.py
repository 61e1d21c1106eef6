"""A privileged container sees every card of the host, whatever --device says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.surroundings import surroundings
from ascendenv.doctor.checks.device.symptoms import symptoms
from ascendenv.doctor.checks.visibility.selection import RUNTIME, selection_of
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signals

__all__ = ["PrivilegedContainerSeesAll"]

_MEMORY = ("device-memory-short", "device-memory-shared", "device-memory-taken")


class PrivilegedContainerSeesAll(Check):
    """A privileged container was given some cards and sees all of them."""

    id = "DEV011"
    causes = ("privileged-container-sees-all",)
    rank = 5

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Fires where --privileged stands beside --device for other cards than the first ones, or is told to show all."""
        place = surroundings(facts)
        cards = place.cards
        starts_at_zero = cards == tuple(range(len(cards)))
        told = signals.of("all-cards-seen")
        if not place.privileged or (starts_at_zero and not told) or selection_of(facts, RUNTIME) is not None:
            return
        seen = (*told, *symptoms(signals), *signals.of(*_MEMORY))
        chosen = ",".join(str(card) for card in cards) or "0"
        yield self.finding(
            title=say("A privileged container sees every card of the host"),
            observed=say(
                "--privileged with --device for cards {cards}: the job counts from card 0 all the same",
                cards=chosen,
            )
            if cards
            else say("with --privileged the container sees all cards"),
            expected=say("no --privileged, or ASCEND_RT_VISIBLE_DEVICES={cards} inside", cards=chosen),
            why=say(
                "--privileged passes all of /dev, so logical device 0 is the host's first card, which may be in use"
            ),
            confidence=Confidence.LIKELY,
            severity=Severity.ERROR if seen else Severity.WARNING,
            evidence=(*place.evidence, *(one.evidence for one in seen)),
            fix=(
                Fix(
                    f"docker run --runtime=ascend -e ASCEND_VISIBLE_DEVICES={chosen} ...",
                    say("instead of --privileged"),
                ),
                Fix(
                    f"export ASCEND_RT_VISIBLE_DEVICES={chosen}",
                    say("inside, if the container must stay privileged"),
                ),
            ),
            sources=("https://github.com/vllm-project/vllm-ascend/issues/6942",),
        )
