"""A sandbox around the process forbids /dev, though the nodes are open to everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.dev_node_permission import open_to_all
from ascendenv.doctor.checks.device.explanations import sandboxed
from ascendenv.doctor.checks.device.seen import is_confined, refused_though_permitted
from ascendenv.doctor.checks.device.surroundings import surroundings
from ascendenv.doctor.checks.device.symptoms import symptoms
from ascendenv.doctor.finding import Confidence
from ascendenv.doctor.observed import has_driver_modules
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.signals.model import Signals

__all__ = ["SandboxBlocksDevices"]


class SandboxBlocksDevices(Check):
    """A sandbox hides or blocks the device nodes."""

    id = "DEV006"
    causes = ("sandbox-blocks-devices",)
    rank = 8

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Fires where opening is refused though mode or root would allow it, and where a sandbox is named beside."""
        refused = signals.of("device-node-denied")
        allowed = open_to_all(signals, facts) or surroundings(facts).is_root is True
        named = signals.of("sandbox-named")
        blocked = _blocked(facts)
        if not blocked and not (refused and (allowed or named)) and not (named and symptoms(signals)):
            return
        explanation = sandboxed()
        yield self.finding(
            title=explanation.title,
            observed=blocked or say("opening the device nodes is refused although their mode allows it")
            if blocked or refused
            else say("the device cannot be reached from inside a sandbox"),
            expected=say("a process outside of the sandbox, or a sandbox that lets /dev/davinci* through"),
            why=say(
                "seccomp, landlock, bubblewrap and the sandboxes of coding agents filter /dev whatever the mode says"
            ),
            confidence=Confidence.LIKELY,
            evidence=(
                *(one.evidence for one in (*refused, *named, *symptoms(signals))),
                *(facts.seen("confinement", "device_nodes") if blocked else ()),
            ),
            fix=explanation.fix,
            sources=("public code-index file 68903069582",),
        )


def _blocked(facts: HostFacts) -> Message | None:
    """What the box itself shows of a sandbox: refused nodes that this user may open, or hidden ones."""
    confined = is_confined(facts)
    program = confinement.sandbox if (confinement := known(facts.confinement)) else None
    if (facts.in_container is False or program) and refused_though_permitted(facts):
        return say("opening the device nodes is refused although their mode allows it")
    if confined and not facts.in_container and facts.device_nodes == () and has_driver_modules(facts):
        return say(
            "the driver is loaded, but this process sees no device node; it runs in {sandbox}",
            sandbox=program or say("a namespace of its own"),
        )
    return None
