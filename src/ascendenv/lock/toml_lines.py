"""Where each key and element of a TOML text stands: `tomllib` reads values, but tells no lines.

The text has been read by `tomllib` before, so it is known to be right.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field

__all__ = ["lines_of"]

Place = tuple["str | int", ...]

_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BLANK = re.compile(r"[ \t]*")
_KEY = re.compile(r'[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')
_STRING = re.compile(
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""(?!"))|""(?=""""?))*?"{3,5}'
    r"|'''[\s\S]*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
)
_SCALAR = re.compile(r"[^,\]}#\n]+")


def lines_of(text: str) -> dict[Place, int]:
    """The line of every table, key and element; elements of arrays are counted from 0."""
    walk = _Walk(text.replace("\r\n", "\n"))
    walk.document()
    return walk.lines


@dataclass
class _Walk:
    text: str
    at: int = 0
    lines: dict[Place, int] = field(default_factory=dict)
    counts: Counter[Place] = field(default_factory=Counter)
    ends: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ends = [one.start() for one in re.finditer("\n", self.text)]

    def document(self) -> None:
        table: Place = ()
        self._skip(_GAP)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_GAP)

    def _header(self) -> Place:
        many = self.text.startswith("[[", self.at)
        start = self.at
        self.at += 2 if many else 1
        names = self._names()
        self.at += 2 if many else 1
        place: Place = ()
        for name in names[:-1]:
            place = self._last((*place, name))
        place = (*place, names[-1])
        if many:
            self.counts[place] += 1
            self.lines.setdefault(place, self._line(start))
            place = (*place, self.counts[place] - 1)
        self.lines.setdefault(place, self._line(start))
        return place

    def _last(self, place: Place) -> Place:
        """The place itself, or the newest element of an array of tables that stands there."""
        return (*place, self.counts[place] - 1) if self.counts[place] else place

    def _pair(self, table: Place) -> None:
        start = self.at
        place: Place = table
        for name in self._names():
            place = (*place, name)
            self.lines.setdefault(place, self._line(start))
        self.at += 1  # the sign of equality
        self._skip(_BLANK)
        self._value(place)

    def _names(self) -> list[str]:
        names = []
        while True:
            self._skip(_BLANK)
            found = self._take(_KEY)
            names.append(_plain(found))
            self._skip(_BLANK)
            if not self.text.startswith(".", self.at):
                return names
            self.at += 1

    def _value(self, place: Place) -> None:
        sign = self.text[self.at : self.at + 1]
        if sign == "[":
            self._elements(place)
        elif sign == "{":
            self._inline(place)
        elif sign in ("'", '"'):
            self._take(_STRING)
        else:
            self._take(_SCALAR)

    def _elements(self, place: Place) -> None:
        self.at += 1
        self._skip(_GAP)
        number = 0
        while not self.text.startswith("]", self.at):
            here = (*place, number)
            self.lines[here] = self._line(self.at)
            self._value(here)
            number += 1
            self._comma()
        self.at += 1

    def _inline(self, place: Place) -> None:
        self.at += 1
        self._skip(_GAP)
        while not self.text.startswith("}", self.at):
            self._pair(place)
            self._comma()
        self.at += 1

    def _comma(self) -> None:
        self._skip(_GAP)
        if self.text.startswith(",", self.at):
            self.at += 1
            self._skip(_GAP)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match is not None else self.at

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise ValueError(f"no TOML at {self.at}")
        self.at = match.end()
        return match.group()

    def _line(self, at: int) -> int:
        return bisect_right(self.ends, at - 1) + 1


def _plain(name: str) -> str:
    if name[0] == "'":
        return name[1:-1]
    if name[0] != '"':
        return name
    import json

    try:
        return str(json.loads(name))
    except ValueError:  # \U00000000, which JSON does not know
        return name[1:-1]
