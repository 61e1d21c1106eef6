"""A collected snapshot, read back: from this process, a file, or a colleague's bug report."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from ascendenv.errors import UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["LARGEST", "SCHEMA_VERSION", "Snapshot", "read_snapshot"]

SCHEMA_VERSION = 1
LARGEST = 256 * 1024 * 1024
"""Bytes of the largest snapshot that is read; a real one has some hundred kB."""


@dataclass(frozen=True)
class Snapshot:
    """What the collector recorded, by section (`machine`, `devices`, `driver`, `cann`, `interpreter`, `process` ...)."""

    data: Mapping[str, Any]

    def section(self, name: str) -> Mapping[str, Any]:
        """One section; empty where it was not recorded or its probe failed."""
        found = self.data.get(name)
        return found if isinstance(found, dict) else {}

    def part(self, section: str, name: str) -> Mapping[str, Any]:
        """A table inside a section, empty where it is not there."""
        found = self.section(section).get(name)
        return found if isinstance(found, dict) else {}

    def text(self, path: str) -> str | None:
        """The content of a file that was read, None where it could not be."""
        text = self.file(path).get("text")
        return text if isinstance(text, str) else None

    def file(self, path: str) -> Mapping[str, Any]:
        """The record of a file that was to be read, `{"text", "modified"}` or `{"error"}`; empty where it was not."""
        for section in self.data:
            record = self.part(section, "files").get(path)
            if isinstance(record, dict):
                return record
        return {}

    def files(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """(path, record) of every file that was to be read."""
        for section in self.data:
            for path, record in self.part(section, "files").items():
                if isinstance(record, dict):
                    yield path, record

    def failures(self) -> Iterator[tuple[str, str]]:
        """(section, reason) of each probe that broke."""
        for name, section in self.data.items():
            if isinstance(section, dict) and "failed" in section:
                yield name, str(section["failed"])


def read_snapshot(stream: BinaryIO, where: str) -> Snapshot:
    """The snapshot in `stream`; raises UnusableInput for anything else, with what it is instead."""
    data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise UnusableInput(
            say("this is larger than any snapshot ({limit} MB)", limit=LARGEST >> 20), where=where
        )
    if data[:2] == b"\x1f\x8b":
        data = _unpacked(data, where)
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UnusableInput(
            say("this is no snapshot: it is not JSON"),
            where=where,
            hint=say("`ascendenv collect -o FILE` writes one; pasted text goes to --report"),
        ) from error
    return _checked(found, where)


def _checked(found: object, where: str) -> Snapshot:
    version = found.get("schema_version") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(version, int) or "machine" not in found:
        raise UnusableInput(
            say("this is JSON, but no snapshot"),
            where=where,
            hint=say("`ascendenv collect -o FILE` writes one"),
        )
    if version > SCHEMA_VERSION:
        raise UnusableInput(
            say(
                "this snapshot has schema {found}, and this ascendenv reads up to {known}",
                found=version,
                known=SCHEMA_VERSION,
            ),
            where=where,
            hint=say("read it with a newer ascendenv"),
        )
    return Snapshot(found)


def _unpacked(data: bytes, where: str) -> bytes:
    import gzip
    import io
    import zlib

    try:
        with gzip.open(io.BytesIO(data)) as stream:
            return stream.read(LARGEST)
    except (OSError, EOFError, zlib.error) as error:
        raise UnusableInput(say("this gzip file is damaged"), where=where) from error
