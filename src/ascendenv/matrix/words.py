"""Sentences of the data, which carry their own translation, as messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.language import Message

if TYPE_CHECKING:
    from ascendenv.matrix.rows.base import Text

__all__ = ["words"]


@dataclass(frozen=True)
class _DataMessage(Message):
    """A message whose translation stands beside it in the data instead of in a catalogue."""

    chinese: str = ""

    def text(self, language: str = "en") -> str:
        return self.chinese if language == "zh" else self.english


def words(text: Text) -> Message:
    """The sentence as a message in both languages."""
    return _DataMessage(text.en, (), text.zh)
