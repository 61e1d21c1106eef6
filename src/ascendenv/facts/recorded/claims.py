"""How a record becomes a claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.evidence import Evidence
from ascendenv.facts.recorded.printable import printable

if TYPE_CHECKING:
    from ascendenv.facts.claim import Value

__all__ = ["measured", "word"]


def measured(fact: str, value: Value, where: str, text: str | None = None) -> Claim:
    """The claim that `fact` was seen at `where`; `text` is the proof that is shown, the value itself by default."""
    shown = text if text is not None else "" if value is None else str(value)
    return Claim(fact, value, Weight.MEASURED, Evidence(printable(where), printable(shown)))


def word(value: object) -> str | None:
    """The text that a record holds; None for anything else, so that no strange value gets into the facts."""
    return value if isinstance(value, str) else None
