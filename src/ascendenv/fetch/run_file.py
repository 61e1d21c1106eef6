"""The vendor's self-extracting packages: a shell script with an archive behind it, as makeself writes them.

Nothing of them is ever run. The script's own variables say where the archive begins, how long it is and what its hash
is; small records inside the archive say what the package is.
"""

from __future__ import annotations

import lzma
import re
import tarfile
import zlib
from dataclasses import dataclass
from hashlib import sha256
from typing import IO, TYPE_CHECKING

from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from ascendenv.language import Message

__all__ = ["RunHeader", "damage_of", "read_header", "records_in"]

_LONGEST_SCRIPT = 1 << 20
_LARGEST_RECORD = 256 << 10
_MOST_UNPACKED = 64 << 30
_BLOCK = 1 << 20
_VALUE = re.compile(rb'^(label|skip|filesizes|SHA)="([^"\n]*)"', re.MULTILINE)
_ARCHIVE = re.compile(rb"\n(?=\x1f\x8b\x08|BZh[1-9]|\xfd7zXZ\x00)")
_TROUBLE = (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError, ValueError)


@dataclass(frozen=True)
class RunHeader:
    """Where the archive lies in the file; `size` and `sha256` as the script tells them, None where it does not."""

    label: str
    offset: int
    size: int | None
    sha256: str | None


def read_header(stream: IO[bytes]) -> RunHeader | None:
    """The header of a self-extracting file; None for any other."""
    head = stream.read(_LONGEST_SCRIPT)
    if not head.startswith(b"#!"):
        return None
    values = {
        match.group(1).decode(): match.group(2).decode("utf-8", "replace") for match in _VALUE.finditer(head)
    }
    offset = _offset(head, values.get("skip", ""))
    if offset is None:
        return None
    sizes, sums = values.get("filesizes", "").split(), values.get("SHA", "").split()
    size = sum(int(one) for one in sizes) if sizes and all(map(_is_number, sizes)) else None
    known = (
        sums[0] if len(sums) == 1 and re.fullmatch(r"[0-9a-f]{64}", sums[0]) and sums[0].strip("0") else None
    )
    return RunHeader(values.get("label", ""), offset, size, known)


def damage_of(stream: IO[bytes], header: RunHeader) -> Message | None:
    """What is wrong with the archive by the script's own numbers; None where nothing is, or nothing is told."""
    if header.size is None:
        return None
    stream.seek(header.offset)
    found, left = sha256(), header.size
    while left and (block := stream.read(min(_BLOCK, left))):
        found.update(block)
        left -= len(block)
    if left:
        return say("{count} bytes are missing at its end", count=left)
    if header.sha256 is not None and found.hexdigest() != header.sha256:
        return say("its archive does not have the hash that its own script names")
    return None


def records_in(stream: IO[bytes], names: Collection[str], offset: int = 0) -> Iterator[tuple[str, bytes]]:
    """Small files of those names inside the archive at `offset`, as path and content; none where it cannot be read.

    An archive that ends in the middle yields what comes before.
    """
    for _ in range(offset // _BLOCK):
        stream.read(_BLOCK)
    stream.read(offset % _BLOCK)
    try:
        with tarfile.open(fileobj=stream, mode="r|*") as archive:
            unpacked = 0
            for member in archive:
                unpacked += member.size
                if unpacked > _MOST_UNPACKED:
                    return
                name = member.name.rpartition("/")[2]
                if member.isreg() and name in names and member.size <= _LARGEST_RECORD:
                    content = archive.extractfile(member)
                    if content is not None:
                        yield member.name.removeprefix("./"), content.read()
    except _TROUBLE:
        return


def _offset(head: bytes, skip: str) -> int | None:
    """Where the archive begins: behind so many lines, or at the first line that begins like an archive."""
    if _is_number(skip):
        at = 0
        for _ in range(int(skip)):
            at = head.find(b"\n", at) + 1
            if not at:
                return None
        return at
    match = _ARCHIVE.search(head)
    return match.end() if match is not None else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 16  # noqa: PLR2004  (no file is larger)
