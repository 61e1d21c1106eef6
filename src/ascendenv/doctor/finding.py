"""What a check says: a problem with its proof, its reason and its fix."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascendenv.facts.evidence import Evidence
    from ascendenv.language import Message

__all__ = ["Confidence", "Finding", "Fix", "Severity", "Skip"]


class Severity(IntEnum):
    """How bad; a higher number is worse."""

    INFO = 1
    WARNING = 2
    ERROR = 3


class Confidence(IntEnum):
    """How sure; a higher number is surer."""

    POSSIBLE = 1
    LIKELY = 2
    CERTAIN = 3


@dataclass(frozen=True)
class Fix:
    """One step: a command to type, or (with `run` empty) something to do that is no command."""

    run: str = ""
    note: Message | None = None
    needs_root: bool = False
    disruptive: bool = False


@dataclass(frozen=True)
class Finding:
    """One problem of one box.

    `because_of` holds the ids of the findings that this one is only a consequence of. `rank` orders findings that are
    otherwise equal: a more specific one has a higher number.
    """

    id: str
    cause: str
    severity: Severity
    confidence: Confidence
    title: Message
    observed: Message
    expected: Message | None = None
    why: Message | None = None
    evidence: tuple[Evidence, ...] = ()
    fix: tuple[Fix, ...] = ()
    because_of: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    rank: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Skip:
    """A check that could not run, and why."""

    id: str
    reason: Message
