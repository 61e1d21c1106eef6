"""What a log says, as typed facts: one `Signal` for each line that a pattern of `matrix/signals/` understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.facts.evidence import Evidence

__all__ = ["Signal", "Signals"]


@dataclass(frozen=True)
class Signal:
    """One understood line.

    `id` names the pattern (`undefined-symbol`), `fields` what it captured (`{"library": ..., "symbol": ...}`);
    a place that was not in the line is absent. `count` is how often the same signal with the same fields was seen.
    """

    id: str
    fields: Mapping[str, str]
    evidence: Evidence
    count: int = 1

    def get(self, name: str) -> str:
        """The captured field, or an empty string where this line did not have it."""
        return self.fields.get(name, "")


@dataclass(frozen=True)
class Signals:
    """All signals of one box in the order in which they were seen."""

    items: tuple[Signal, ...] = ()

    def __iter__(self) -> Iterator[Signal]:
        return iter(self.items)

    def __bool__(self) -> bool:
        return bool(self.items)

    def of(self, *ids: str) -> tuple[Signal, ...]:
        """The signals with one of these ids, in order."""
        return tuple(signal for signal in self.items if signal.id in ids)

    def first(self, *ids: str) -> Signal | None:
        """The first signal with one of these ids."""
        return next((signal for signal in self.items if signal.id in ids), None)

    def codes(self, *codes: str) -> tuple[Signal, ...]:
        """The `error-code` signals whose canonical code is one of `codes`, e.g. `"507033"`, `"-8020"`, `"drv:87"`."""
        return tuple(
            signal for signal in self.items if signal.id == "error-code" and signal.get("code") in codes
        )
