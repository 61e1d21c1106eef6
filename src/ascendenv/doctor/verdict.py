"""What a diagnosis comes down to: the verdict, and the one-line identity of the box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ascendenv.doctor.finding import Severity
from ascendenv.facts.unknown import Unknown

if TYPE_CHECKING:
    from ascendenv.doctor.engine import Diagnosis
    from ascendenv.facts.model import HostFacts

__all__ = ["BOX_FACTS", "Verdict", "box_of", "verdict_of"]

Verdict = Literal["healthy", "problems", "unknown"]

BOX_FACTS = (
    "chip",
    "driver",
    "firmware",
    "cann",
    "torch",
    "torch_npu",
    "python",
    "arch",
    "os",
    "in_container",
)

_JUDGEABLE = ("driver", "cann", "torch_npu", "npus")


@dataclass(frozen=True)
class BoxFact:
    """One line of the box's identity; `value` is None where it is not known."""

    name: str
    value: str | bool | None


def box_of(facts: HostFacts) -> tuple[BoxFact, ...]:
    """The identity of the box: the facts of `BOX_FACTS`, in this order."""
    return tuple(BoxFact(name, _plain(getattr(facts, name))) for name in BOX_FACTS)


def verdict_of(diagnosis: Diagnosis) -> Verdict:
    """`problems` when anything above advice was found; `healthy` only when there was something to judge."""
    if any(finding.severity >= Severity.WARNING for finding in diagnosis.findings):
        return "problems"
    known = [name for name in _JUDGEABLE if not isinstance(getattr(diagnosis.facts, name), Unknown)]
    return "healthy" if known and diagnosis.checked else "unknown"


def _plain(value: object) -> str | bool | None:
    if isinstance(value, Unknown):
        return None
    if isinstance(value, bool):
        return value
    return str(getattr(value, "text", value))
