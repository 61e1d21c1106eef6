"""Words for users in English and Simplified Chinese.

Text is written in English where it is used, wrapped in `say`, and put into the user's language only when it is shown.
So the deciders stay pure, and a saved finding can be read in either language.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from gettext import NullTranslations

__all__ = [
    "LANGUAGES",
    "DataMessage",
    "Message",
    "active_language",
    "language_of_locale",
    "say",
    "use_language",
]

LANGUAGES = ("en", "zh")

_active = "en"


@dataclass(frozen=True)
class Message:
    """A sentence in English with named places, translated when it is shown."""

    english: str
    values: tuple[tuple[str, object], ...] = ()

    def text(self, language: str = "en") -> str:
        """The sentence in `language` with its values filled in; a value that is a message is translated too."""
        pattern = _translations(language).gettext(self.english) if self.english else ""
        if not self.values:
            return pattern
        return pattern.format(**{name: _shown(value, language) for name, value in self.values})

    def __str__(self) -> str:
        """The sentence in the active language."""
        return self.text(_active)


@dataclass(frozen=True)
class DataMessage(Message):
    """A sentence of a data file, whose translation stands beside it instead of in a catalogue."""

    chinese: str = ""

    def text(self, language: str = "en") -> str:
        """The sentence in `language`."""
        return self.chinese if language == "zh" else self.english


def say(english: str, **values: object) -> Message:
    """A message for users. `english` must be a literal, so that the catalogue test can find it."""
    return Message(english, tuple(values.items()))


def use_language(language: str) -> None:
    """Make `language` (one of `LANGUAGES`) the one that `str(message)` uses."""
    global _active
    _active = language


def active_language() -> str:
    """The language that `str(message)` uses now."""
    return _active


def language_of_locale(environment: Mapping[str, str]) -> str:
    """`zh` for a Chinese locale, else `en`, by the order that POSIX gives LC_ALL, LC_MESSAGES and LANG."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def _shown(value: object, language: str) -> str:
    return value.text(language) if isinstance(value, Message) else str(value)


@lru_cache(maxsize=len(LANGUAGES))
def _translations(language: str) -> NullTranslations:
    import gettext
    import io

    from ascendenv.resources import read_compiled

    if language == "en":
        return gettext.NullTranslations()
    return gettext.GNUTranslations(io.BytesIO(read_compiled(f"{language}.mo")))
