"""Where things break, and where sources disagree."""

from __future__ import annotations

from dataclasses import dataclass

from ascendenv.matrix.rows.base import Conditions, LevelName, Row, Sourced, Text

__all__ = [
    "Break",
    "Claim",
    "Contradiction",
]


@dataclass(frozen=True, kw_only=True)
class Break(Sourced):
    """Versions that are known not to work together; `given.product` is the torch_npu product line."""

    id: str
    given: Conditions
    cause: Text
    symptoms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Claim(Row):
    """What one source says."""

    who: str
    what: str


@dataclass(frozen=True, kw_only=True)
class Contradiction(Sourced):
    """Sources that disagree, both kept, and what is followed.

    Where it touches a judged relation, `kind` and `given` say which one and `level` what is followed.
    """

    id: str
    subject: str
    says: tuple[Claim, ...]
    advice: Text
    kind: str | None = None
    given: Conditions | None = None
    level: LevelName | None = None
