"""The patterns that logs are scanned for, as they lie compiled in `signals.json`."""

from __future__ import annotations

import json
import re
import string
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from ascendenv.resources import read_compiled
from ascendenv.signals.matcher import matcher_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ascendenv.signals.matcher import Matcher
    from ascendenv.signals.needs import Needs

__all__ = ["Catalogue", "Pattern", "load_catalogue", "shipped_catalogue"]

MATCHES_PER_PIECE = 8
"""How many matches of one pattern are read from one stretch of a line."""


@dataclass(frozen=True)
class Pattern:
    """One entry of `matrix/signals/*.yaml`.

    A line is looked at when it holds one of the literal `anchors`; `match` then decides and captures. `templates` make
    a field from captured ones (`{"code": "drv:{number}"}`), which it replaces. A `library` that was captured with its
    folder becomes the bare name, and `path` the whole. With `wraps`, the next line is read as a continuation when the
    line alone does not match: terminals break long messages. `needs` are literals that `match` cannot do without.
    """

    id: str
    anchors: tuple[str, ...]
    match: str | None = None
    templates: Mapping[str, str] = field(default_factory=dict)
    wraps: bool = False
    needs: Needs = ""

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The compiled `match`; compiled when first needed, as most runs need few of the patterns."""
        return re.compile(self.match or "")

    def find(self, text: str) -> list[tuple[int, dict[str, str]]]:
        """Where the pattern matches in `text`, and the fields that each match captured."""
        if self.match is None:
            place = min(place for anchor in self.anchors if (place := text.find(anchor)) >= 0)
            return [(place, dict(self.templates))]
        matches = islice(self.regex.finditer(text), MATCHES_PER_PIECE)
        return [(match.start(), self._fields(match)) for match in matches]

    def may_match(self, lowered: str) -> bool:
        """Whether a text, given in lower case, holds the literals that `match` cannot do without."""
        return _holds(lowered, self.needs)

    @cached_property
    def _made(self) -> tuple[tuple[str, str, frozenset[str]], ...]:
        """Name, template and the groups that it is made of, for each of `templates`."""
        parse = string.Formatter().parse
        return tuple(
            (name, template, frozenset(place for _, place, _, _ in parse(template) if place))
            for name, template in self.templates.items()
        )

    def _fields(self, match: re.Match[str]) -> dict[str, str]:
        captured = {name: value for name, value in match.groupdict().items() if value}
        fields = captured
        for name, template, places in self._made:
            if places <= captured.keys():
                fields = {key: value for key, value in fields.items() if key not in places}
                fields[name] = template.format_map(captured)
        library = fields.get("library", "")
        if "/" in library:
            fields["path"] = library
            fields["library"] = library.rpartition("/")[2]
        return fields


def _holds(text: str, needs: Needs) -> bool:
    if isinstance(needs, str):
        return needs in text
    one_is_enough = needs[0] == "|"
    for one in needs[1:]:
        if (one in text if isinstance(one, str) else _holds(text, one)) is one_is_enough:
            return one_is_enough
    return not one_is_enough


@dataclass(frozen=True)
class Catalogue:
    """Patterns that are looked for together."""

    patterns: tuple[Pattern, ...]

    @cached_property
    def anchors(self) -> tuple[bytes, ...]:
        """Every literal that makes a line worth looking at, each once."""
        return tuple(self._by_anchor)

    @cached_property
    def patterns_of(self) -> tuple[tuple[int, ...], ...]:
        """For each of `anchors`, the places in `patterns` of those that have it."""
        return tuple(tuple(places) for places in self._by_anchor.values())

    @cached_property
    def matcher(self) -> Matcher:
        """Finds `anchors` in bytes."""
        return matcher_of(self.anchors)

    @cached_property
    def matcher_for_long_text(self) -> Matcher:
        """Finds `anchors` in a text that is long enough to be worth preparing for."""
        return matcher_of(self.anchors, for_long_text=True)

    def without(self, places: Collection[int]) -> Catalogue:
        """The patterns but those at `places`."""
        return Catalogue(tuple(one for place, one in enumerate(self.patterns) if place not in places))

    @cached_property
    def _by_anchor(self) -> dict[bytes, list[int]]:
        by_anchor: dict[bytes, list[int]] = {}
        for place, pattern in enumerate(self.patterns):
            for anchor in pattern.anchors:
                by_anchor.setdefault(anchor.encode(), []).append(place)
        return by_anchor


def load_catalogue(compiled: bytes) -> Catalogue:
    """The catalogue of a compiled form that `ascendenv.signals.compile` made."""
    return Catalogue(
        tuple(
            Pattern(
                id=one["id"],
                anchors=tuple(one["any"]),
                match=one.get("match"),
                templates=one.get("fields", {}),
                wraps=one.get("wraps", False),
                needs=one.get("needs", ""),
            )
            for one in json.loads(compiled)["patterns"]
        )
    )


@lru_cache(maxsize=1)
def shipped_catalogue() -> Catalogue:
    """The patterns that ship with ascendenv."""
    return load_catalogue(read_compiled("signals.json"))
