"""A container lacks device nodes, or may not use those that it sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.explanations import nodes_not_passed
from ascendenv.doctor.checks.device.seen import refused_nodes
from ascendenv.doctor.checks.device.surroundings import surroundings
from ascendenv.doctor.checks.device.symptoms import symptoms
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.doctor.observed import card_nodes, has_driver_modules, looked_at, npu_smi_fails
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

_WITHOUT_DRIVER = "NODRV"
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
        looked = _what_is_seen(facts)
        if looked is None and (not place.may_be_container or place.is_complete):
            return
        found = (looked, ()) if looked else next(_what_is_wrong(signals, facts, place), None)
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
            severity=Severity.ERROR
            if seen or _runtime_missing(signals) or npu_smi_fails(facts)
            else Severity.WARNING,
            evidence=(*(one.evidence for one in (*proof, *seen)), *facts.seen("device_nodes")),
            fix=explanation.fix,
            sources=("vllm-ascend: docs/source/installation.md", "mind-cluster: ascend-docker-runtime"),
        )


def _what_is_seen(facts: HostFacts) -> Message | None:
    """What a look into the container shows: no card at all, or nodes that its device filter forbids."""
    if not looked_at(facts) or not facts.in_container or facts.privileged:
        return None
    if filtered := refused_nodes(facts, "EPERM"):
        return say("the container's device filter forbids {node}", node=filtered[0].path)
    if not card_nodes(facts) and has_driver_modules(facts):
        return say("no /dev/davinci node is in the container, though the driver of the host is loaded")
    return None


def _what_is_wrong(
    signals: Signals, facts: HostFacts, place: Surroundings
) -> Iterator[tuple[Message, tuple[Signal, ...]]]:
    """What keeps the nodes away and the lines that show it, the most direct first."""
    if place.lacking_nodes:
        missing = ", ".join(place.lacking_nodes)
        yield say("the container is started without {nodes}", nodes=missing), signals.of("container-device")
    if filtered := _with(signals, "device-node-denied", "reason", _FILTERED):
        yield say("the container's device filter forbids {node}", node=filtered[0].get("path")), filtered
    options = tuple(one for one in signals.of("runtime-option") if _WITHOUT_DRIVER in one.get("value"))
    if options or _WITHOUT_DRIVER in (known(facts.environment) or {}).get("ASCEND_RUNTIME_OPTIONS", ""):
        yield say("ASCEND_RUNTIME_OPTIONS=NODRV keeps the driver out of the container"), options
    if void := _with(signals, "visible-devices-set", "value", ("void",)):
        yield say("ASCEND_VISIBLE_DEVICES=void passes no card to the container"), void
    if runtime := _runtime_missing(signals):
        yield say("the Ascend container runtime is not installed where docker looks for it"), runtime
    absent = signals.of("device-node-absent")
    if absent and place.in_container:
        yield say("{node} does not exist in the container", node=absent[0].get("path")), absent


def _with(signals: Signals, name: str, field: str, values: tuple[str, ...]) -> tuple[Signal, ...]:
    return tuple(one for one in signals.of(name) if one.get(field) in values)


def _runtime_missing(signals: Signals) -> tuple[Signal, ...]:
    unknown = tuple(
        one for one in signals.of("runtime-name-unknown") if one.get("runtime").startswith("ascend")
    )
    return (*unknown, *signals.of("ascend-runtime-missing"))
