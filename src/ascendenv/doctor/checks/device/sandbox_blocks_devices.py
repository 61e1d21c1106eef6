"""A sandbox around the process forbids /dev, though the nodes are open to everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.dev_node_permission import open_to_all
from ascendenv.doctor.checks.device.explanations import sandboxed
from ascendenv.doctor.checks.device.surroundings import surroundings
from ascendenv.doctor.checks.device.symptoms import symptoms
from ascendenv.doctor.finding import Confidence
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
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
        if not (refused and (allowed or named)) and not (named and symptoms(signals)):
            return
        explanation = sandboxed()
        yield self.finding(
            title=explanation.title,
            observed=say("opening the device nodes is refused although their mode allows it")
            if refused
            else say("the device cannot be reached from inside a sandbox"),
            expected=say("a process outside of the sandbox, or a sandbox that lets /dev/davinci* through"),
            why=say(
                "seccomp, landlock, bubblewrap and the sandboxes of coding agents filter /dev whatever the mode says"
            ),
            confidence=Confidence.LIKELY,
            evidence=[one.evidence for one in (*refused, *named, *symptoms(signals))],
            fix=explanation.fix,
            sources=("public code-index file 68903069582",),
        )
