"""Which encoding a text has: UTF-8 (also with errors), UTF-16 and UTF-32 with or without mark, GBK; or none at all."""

from __future__ import annotations

import codecs
import re
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Unreadable", "to_utf8", "transcoder"]

_HEAD = 1 << 16
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BINARY_MAGIC = (
    b"\x7fELF", b"PK\x03\x04", b"PK\x05\x06", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF-", b"BZh", b"\xfd7zXZ\x00",
    b"7z\xbc\xaf\x27\x1c", b"\x28\xb5\x2f\xfd", b"Rar!", b"\xca\xfe\xba\xbe", b"SQLite format 3\x00", b"\x93NUMPY",
)  # fmt: skip
_ODD = bytes(range(8)) + b"\x0e\x0f" + bytes(range(0x10, 0x1A)) + b"\x1c\x1d\x1e\x1f\x7f"
_FEW = 8  # so many stray control characters prove nothing
_UTF8_CHARACTER = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_HIGH = re.compile(rb"[\x80-\xff]")
_CHINESE = re.compile("[\u4e00-\u9fff\u3000-\u303f\uff00-\uffef\u2010-\u2027\u00b7]")


class Unreadable(Exception):
    """The bytes are no text."""


def transcoder(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The chunks in an encoding whose line ends are single bytes: UTF-16 and UTF-32 become UTF-8, all else passes.

    Raises Unreadable on the first chunk where the input is a binary file.
    """
    stream = iter(chunks)
    head = b""
    while len(head) < _HEAD and (chunk := next(stream, b"")):
        head += chunk
    encoding = _wide_encoding(head)
    if encoding is None and _is_binary(head):
        raise Unreadable
    whole = chain([head], stream)
    return iter(whole) if encoding is None else _reencoded(whole, encoding)


def to_utf8(chunk: bytes) -> bytes:
    """Whole lines of an ASCII-based encoding as valid UTF-8; what fits none becomes U+FFFD."""
    try:
        chunk.decode("utf-8")
    except UnicodeDecodeError:
        return _repaired(chunk)
    return chunk


def _repaired(chunk: bytes) -> bytes:
    if _looks_like_gbk(chunk):
        try:
            return chunk.decode("gb18030").encode("utf-8")
        except UnicodeDecodeError:
            pass
    return b"\n".join(map(_repaired_line, chunk.split(b"\n")))


def _repaired_line(line: bytes) -> bytes:
    if not line.isascii() and _looks_like_gbk(line):
        return line.decode("gb18030", "replace").encode("utf-8")
    return line.decode("utf-8", "replace").encode("utf-8")


def _looks_like_gbk(data: bytes) -> bool:
    """More bytes break UTF-8 than form characters of it, and as GB18030 they read as Chinese."""
    first = _HIGH.search(data)
    if first is None:
        return False
    sample = data[first.start() : first.start() + _HEAD]
    characters = _UTF8_CHARACTER.findall(sample)
    if sum(map(len, characters)) * 2 > len(_HIGH.findall(sample)):
        return False
    text = sample.decode("gb18030", "replace")
    foreign = [letter for letter in text if not letter.isascii()]
    return len(_CHINESE.findall(text)) * 10 >= len(foreign) * 8


def _wide_encoding(head: bytes) -> str | None:
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    pairs = len(head) // 2
    if not pairs or head.count(0) * 5 < pairs:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if max(even, odd) < min(pairs, _FEW) or max(even, odd) <= 10 * min(even, odd):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _is_binary(head: bytes) -> bool:
    if head.startswith(_BINARY_MAGIC) or head[257:262] == b"ustar":
        return True
    text = head.replace(b"\0", b"")
    if head and not text:
        return True
    odd = len(text) - len(text.translate(None, _ODD))
    return odd > _FEW and odd * 100 > len(text) * 3


def _reencoded(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for chunk in chunks:
        if text := decoder.decode(chunk):
            yield text.encode("utf-8", "replace")
    if text := decoder.decode(b"", final=True):
        yield text.encode("utf-8", "replace")
