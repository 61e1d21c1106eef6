"""A container lacks device nodes, or may not use those that it sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.explanations import nodes_not_passed
from ascendenv.doctor.checks.device.surroundings import surroundings
from ascendenv.doctor.checks.device.symptoms import symptoms
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.checks.device.surroundings import Surroundings
    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal, Signals

__all__ = ["ContainerMissingDevices"]

_FILTERED = ("Operation not permitted", "EPERM")


class ContainerMissingDevices(Check):
    """The container lacks davinci nodes or a manager node, or is forbidden to use them."""

    id = "DEV007"
    causes = ("container-missing-devices",)
    rank = 7

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Fires on nodes that a command line forgot, that are absent in a container, or that its filter forbids."""
        place = surroundings(facts)
        seen = symptoms(signals)
        if not place.may_be_container or place.is_complete:
            return
        found = _what_is_wrong(signals, facts, place)
        if found is None:
            return
        observed, proof = found
        explanation = nodes_not_passed()
        yield self.finding(
            title=explanation.title,
            observed=observed,
            expected=say(
                "every card's /dev/davinciN, davinci_manager, hisi_hdc, and devmm_svm except on 950"
            ),
            why=say(
                "without --privileged a container sees and may use only the nodes that were passed to it"
            ),
            confidence=Confidence.LIKELY,
            severity=Severity.ERROR if seen else Severity.WARNING,
            evidence=(*(one.evidence for one in (*proof, *seen)), *facts.seen("device_nodes")),
            fix=explanation.fix,
            sources=("vllm-ascend: docs/source/installation.md", "mind-cluster: ascend-docker-runtime"),
        )


def _what_is_wrong(
    signals: Signals, facts: HostFacts, place: Surroundings
) -> tuple[Message, tuple[Signal, ...]] | None:
    if place.lacking_nodes:
        missing = ", ".join(place.lacking_nodes)
        return say("the container is started without {nodes}", nodes=missing), signals.of("container-device")
    filtered = tuple(one for one in signals.of("device-node-denied") if one.get("reason") in _FILTERED)
    if filtered:
        return say("the container's device filter forbids {node}", node=filtered[0].get("path")), filtered
    options = tuple(one for one in signals.of("runtime-option") if "NODRV" in one.get("value"))
    if options or "NODRV" in (known(facts.environment) or {}).get("ASCEND_RUNTIME_OPTIONS", ""):
        return say("ASCEND_RUNTIME_OPTIONS=NODRV keeps the driver out of the container"), options
    void = tuple(
        one
        for one in signals.of("visible-devices-set")
        if one.get("name") == "ASCEND_VISIBLE_DEVICES" and one.get("value") == "void"
    )
    if void:
        return say("ASCEND_VISIBLE_DEVICES=void passes no card to the container"), void
    absent = signals.of("device-node-absent")
    if absent and place.in_container:
        return say("{node} does not exist in the container", node=absent[0].get("path")), absent
    return None
