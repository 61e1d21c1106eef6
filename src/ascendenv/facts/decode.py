r"""Bytes of unknown origin made readable: clean UTF-8 with plain line ends, whole or as a stream.

What people paste or save is compressed, coloured, cut off, of another encoding, or full of progress bars. Behind
these two functions there are only printable characters, tabs and `\n`. A lone carriage return ends a line, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, BinaryIO

from ascendenv.errors import NothingChecked, UnusableInput
from ascendenv.facts.encoding import Unreadable, to_utf8, transcoder
from ascendenv.facts.gunzip import Damaged, gunzipped
from ascendenv.language import say

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

__all__ = ["open_stream", "read_text"]

_CHUNK = 1 << 20
_SAMPLE = 1 << 16  # a source that writes such lines writes them everywhere
_LONGEST_LINE = 1 << 20  # a longer one is cut, so that memory stays flat where no line ever ends

_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n") + b"\x7f"
_ESCAPE = re.compile(
    rb"\x1b(?:"
    rb"\[[0-?]{0,64}[ -/]{0,8}[@-~]"  # colours, cursor
    rb"|\][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)"  # window titles, links
    rb"|[PX^_][^\x1b\n]{0,4096}\x1b\\"
    rb"|[ -/]{0,8}[0-~])?"
)
_LOST_ESCAPE = re.compile(rb"\[(?:[0-9]{1,2}(?:;[0-9]{1,3}){1,4}|[012347]|00|01|22|39|49|[349][0-7])m")
_RESETS = (b"[0m", b"[0;0m")  # colours whose escape byte was lost in pasting end in one of these
_LINE_END = re.compile(rb"\r+\n?")
_INVISIBLE = re.compile(
    rb"\xc2[\x80-\x9f\xad]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf|\xef\xbf[\xb9-\xbb]"
)
_INVISIBLE_HINTS = (b"\xc2", b"\xe2\x80", b"\xe2\x81", b"\xef\xbb\xbf", b"\xef\xbf", b"\xe3\x80\x80")
_WIDE_SPACE = re.compile(rb"\xc2\xa0|\xe2\x80[\x80-\x8a\xaf]|\xe3\x80\x80")


def read_text(data: bytes, where: str = "") -> str:
    """The text in `data`, cleaned.

    Raises UnusableInput for a binary file or a damaged archive, NothingChecked where there is no text at all.
    """
    return b"".join(open_stream(data, where)).decode("utf-8", "replace")


def open_stream(source: bytes | BinaryIO | str | os.PathLike[str], where: str = "") -> Iterator[bytes]:
    """The text of a file, a binary stream or bytes as clean UTF-8 chunks of about 1 MB, each ending at a line end.

    Memory does not grow with the input: a line longer than 1 MB is cut in pieces. Raises UnusableInput for what
    cannot be opened, is binary or damaged, and NothingChecked at the end of an input without any text. Both are
    raised on iteration, not by this call.
    """
    if isinstance(source, bytes):
        raw: Iterable[bytes] = (source[at : at + _CHUNK] for at in range(0, len(source), _CHUNK))
    elif isinstance(source, str) or hasattr(source, "__fspath__"):
        where = where or str(source)
        raw = _chunks_of_file(str(source), where)
    else:
        raw = _chunks_of(source, where)
    return _cleaned(raw, where)


def _chunks_of_file(path: str, where: str) -> Iterator[bytes]:
    try:
        stream = open(path, "rb")  # noqa: PTH123, SIM115  (closed below; pathlib is not imported on this path)
    except IsADirectoryError:
        raise UnusableInput(
            say("this is a directory, not a file"), where=where, hint=say("name one file inside it")
        ) from None
    except (OSError, ValueError) as error:
        raise _unreadable(error, where) from None
    with stream:
        yield from _chunks_of(stream, where)


def _chunks_of(stream: BinaryIO, where: str) -> Iterator[bytes]:
    try:
        while chunk := stream.read(_CHUNK):
            yield chunk
    except OSError as error:
        raise _unreadable(error, where) from None


def _unreadable(error: OSError | ValueError, where: str) -> UnusableInput:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return UnusableInput(say("this cannot be read: {reason}", reason=reason), where=where)


def _cleaned(raw: Iterable[bytes], where: str) -> Iterator[bytes]:
    seen = False
    try:
        for chunk in _whole_lines(transcoder(gunzipped(raw))):
            clean = _clean(chunk)
            if clean:
                seen = seen or not clean.isspace()
                yield clean
    except Unreadable:
        raise UnusableInput(
            say("this is not text but a binary file"),
            where=where,
            hint=say("give the text that was printed, or the log file itself"),
        ) from None
    except Damaged:
        raise UnusableInput(
            say("this gzip file is damaged: nothing in it can be read"), where=where
        ) from None
    if not seen:
        raise NothingChecked(say("the input is empty"), where=where)


def _whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The chunks cut anew, so that each ends at a line end; only the last one may not.

    An unfinished last line comes with the lines before it: a message may begin there.
    """
    whole = b""
    rest: list[bytes] = []
    size = 0
    for chunk in chunks:
        # A carriage return at the very end may be the first half of a line end.
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r", 0, -1)) + 1
        if end:
            if whole:
                yield whole
            whole = b"".join([*rest, chunk[:end]])
            rest, size = [chunk[end:]], len(chunk) - end
        else:
            rest.append(chunk)
            size += len(chunk)
        if size > _LONGEST_LINE:
            yield b"".join([whole, *rest, b"\n"])
            whole, rest, size = b"", [], 0
    if whole or size:
        yield b"".join([whole, *rest])


def _clean(chunk: bytes) -> bytes:
    """One chunk of any 8-bit encoding as clean UTF-8. The common case, plain text, passes a few fast tests only."""
    if not chunk.isascii():
        chunk = _without_invisible(to_utf8(chunk))
    if b"\x1b" in chunk:
        chunk = _ESCAPE.sub(b"", chunk)
    beginning = chunk[:_SAMPLE]
    if any(reset in beginning for reset in _RESETS):
        chunk = _LOST_ESCAPE.sub(b"", chunk)
    if b"\r" in chunk:
        chunk = _LINE_END.sub(b"\n", chunk)
    return chunk.translate(None, _CONTROLS)


def _without_invisible(chunk: bytes) -> bytes:
    if not any(hint in chunk for hint in _INVISIBLE_HINTS):
        return chunk
    return _WIDE_SPACE.sub(b" ", _INVISIBLE.sub(b"", chunk))
