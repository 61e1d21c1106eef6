"""Cuts out of a chunk the lines that hold a literal, and out of a very long line the stretches that do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["PIECE", "Piece", "line_at", "pieces_with_hits"]

PIECE = 2048
"""A longer line is looked at in stretches of this many bytes, so that no expression meets a text without end."""
MARGIN = 512
"""How many bytes before and after its stretch an expression sees."""


class Piece(NamedTuple):
    """Bytes to look at: where their line begins and ends in the chunk, and the patterns to try on them."""

    start: int
    end: int
    text: bytes
    patterns: tuple[int, ...]


def pieces_with_hits(
    chunk: bytes, hits: Iterable[tuple[int, int]], patterns_of: Sequence[tuple[int, ...]]
) -> Iterator[Piece]:
    """The pieces of `chunk` that hold a hit, in order.

    A hit is a position and the number of the literal there; `patterns_of` names the patterns of each literal.
    """
    start = end = number = -1
    patterns: tuple[int, ...] = ()
    for position, literal in hits:
        if position >= end or (position - start) // PIECE != number:
            if patterns:
                yield Piece(start, end, _stretch(chunk, start, end, number), patterns)
            if position >= end:
                start, end = line_at(chunk, position)
            number = (position - start) // PIECE
            patterns = patterns_of[literal]
        elif not set(patterns_of[literal]) <= set(patterns):
            patterns = tuple(sorted({*patterns, *patterns_of[literal]}))
    if patterns:
        yield Piece(start, end, _stretch(chunk, start, end, number), patterns)


def line_at(chunk: bytes, position: int) -> tuple[int, int]:
    """Where the line that holds `position` begins and ends; the line end itself is not part of it."""
    end = chunk.find(b"\n", position)
    return chunk.rfind(b"\n", 0, position) + 1, len(chunk) if end < 0 else end


def _stretch(chunk: bytes, start: int, end: int, number: int) -> bytes:
    if end - start <= PIECE:
        return chunk[start:end]
    first = start + number * PIECE
    return chunk[max(start, first - MARGIN) : min(end, first + PIECE + MARGIN)]
