"""Sentences in both languages, split at the places to fill in, each kept once and told by its number."""

from __future__ import annotations

import string
from functools import lru_cache
from typing import TYPE_CHECKING, TypedDict, TypeVar

from ascendenv.language import LANGUAGES, Message
from ascendenv.site.parts import PARTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascendenv.matrix.given import Given
    from ascendenv.matrix.relation import Relation

__all__ = ["NUMBERED", "TextData", "Texts"]

K = TypeVar("K")
Piece = str | int
"""Text, or the number of the value that belongs there."""
Pair = tuple[tuple[Piece, ...], ...]
"""The pieces of a sentence in each language."""
NUMBERED = (*PARTS, "kin")
"""The parts in the order of their numbers."""


class TextData(TypedDict):
    """What the page gets.

    `templates` are pairs, English and Chinese; a string is a text or such a pair. An outcome is level, template,
    sources, then the values: a string's number, or -1 for what is chosen of the first part of `NUMBERED`,
    -2 of the second ...
    """

    strings: list[str | list[str]]
    templates: list[list[list[Piece]]]
    sources: list[list[int]]
    outcomes: list[list[int]]


class Texts:
    """Collects sentences, sources and outcomes of relations."""

    def __init__(self) -> None:
        self._strings: dict[str | tuple[str, ...], int] = {}
        self._templates: dict[Pair, int] = {}
        self._sources: dict[tuple[int, ...], int] = {}
        self._outcomes: dict[tuple[int, ...], int] = {}

    def data(self) -> TextData:
        """All that was collected."""
        return {
            "strings": [one if isinstance(one, str) else list(one) for one in self._strings],
            "templates": [[list(pieces) for pieces in pair] for pair in self._templates],
            "sources": [list(one) for one in self._sources],
            "outcomes": [list(one) for one in self._outcomes],
        }

    def outcome(self, relation: Relation | None, given: Given, place: str = "place") -> int:
        """The number of what the relation says, counted from 1; 0 where there is no relation.

        `place` says what the chip or product of `given` stands for: `place`, or only its `kin`.
        """
        if relation is None:
            return 0
        template, values = self._sentence(relation.why, given, place)
        key = (int(relation.level), template, self.sources(relation.sources), *values)
        return _number(self._outcomes, key) + 1

    def sources(self, sources: tuple[str, ...]) -> int:
        """The number of that list of sources."""
        return _number(self._sources, tuple(_number(self._strings, one) for one in sources))

    def _sentence(self, message: Message, given: Given, place: str) -> tuple[int, list[int]]:
        names = _places(message)
        if not names:
            plain: Pair = tuple((message.text(language),) for language in LANGUAGES)
            return _number(self._templates, plain), []
        values, chosen = dict(message.values), given.named()
        numbers = [self._value(name, values[name], chosen, place) for name in names]
        return _number(self._templates, _split(message.english, names)), numbers

    def _value(self, name: str, value: object, chosen: Mapping[str, str], place: str) -> int:
        if isinstance(value, Message):
            return _number(self._strings, tuple(value.text(language) for language in LANGUAGES))
        text = str(value)
        alike = [one for one, shown in chosen.items() if shown == text]
        if not alike:
            return _number(self._strings, text)
        part = name if name in alike else alike[0]
        return -1 - NUMBERED.index(place if part in ("chip", "product") else part)


def _places(message: Message) -> tuple[str, ...]:
    """The names to fill in, each once, in the order of the English sentence; a sentence without values has none."""
    return _names(message.english) if message.values else ()


@lru_cache(maxsize=256)
def _names(english: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for _, name, _, _ in string.Formatter().parse(english) if name))


@lru_cache(maxsize=256)
def _split(english: str, names: tuple[str, ...]) -> Pair:
    """The sentence in each language, as its texts and the numbers of the names between them."""
    return tuple(_pieces(Message(english).text(language), names) for language in LANGUAGES)


def _pieces(pattern: str, names: tuple[str, ...]) -> tuple[Piece, ...]:
    found: list[Piece] = []
    for text, name, _, _ in string.Formatter().parse(pattern):
        found += [text] if text else []
        found += [names.index(name)] if name else []
    return tuple(found)


def _number(known: dict[K, int], key: K) -> int:
    return known.setdefault(key, len(known))
