"""The driver's own log or table says that a card belongs to another container."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.explanations import held_by_container
from ascendenv.doctor.checks.device.seen import foreign_owners
from ascendenv.doctor.checks.device.surroundings import surroundings
from ascendenv.doctor.checks.device.symptoms import symptoms
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.observed import cards_answer
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.signals.model import Signals

__all__ = ["ContainerDeviceBusy"]


class ContainerDeviceBusy(Check):
    """The kernel log or the namespace table shows that another container holds the card."""

    id = "DEV010"
    causes = ("container-device-busy",)
    rank = 8

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Fires on the driver's conflict line, and on its namespace table beside a symptom."""
        conflicts = signals.of("device-held-by-container")
        owners = signals.of("device-namespace")
        seen = symptoms(signals)
        listed = foreign_owners(facts)
        if not conflicts and not ((owners or listed) and seen):
            return
        place = surroundings(facts)
        doubtful = bool(place.lacking_files or place.lacks_driver or signals.first("board-type-unknown"))
        explanation = held_by_container()
        owner = next((one.get("owner") for one in owners if one.get("owner")), "")
        owner = owner or (str(listed[0].process) if listed else "")
        yield self.finding(
            title=explanation.title,
            observed=_observed(owner, conflicts[0].get("udevid") if conflicts else ""),
            expected=say("one unprivileged container a card, or cards in share mode"),
            why=say(
                "the driver gives a card to the mount namespace that opened it first, until its last process ends"
            ),
            confidence=Confidence.POSSIBLE
            if doubtful
            else Confidence.CERTAIN
            if conflicts
            else Confidence.LIKELY,
            severity=Severity.WARNING if cards_answer(facts) and not seen else Severity.ERROR,
            evidence=(
                *(one.evidence for one in (*conflicts, *owners, *seen)),
                *(facts.seen("device_owners", "holders") if listed else ()),
            ),
            fix=(_look_up(owner), *explanation.fix),
            sources=("hicann/driver: sdk_driver/pbl/uda/uda_access.c", "public code-index file 54047857318"),
        )


def _observed(owner: str, udevid: str) -> Message:
    if owner:
        return say("the driver's namespace table gives the cards to process {owner}", owner=owner)
    if udevid:
        return say("the driver refused device {device}: it belongs to another namespace", device=udevid)
    return say("the driver refused the device: it belongs to another namespace")


def _look_up(owner: str) -> Fix:
    if owner:
        return Fix(
            f"cat /proc/{owner}/cgroup; ps -fp {owner}",
            say("on the host: names the container that owns the cards"),
        )
    return Fix(
        "dmesg | grep uda_occupy_dev_by_ns | tail",
        say("on the host: which device, and since when"),
        needs_root=True,
    )
