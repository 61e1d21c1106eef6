"""Words of a snapshot made fit to be shown: no control characters, no halves of characters, no end in sight."""

from __future__ import annotations

__all__ = ["printable"]

_LONGEST = 400
_OBEYED = (*range(32), *range(127, 160), 0x2028, 0x2029)
_INVISIBLE = (*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF)
_HALVES = range(0xD800, 0xE000)
_CONTROLS = {**dict.fromkeys(_OBEYED, " "), **dict.fromkeys((*_INVISIBLE, *_HALVES))}


def printable(text: str) -> str:
    """`text` on one line, without what a terminal would obey, cut where it is very long."""
    if text.isascii() and text.isprintable():
        return text[:_LONGEST]
    return text[: 4 * _LONGEST].translate(_CONTROLS)[:_LONGEST]
