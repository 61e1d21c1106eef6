"""How well two things go together."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Level"]


class Level(IntEnum):
    """A higher number is better; UNKNOWN means that no source tells."""

    BROKEN = 0
    UNKNOWN = 1
    COMPATIBLE = 2
    RECOMMENDED = 3

    def __str__(self) -> str:
        return self.name.lower()

    @classmethod
    def named(cls, name: str) -> Level:
        """The level of that name, as data files write it."""
        return cls[name.upper()]
