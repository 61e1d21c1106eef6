"""Reads a log once and says which known messages it holds."""

from __future__ import annotations

import re
import sys
from collections import Counter
from typing import TYPE_CHECKING, BinaryIO

from ascendenv.facts.decode import open_stream
from ascendenv.facts.evidence import Evidence
from ascendenv.signals.catalogue import shipped_catalogue
from ascendenv.signals.codes import canonical_code, component_of
from ascendenv.signals.pieces import PIECE, line_at, pieces_with_hits
from ascendenv.signals.tally import Tally

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.signals.catalogue import Catalogue, Pattern
    from ascendenv.signals.matcher import Matcher
    from ascendenv.signals.model import Signals
    from ascendenv.signals.pieces import Piece
    from ascendenv.signals.tally import Key

__all__ = ["Scanner", "scan"]

EVIDENCE_LENGTH = 500
"""How many characters of a line are kept as proof."""
PATIENCE = 1000
"""How many lines with its words a pattern may miss before it is given up, save for codes: a log may say
`error code is 0` for long before it says anything else."""
LONG = 24
"""After so many chunks a text is long."""
CODE = "error-code"
REMEMBERED = 1024
"""How many different lines are remembered together with what was found in them."""

_CONTROL = {code: None for code in (*range(32), *range(127, 160)) if code != 9}  # noqa: PLR2004  (tab stays)
_CLOCK = re.compile(rb"\d\d:\d\d:\d\d(?:[.,:]\d+)*")


def scan(source: bytes | BinaryIO | Path, origin: str, catalogue: Catalogue | None = None) -> Signals:
    """The signals in `source`, in order; `origin` names it in the evidence (`log:12`).

    One pass, with memory that does not depend on the size of `source`. Raises UnusableInput and NothingChecked for
    what `open_stream` cannot read.
    """
    scanner = Scanner(catalogue or shipped_catalogue(), origin)
    for chunk in open_stream(source, origin):
        scanner.feed(chunk)
    return scanner.tally.signals()


class Scanner:
    """The state of one pass: the line that was reached, and what was seen so far."""

    def __init__(self, catalogue: Catalogue, origin: str) -> None:
        self.tally = Tally()
        self._catalogue = catalogue
        self._origin = origin
        self._line = 1
        self._chunks = 0
        self._misses: Counter[int] = Counter()
        self._given_up: set[int] = set()
        self._remembered: dict[bytes, list[tuple[int, Key]]] = {}

    def feed(self, chunk: bytes) -> None:
        """Look through the next bytes of the log, which end at a line's end."""
        counted = 0
        hits = self._choose_matcher().find(chunk)
        for piece in pieces_with_hits(chunk, hits, self._catalogue.patterns_of):
            self._line += chunk.count(b"\n", counted, piece.start)
            counted = piece.start
            for at, key in self._found_in(piece, chunk):
                if not self.tally.count(key):
                    where = f"{self._origin}:{self._line}"
                    self.tally.begin(
                        key, Evidence(where, _excerpt(piece.text.decode("utf-8", "replace"), at))
                    )
        self._line += chunk.count(b"\n", counted)
        self._forget_given_up()

    def _choose_matcher(self) -> Matcher:
        self._chunks += 1
        return self._catalogue.matcher if self._chunks < LONG else self._catalogue.matcher_for_long_text

    def _found_in(self, piece: Piece, chunk: bytes) -> list[tuple[int, Key]]:
        """Place and key of each signal in a piece, in order.

        A job in trouble says the same again and again, with another time in front: such a line is read once only.
        """
        if self._remembered and (found := self._remembered.get(_CLOCK.sub(b"", piece.text))) is not None:
            return found
        patterns = tuple(place for place in piece.patterns if place not in self._given_up)
        found = self._read(piece, patterns, chunk)
        if not found:
            self._miss(patterns)
        elif not any(self._catalogue.patterns[place].wraps for place in patterns):
            if len(self._remembered) >= REMEMBERED:
                self._remembered.clear()
            self._remembered[_CLOCK.sub(b"", piece.text)] = found
        return found

    def _miss(self, patterns: tuple[int, ...]) -> None:
        """Note that these patterns found nothing; one whose words fill this log and never mean anything is given up."""
        for place in patterns:
            self._misses[place] += 1
            if self._misses[place] == PATIENCE and self._catalogue.patterns[place].id != CODE:
                self._given_up.add(place)

    def _forget_given_up(self) -> None:
        """Look for the literals of what is left only."""
        if self._given_up:
            left = [place for place in range(len(self._catalogue.patterns)) if place not in self._given_up]
            self._misses = Counter({new: self._misses[old] for new, old in enumerate(left)})
            self._catalogue = self._catalogue.without(self._given_up)
            self._given_up.clear()

    def _read(self, piece: Piece, patterns: tuple[int, ...], chunk: bytes) -> list[tuple[int, Key]]:
        text = piece.text.decode("utf-8", "replace")
        lowered = text.lower()
        found: list[tuple[int, int, Key]] = []
        for place in patterns:
            pattern = self._catalogue.patterns[place]
            matches = pattern.find(text) if pattern.may_match(lowered) else []
            if not matches and pattern.wraps:
                matches = _wrapped(pattern, text, chunk, piece.end)
            if matches:
                self._misses[place] = -sys.maxsize  # it means something here
            found.extend((at, place, _key(pattern.id, fields)) for at, fields in matches)
        found.sort(key=lambda one: one[:2])
        first: dict[Key, int] = {}
        for at, _, key in found:
            first.setdefault(key, at)  # one line counts once, however many patterns see it
        return [(at, key) for key, at in first.items()]


def _key(name: str, fields: dict[str, str]) -> Key:
    if name == CODE:
        code = canonical_code(fields["code"])
        fields.update(code=code, component=component_of(code))
    return name, tuple(sorted(fields.items()))


def _wrapped(pattern: Pattern, text: str, chunk: bytes, end: int) -> list[tuple[int, dict[str, str]]]:
    """The matches that begin in `text` and need the line after it, which begins behind `end`."""
    following = chunk[end + 1 : line_at(chunk, end + 1)[1]][:PIECE].decode("utf-8", "replace")
    joined = f"{text.rstrip()} {following.strip()}"
    return [(at, fields) for at, fields in pattern.find(joined) if at < len(text)]


def _excerpt(text: str, at: int) -> str:
    """The line without control characters; of a long one the part around the match."""
    if len(text) > EVIDENCE_LENGTH:
        begin = max(0, min(at - EVIDENCE_LENGTH // 4, len(text) - EVIDENCE_LENGTH))
        text = text[begin : begin + EVIDENCE_LENGTH]
    return text.translate(_CONTROL).rstrip()
