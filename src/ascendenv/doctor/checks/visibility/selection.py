"""Which cards a variable selects: ASCEND_RT_VISIBLE_DEVICES and those that are mistaken for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.doctor.observed import card_nodes, looked_at
from ascendenv.facts.unknown import known
from ascendenv.signals.model import Signals

if TYPE_CHECKING:
    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import HostFacts

__all__ = ["CONTAINER", "RUNTIME", "Selection", "counted_devices", "ids_of", "is_measured", "selection_of"]

RUNTIME = "ASCEND_RT_VISIBLE_DEVICES"
"""Read by the CANN runtime inside the process; renumbers the cards from 0."""
CONTAINER = "ASCEND_VISIBLE_DEVICES"
"""Read by the Ascend container runtime when it starts a container; physical numbers."""

_RANGE = re.compile(r"(?:(?:Ascend\w*|npu)-)?(\d{1,5})(?:-(\d{1,5}))?")
_READABLE = re.compile(r"(?:[\w-]+(?:\s*,\s*[\w-]+)*,?)?")
_LONGEST_RANGE = 64


@dataclass(frozen=True)
class Selection:
    """A variable that selects cards: its value as written, and the numbers in it in the order of the text."""

    name: str
    value: str
    evidence: tuple[Evidence, ...]

    @property
    def ids(self) -> tuple[int, ...]:
        """The card numbers; empty where the value names none."""
        return ids_of(self.value)

    @property
    def is_ascending(self) -> bool:
        """Whether each number is larger than the one before."""
        return all(one < other for one, other in zip(self.ids, self.ids[1:], strict=False))


def ids_of(value: str) -> tuple[int, ...]:
    """The numbers of `0,1`, `0-3`, `0-1,4`, `Ascend910-0,Ascend910-1` and `npu-2`; unreadable parts are left out."""
    ids: list[int] = []
    for part in value.split(","):
        if match := _RANGE.fullmatch(part.strip().strip("'\"")):
            first, last = int(match.group(1)), int(match.group(2) or match.group(1))
            ids.extend(range(first, min(last, first + _LONGEST_RANGE) + 1))
    return tuple(ids)


def selection_of(facts: HostFacts, name: str) -> Selection | None:
    """What the variable `name` selects, from the environment or from a line that sets it; None where it is not set.

    A line with numbers outranks an environment without: texts quote and compare in ways that no parser foresees.
    """
    written = _written(known(facts.signals) or Signals(), name)
    value = (known(facts.environment) or {}).get(name)
    if value is None or not _READABLE.fullmatch(value.strip()) or (not value.strip() and written is not None):
        return written
    return Selection(
        name, value.strip(), tuple(line for line in facts.seen("environment") if name in line.text)
    )


def _written(signals: Signals, name: str) -> Selection | None:
    """The last line that sets the variable."""
    for signal in reversed(signals.of("visible-devices-set", "visible-devices-emptied")):
        if signal.get("name") == name:
            return Selection(name, signal.get("value").strip(), (signal.evidence,))
    return None


def counted_devices(facts: HostFacts) -> int | None:
    """How many cards the runtime counts in this place, as far as a text or the nodes say it; None where nothing does."""
    signals = known(facts.signals) or Signals()
    for signal in signals.of("visible-devices-outside", "device-id-invalid", "more-ranks-than-devices"):
        if signal.get("count"):
            return int(signal.get("count"))
    passed = {one.get("path") for one in signals.of("container-device")}
    cards = [path for path in passed if path.removeprefix("/dev/davinci").isdigit()]
    return len(cards) or (len(card_nodes(facts)) if looked_at(facts) else 0) or None


def is_measured(facts: HostFacts, selection: Selection | None) -> bool:
    """Whether the variable was read in the process itself, so that what it does is no matter of opinion."""
    return (
        looked_at(facts)
        and selection is not None
        and any(line.where.startswith("/proc/") for line in selection.evidence)
    )
