"""The driver says that the device is occupied: -8020, driver code 87, EL0005, 507899."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device import explanations as explain
from ascendenv.doctor.checks.device.pairing import driver_is_too_old
from ascendenv.doctor.checks.device.seen import is_confined
from ascendenv.doctor.checks.device.surroundings import surroundings
from ascendenv.doctor.hypothesis import weigh
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.checks.device.surroundings import Surroundings
    from ascendenv.doctor.finding import Finding
    from ascendenv.doctor.hypothesis import Hypothesis
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

__all__ = ["DeviceBusy"]

_OCCUPIED = ("-8020", "drv:87", "EL0005", "EL0015", "-9005")
_DRIVER_FAILED = ("507899",)
_EXPLAINS_507899 = ("507010", "507053", "507054", "EL0001", "EL0004")


class DeviceBusy(Check):
    """The device is occupied: -8020 in npu-smi, driver code 87, EL0005, 507899."""

    id = "DEV002"
    causes = (
        "container-device-busy",
        "container-mounts-incomplete",
        "container-missing-devices",
        "driver-fault-state",
        "sandbox-blocks-devices",
        "dev-node-permission",
        "driver-too-old-for-cann",
    )
    consequence_of = (
        "DEV004",
        "DEV006",
        "DEV007",
        "DEV008",
        "DEV009",
        "DEV010",
        "DEV014",
        "DEV017",
        "DEV019",
    )

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """Weighs who may hold the device."""
        occupied = [*signals.codes(*_OCCUPIED), *_said_used(signals)]
        failed = () if signals.codes(*_EXPLAINS_507899) else signals.codes(*_DRIVER_FAILED)
        if not occupied and not failed:
            return
        place = surroundings(facts)
        if occupied:
            hypotheses = _who_occupies(signals, place, facts)
        else:
            hypotheses = _what_failed(signals, place, old=driver_is_too_old(facts, matrix))
        yield from weigh(
            self,
            hypotheses,
            observed=say("the driver answers that the device is occupied or cannot be used"),
            evidence=[one.evidence for one in (*occupied, *failed)],
            sources=("hicann/driver: sdk_driver/pbl/uda/uda_access.c",),
        )


def _said_used(signals: Signals) -> list[Signal]:
    return [one for one in signals.of("dcmi-init-failed") if one.get("code") == "-8020"]


def _foreign_container(facts: HostFacts) -> str:
    """A container of which a process has the device nodes open, as a look at this box found it."""
    return next((one.container for one in known(facts.holders) or () if one.container), "")


def _who_occupies(signals: Signals, place: Surroundings, facts: HostFacts) -> list[Hypothesis]:
    holder = _foreign_container(facts)
    files = place.may_be_container and bool(
        place.lacking_files or place.lacks_driver or _board_unknown(signals)
    )
    return [
        explain.held_by_container(
            supported=True if holder else None,
            because=say("a process of container {container} has the device nodes open", container=holder),
        ),
        explain.files_not_mounted(
            supported=True if files else False if place.is_complete or not place.may_be_container else None,
            because=say("files that the driver's tools read are not in the container"),
        ),
        _nodes(place),
        explain.driver_stuck(
            supported=True if signals.first("every-card-busy") and not holder else None,
            because=say("every card answers busy, and no owner is to be found"),
        ),
        explain.sandboxed(
            supported=True if signals.first("sandbox-named") else is_confined(facts),
            because=say("the text speaks of a sandbox"),
        ),
        explain.no_permission(supported=False if place.is_root else None),
    ]


def _what_failed(signals: Signals, place: Surroundings, *, old: bool | None) -> list[Hypothesis]:
    return [
        explain.held_by_container(supported=None if place.may_be_container else False),
        explain.driver_too_old(
            supported=old, because=say("the table of releases does not pair this driver with this CANN")
        ),
        explain.no_permission(
            supported=None if place.is_root is None else not place.is_root,
            because=say("the command ran without root's rights"),
        ),
        _nodes(place),
        explain.sandboxed(
            supported=True if signals.first("sandbox-named") else None,
            because=say("the text speaks of a sandbox"),
        ),
    ]


def _nodes(place: Surroundings) -> Hypothesis:
    return explain.nodes_not_passed(
        supported=True
        if place.lacking_nodes
        else False
        if place.is_complete or not place.may_be_container
        else None,
        because=say("the command line does not pass {nodes}", nodes=", ".join(place.lacking_nodes)),
    )


def _board_unknown(signals: Signals) -> bool:
    return bool(signals.first("board-type-unknown") or signals.codes("-9005"))
