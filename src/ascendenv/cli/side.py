"""One side of a comparison: this machine, another one over ssh, or a file that shows by its content whether it is a snapshot or a text."""

from __future__ import annotations

import io
import sys
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ascendenv.errors import UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from ascendenv.facts.model import HostFacts

__all__ = ["read_side"]

_HEAD = 4096
_HOST = "host:"
_GZIP = b"\x1f\x8b"


def read_side(spec: str, python: str | None = None, pid: int | None = None) -> HostFacts:
    """The facts of `.` (this machine), `host:NODE` (over ssh), `-` (standard input) or a file.

    Raises UnusableInput for what cannot be read, NothingChecked for an empty text, HostFailed where ssh fails.
    """
    if spec == ".":
        from ascendenv.collect.local import collect_here
        from ascendenv.facts.snapshot import facts_of_snapshot

        return facts_of_snapshot(collect_here(python, pid))
    if spec.startswith(_HOST):
        from ascendenv.collect.remote import collect_from
        from ascendenv.facts.snapshot import facts_of_snapshot

        return facts_of_snapshot(collect_from(spec.removeprefix(_HOST)))
    with _opened(spec) as stream:
        return _read(stream, spec)


def _read(stream: io.BufferedReader, spec: str) -> HostFacts:
    if _looks_like_json(stream.peek(_HEAD)):
        from ascendenv.collect.snapshot import read_snapshot
        from ascendenv.facts.snapshot import facts_of_snapshot

        return facts_of_snapshot(read_snapshot(stream, spec))
    from ascendenv.facts.text import read_report

    return read_report(stream)


def _looks_like_json(head: bytes) -> bool:
    if head.startswith(_GZIP):
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, _HEAD)
        except zlib.error:
            return False
    return head.lstrip().startswith(b"{")


@contextmanager
def _opened(spec: str) -> Iterator[io.BufferedReader]:
    if spec == "-":
        yield _buffered(sys.stdin.buffer)
        return
    try:
        stream = open(spec, "rb")  # noqa: PTH123, SIM115  (pathlib is not imported on this path; closed below)
    except OSError as error:
        raise UnusableInput(
            say("this cannot be read: {reason}", reason=error.strerror or str(error)), where=spec
        ) from error
    with stream:
        yield stream


def _buffered(stream: BinaryIO) -> io.BufferedReader:
    return stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(io.BytesIO(stream.read()))
