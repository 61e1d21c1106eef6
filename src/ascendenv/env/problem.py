"""What is wrong with a variable, in the words of a user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ascendenv.language import Message

__all__ = ["Problem"]


@dataclass(frozen=True)
class Problem:
    """One problem of one variable; an error keeps programs from running right, a warning may."""

    kind: Literal["missing", "stale", "wrong-typed", "unknown", "deprecated", "contradictory", "costly"]
    name: str
    severity: Literal["error", "warning", "info"]
    message: Message
