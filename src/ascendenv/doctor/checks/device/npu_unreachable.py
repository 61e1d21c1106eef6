"""npu-smi or the runtime cannot reach any device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device import explanations as explain
from ascendenv.doctor.checks.device.seen import changed_since_start, is_confined, names_virtual_device
from ascendenv.doctor.checks.device.surroundings import surroundings
from ascendenv.doctor.hypothesis import weigh
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.checks.device.surroundings import Surroundings
    from ascendenv.doctor.finding import Finding
    from ascendenv.doctor.hypothesis import Hypothesis
    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signals

__all__ = ["NpuUnreachable"]

_DIRECT, _NAMED, _INDIRECT = 3, 2, 1
_CHIP_UNKNOWN = "507008"


class NpuUnreachable(Check):
    """npu-smi answers -8005 or aclInit 507008: no device can be reached at all."""

    id = "DEV001"
    causes = (
        "driver-not-loaded",
        "dev-node-permission",
        "container-missing-devices",
        "reboot-needed-after-upgrade",
        "sandbox-blocks-devices",
        "vnpu-misconfigured",
        "container-device-busy",
        "chip-needs-newer-release",
    )
    consequence_of = (
        "DRV009",
        "DRV021",
        "DEV022",
        "DEV004",
        "DEV006",
        "DEV007",
        "DEV009",
        "DEV010",
        "DEV014",
        "DRV002",
        "DRV003",
        "DRV004",
        "DRV020",
        "VIS004",
    )

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Weighs what can lie behind -8005, driver code 4 and, when aclInit asks for the chip, 507008."""
        evidence = _symptom(signals)
        if not evidence:
            return
        place = surroundings(facts)
        yield from weigh(
            self,
            _hypotheses(signals, facts, place),
            observed=say(
                "npu-smi or the driver library cannot reach any device (-8005, driver code 4, 507008)"
            ),
            evidence=evidence,
            sources=("https://www.hiascend.com/document/caselibrary/detail/case_9289",),
        )


def _symptom(signals: Signals) -> list[Evidence]:
    if signals.codes("-8020", "drv:87"):
        return []
    one_card = signals.codes("107001") or signals.first("device-open-failed")
    found = signals.codes("-8005", "E39002", _CHIP_UNKNOWN, *(() if one_card else ("drv:4",)))
    silent = [one for one in signals.of("dcmi-init-failed") if one.get("code") in ("", "-8005")]
    handle = [one for one in signals.of("console-log-level-failed") if one.get("ret") == "4"]
    return [one.evidence for one in (*found, *silent, *handle)]


def _hypotheses(signals: Signals, facts: HostFacts, place: Surroundings) -> list[Hypothesis]:
    """Undecided ones in the order of how often they are met; supported ones by how directly their proof speaks."""
    upgraded = signals.first("driver-reboot-due", "driver-was-upgraded")
    told = [
        (
            _DIRECT,
            explain.driver_not_loaded(
                supported=_modules_absent(facts, place),
                because=say("no module of the driver is in the kernel"),
            ),
        ),
        (
            _DIRECT,
            explain.no_permission(
                supported=None if place.is_root is None else not place.is_root,
                because=say("the command ran without root's rights"),
            ),
        ),
        (
            _DIRECT if _nodes_named(signals, place) else _INDIRECT,
            explain.nodes_not_passed(
                supported=_nodes_absent(signals, place),
                because=say("it ran in a container, where nodes are missing"),
            ),
        ),
        (
            _DIRECT,
            explain.reboot_pending(
                supported=True if upgraded and not place.in_container else changed_since_start(facts),
                because=say("the driver was installed or upgraded just before"),
            ),
        ),
        (
            _NAMED,
            explain.virtual_device(
                supported=True if _slice_named(signals) else names_virtual_device(facts),
                because=say("the text speaks of a virtual NPU or a slice of a card"),
            ),
        ),
        (
            _NAMED,
            explain.held_by_container(
                supported=True if place.is_complete else None if place.may_be_container else False,
                because=say("the container was given all nodes and files, so the card itself is refused"),
            ),
        ),
        (
            _DIRECT,
            explain.sandboxed(
                supported=True if signals.first("sandbox-named") else is_confined(facts),
                because=say("the text speaks of a sandbox"),
            ),
        ),
    ]
    ranked = sorted(told, key=lambda one: -one[0] if one[1].supported else 0)
    unknown = [explain.chip_unknown()] if signals.codes(_CHIP_UNKNOWN) else []
    return [*unknown, *(hypothesis for _, hypothesis in ranked)]


def _modules_absent(facts: HostFacts, place: Surroundings) -> bool | None:
    """True when a listing of modules has none of the driver's; nodes, and a container, speak for a loaded driver."""
    if any(node.path.removeprefix("/dev/davinci").isdigit() for node in known(facts.device_nodes) or ()):
        return False
    modules = facts.kernel_modules
    if isinstance(modules, frozenset) and modules:
        return not any(name.startswith(("drv_", "asdrv_", "ascend_", "tc_pcidev")) for name in modules)
    return False if place.in_container else None


def _nodes_named(signals: Signals, place: Surroundings) -> bool:
    return bool(place.lacking_nodes or signals.first("device-node-absent", "runtime-option"))


def _nodes_absent(signals: Signals, place: Surroundings) -> bool | None:
    if place.in_container is False or place.is_complete or place.privileged:
        return False
    return True if _nodes_named(signals, place) or place.in_container else None


def _slice_named(signals: Signals) -> bool:
    asked = (one.get("resource") for one in signals.of("pod-device-request"))
    sliced = any(name.endswith(("-memory", "-core", "c")) for name in asked)
    return sliced or signals.first("virtual-device-named", "virtual-device-failed") is not None
