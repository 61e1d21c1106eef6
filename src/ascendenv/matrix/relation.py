"""One relation between parts of a stack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascendenv.language import Message
    from ascendenv.matrix.given import Given
    from ascendenv.matrix.level import Level

__all__ = ["Relation", "between"]


@dataclass(frozen=True)
class Relation:
    """How well two or three parts go together. `between` holds texts such as `cann 9.0.0`."""

    kind: str
    between: tuple[str, ...]
    level: Level
    why: Message
    sources: tuple[str, ...] = ()


def between(given: Given, *names: str) -> tuple[str, ...]:
    """The named parts that are given, each with its name."""
    named = given.named()
    return tuple(f"{name} {named[name]}" for name in names if name in named)
