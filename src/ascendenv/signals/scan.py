"""Reads a log once and says which known messages it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from ascendenv.facts.decode import open_stream
from ascendenv.facts.evidence import Evidence
from ascendenv.signals.catalogue import shipped_catalogue
from ascendenv.signals.codes import canonical_code, component_of
from ascendenv.signals.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ascendenv.signals.catalogue import Catalogue, Pattern
    from ascendenv.signals.model import Signals

__all__ = ["scan"]

PIECE = 4096
"""A longer line is looked at in stretches of this many bytes, so that no expression meets a text without end."""
MARGIN = 1024
"""How many bytes before and after its stretch an expression sees."""
EVIDENCE_LENGTH = 500
"""How many characters of a line are kept as proof."""

_CONTROL = {code: None for code in (*range(32), *range(127, 160)) if code != 9}  # noqa: PLR2004  (tab stays)


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

    def feed(self, chunk: bytes) -> None:
        """Look through the next bytes of the log, which end at a line's end."""
        counted = 0
        hits = self._catalogue.matcher.find(chunk)
        for start, end, piece, places in self._pieces(chunk, hits):
            self._line += chunk.count(b"\n", counted, start)
            counted = start
            self._read(piece, places, chunk, end)
        self._line += chunk.count(b"\n", counted)

    def _pieces(
        self, chunk: bytes, hits: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[int, int, bytes, dict[int, None]]]:
        """Each stretch of a line with a hit: begin and end of the line, the bytes to look at, the patterns to try."""
        start = end = number = -1
        places: dict[int, None] = {}
        for position, anchor in hits:
            if position >= end:
                if places:
                    yield start, end, _stretch(chunk, start, end, number), places
                start, end, number, places = *_line_at(chunk, position), -1, {}
            if (position - start) // PIECE != number:
                if places:
                    yield start, end, _stretch(chunk, start, end, number), places
                number, places = (position - start) // PIECE, {}
            places.update(dict.fromkeys(self._catalogue.patterns_of[anchor]))
        if places:
            yield start, end, _stretch(chunk, start, end, number), places

    def _read(self, piece: bytes, places: Iterable[int], chunk: bytes, end: int) -> None:
        text = piece.decode("utf-8", "replace")
        found: list[tuple[int, int, str, dict[str, str]]] = []
        for place in sorted(places):
            pattern = self._catalogue.patterns[place]
            found.extend(
                (at, place, pattern.id, fields) for at, fields in _matches(pattern, text, chunk, end)
            )
        found.sort(key=lambda one: one[:2])
        for at, _, name, fields in found:
            if name == "error-code":
                code = canonical_code(fields["code"])
                fields.update(code=code, component=component_of(code))
            if key := self.tally.count(name, fields):
                self.tally.begin(key, Evidence(f"{self._origin}:{self._line}", _excerpt(text, at)))


def _line_at(chunk: bytes, position: int) -> tuple[int, int]:
    end = chunk.find(b"\n", position)
    return chunk.rfind(b"\n", 0, position) + 1, len(chunk) if end < 0 else end


def _stretch(chunk: bytes, start: int, end: int, number: int) -> bytes:
    if end - start <= PIECE:
        return chunk[start:end]
    first = start + number * PIECE
    return chunk[max(start, first - MARGIN) : min(end, first + PIECE + MARGIN)]


def _matches(pattern: Pattern, text: str, chunk: bytes, end: int) -> Iterable[tuple[int, dict[str, str]]]:
    matches = list(pattern.find(text))
    if matches or not pattern.wraps:
        return matches
    following = chunk[end + 1 : _line_at(chunk, end + 1)[1]][:PIECE].decode("utf-8", "replace")
    joined = f"{text.rstrip()} {following.strip()}"
    return [(at, fields) for at, fields in pattern.find(joined) if at < len(text)]


def _excerpt(text: str, at: int) -> str:
    """The line without control characters; of a long one the part around the match."""
    if len(text) > EVIDENCE_LENGTH:
        begin = max(0, min(at - EVIDENCE_LENGTH // 4, len(text) - EVIDENCE_LENGTH))
        text = text[begin : begin + EVIDENCE_LENGTH]
    return text.translate(_CONTROL).rstrip()
