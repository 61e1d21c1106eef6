"""Compressed input read as it is: gzip, gzip inside gzip, several members, cut off or with a wrong checksum."""

from __future__ import annotations

import zlib
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Protocol

    class Decompressor(Protocol):
        """The part of zlib's decompression objects that is used here."""

        def decompress(self, data: bytes, max_length: int, /) -> bytes:
            """At most `max_length` bytes of what `data` holds."""


__all__ = ["Damaged", "gunzipped"]

_MAGIC = b"\x1f\x8b\x08"
_DEEPEST = 4
_PIECE = 1 << 20


class Damaged(Exception):
    """The input is gzip, but nothing of it can be unpacked."""


def gunzipped(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The chunks unpacked as often as they are packed (at most four times); what is not gzip passes unchanged.

    Of a truncated or damaged archive the readable front is given; raises Damaged where there is none.
    """
    for _ in range(_DEEPEST):
        head, chunks = _peek(iter(chunks))
        if not head.startswith(_MAGIC):
            break
        chunks = _unpacked(chunks)
    return iter(chunks)


def _peek(chunks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    head = b""
    while len(head) < len(_MAGIC) and (chunk := next(chunks, b"")):
        head += chunk
    return head, chain([head], chunks)


def _unpacked(chunks: Iterable[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(wbits=31)
    given = False
    for chunk in chunks:
        data = chunk
        while data:
            before = unpacker.copy()
            try:
                piece = unpacker.decompress(data, _PIECE)
            except zlib.error:
                if front := _readable_front(before, data):
                    yield front
                elif not given:
                    raise Damaged from None
                return
            if piece:
                given = True
                yield piece
            data = unpacker.unconsumed_tail
            if unpacker.eof:
                data = unpacker.unused_data.lstrip(b"\0")
                if not _MAGIC.startswith(data[:3]):
                    return
                unpacker = zlib.decompressobj(wbits=31)


def _readable_front(unpacker: Decompressor, data: bytes) -> bytes:
    """What can be unpacked of `data` before the damaged place, which may also be a wrong checksum at the end."""
    front = bytearray()
    with suppress(zlib.error):
        for at in range(len(data)):
            front += unpacker.decompress(data[at : at + 1], _PIECE)
    return bytes(front)
