"""Sentences of the data, which carry their own translation, as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.language import DataMessage, Message

if TYPE_CHECKING:
    from ascendenv.matrix.rows.base import Text

__all__ = ["words"]


def words(text: Text) -> Message:
    """The sentence as a message in both languages."""
    return DataMessage(text.en, (), text.zh)
