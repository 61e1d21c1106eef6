"""The device nodes exist, and this account may not open them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.explanations import no_permission
from ascendenv.doctor.checks.device.seen import refused_nodes, refused_though_permitted
from ascendenv.doctor.checks.device.surroundings import surroundings
from ascendenv.doctor.checks.device.symptoms import symptoms
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.checks.device.surroundings import Surroundings
    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import DeviceNode, HostFacts, User
    from ascendenv.signals.model import Signal, Signals

__all__ = ["DeviceNodePermission", "open_to_all"]

_REFUSED = ("Permission denied", "permission denied", "EACCES")
_OTHERS = 0o006
_SHOWN = 3
_NO_RIGHT = ("207006", "EL0007", "-8002", "drv:88", "drv:46")


class DeviceNodePermission(Check):
    """This user may not open the device nodes."""

    id = "DEV004"
    causes = ("dev-node-permission",)
    consequence_of = ("DEV006",)
    rank = 6

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Fires on a node that could not be opened, on nodes closed to this user, and on codes for a missing right."""
        place = surroundings(facts)
        refused = [one for one in signals.of("device-node-denied") if one.get("reason") in _REFUSED]
        if refused and not place.is_root and not open_to_all(signals, facts):
            yield self._finding(refused, facts, Confidence.LIKELY, Severity.ERROR)
        elif closed := _closed(facts, place):
            severity = Severity.ERROR if symptoms(signals) else Severity.WARNING
            yield self._finding(symptoms(signals), facts, Confidence.LIKELY, severity, closed)
        elif lacking := signals.codes(*_NO_RIGHT):
            yield self._finding(lacking, facts, Confidence.POSSIBLE, Severity.ERROR)

    def _finding(
        self,
        proof: tuple[Signal, ...] | list[Signal],
        facts: HostFacts,
        confidence: Confidence,
        severity: Severity,
        closed: tuple[DeviceNode, ...] = (),
    ) -> Finding:
        explanation = no_permission()
        paths = dict.fromkeys((*(one.get("path") for one in proof), *(node.path for node in closed)))
        return self.finding(
            title=explanation.title,
            observed=say(
                "opening {nodes} was refused",
                nodes=_some([path for path in paths if path]),
            ),
            expected=say("root, or a member of the group that owns the nodes (usually HwHiAiUser)"),
            why=say(
                "the driver makes its nodes for owner and group only, unless it was installed with --install-for-all"
            ),
            confidence=confidence,
            severity=severity,
            evidence=(*(one.evidence for one in proof), *facts.seen("device_nodes", "user")),
            fix=explanation.fix,
            sources=("hicann/driver: host_sys_init.sh sets mode 660 HwHiAiUser:HwHiAiUser",),
        )


def _some(paths: list[str]) -> str:
    """The first nodes by name; a machine with many cards is not quoted in full."""
    shown = ", ".join(paths[:_SHOWN]) or "/dev/davinci*"
    return f"{shown}, ..." if len(paths) > _SHOWN else shown


def open_to_all(signals: Signals, facts: HostFacts) -> bool:
    """Whether the nodes have a mode that lets everybody read and write them."""
    modes = [node.mode for node in known(facts.device_nodes) or () if node.mode is not None]
    told = [one.get("mode")[-3:] == "rw-" for one in signals.of("device-node-mode") if one.get("mode")]
    octal = [one.get("octal").endswith("6") for one in signals.of("device-node-mode") if one.get("octal")]
    seen = [mode & _OTHERS == _OTHERS for mode in modes] + told + octal
    return bool(seen) and all(seen)


def _closed(facts: HostFacts, place: Surroundings) -> tuple[DeviceNode, ...]:
    """Nodes that this user could not open, or may not by mode, owner and group."""
    user = None if place.is_root is not False else known(facts.user)
    nodes = known(facts.device_nodes) or ()
    foreign = set(refused_nodes(facts, "EPERM")) | set(refused_though_permitted(facts))
    return tuple(
        node for node in nodes if node not in foreign and (node.openable is False or _shut(node, user))
    )


def _shut(node: DeviceNode, user: User | None) -> bool:
    if node.openable is not None or node.mode is None or user is None:
        return False
    if node.mode & _OTHERS == _OTHERS or node.owner == user.name:
        return False
    return user.groups is not None and node.group not in user.groups
