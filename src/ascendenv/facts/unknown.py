"""The value of a fact that was not seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

from ascendenv.language import Message, say

__all__ = ["NOT_GIVEN", "NOT_RUN", "Unknown", "known"]

T = TypeVar("T")


@dataclass(frozen=True)
class Unknown:
    """A fact that was not seen, and why. It is false in a condition, but it is no `False`."""

    reason: Message

    def __bool__(self) -> Literal[False]:
        """Unknown is never a yes."""
        return False


NOT_GIVEN = Unknown(say("the input does not tell"))
NOT_RUN = Unknown(say("only the live probe tells: --live"))


def known(fact: T | Unknown) -> T | None:
    """The fact, or None where it is unknown."""
    return None if isinstance(fact, Unknown) else fact
