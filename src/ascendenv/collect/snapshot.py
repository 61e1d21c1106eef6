"""A collected snapshot, read back: from this process, a file, or a colleague's bug report."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from ascendenv.errors import UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["LARGEST", "SCHEMA_VERSION", "Snapshot", "read_snapshot"]

SCHEMA_VERSION = 1
LARGEST = 128 * 1024 * 1024
"""Bytes of the largest snapshot that is read; a real one has some hundred kB."""
ORDINARY = 8 * 1024 * 1024
"""Bytes above which a snapshot is shortened before anybody looks at it."""
_MOST_MEMBERS = 20_000
_LONGEST_TEXT = 1 << 20
_MOST_GAPS = 40


@dataclass(frozen=True)
class Snapshot:
    """What the collector recorded, by section (`machine`, `devices`, `driver`, `cann`, `interpreter`, `process` ...).

    `gaps` names what of it could not be read, with the reason.
    """

    data: Mapping[str, Any]
    gaps: tuple[tuple[str, str], ...] = ()

    def section(self, name: str) -> Mapping[str, Any]:
        """One section; empty where it was not recorded or its probe failed."""
        found = self.data.get(name)
        return found if isinstance(found, dict) else {}

    def part(self, section: str, name: str) -> Mapping[str, Any]:
        """A table inside a section, empty where it is not there."""
        found = self.section(section).get(name)
        return found if isinstance(found, dict) else {}

    def records(self, section: str, name: str) -> dict[str, Mapping[str, Any]]:
        """Those members of a table inside a section that are tables themselves."""
        return {key: one for key, one in self.part(section, name).items() if isinstance(one, dict)}

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
        """(section, reason) of each probe that broke, and of each part of the snapshot that could not be read."""
        for name, section in self.data.items():
            if isinstance(section, dict) and "failed" in section and name != "interpreter":
                yield name, str(section["failed"])
        yield from self.gaps


def read_snapshot(stream: BinaryIO, where: str) -> Snapshot:
    """The snapshot in `stream`, packed with gzip or not.

    A newer schema is read as far as it is understood, and one that is longer than any real one is shortened; `gaps`
    says so. Raises UnusableInput for anything else, with what it is instead.
    """
    data = stream.read(LARGEST + 1)
    if data[:2] == b"\x1f\x8b":
        data = _unpacked(data, where)
    if len(data) > LARGEST:
        raise UnusableInput(
            say("this is larger than any snapshot ({limit} MB)", limit=LARGEST >> 20), where=where
        )
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UnusableInput(
            say("this is no snapshot: it is not JSON"),
            where=where,
            hint=say("`ascendenv collect -o FILE` writes one; pasted text goes to --report"),
        ) from error
    return _checked(found, where, large=len(data) > ORDINARY)


def _checked(found: object, where: str, *, large: bool) -> Snapshot:
    version = found.get("schema_version") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(version, int) or "machine" not in found:
        raise UnusableInput(
            say("this is JSON, but no snapshot"),
            where=where,
            hint=say("`ascendenv collect -o FILE` writes one"),
        )
    gaps: list[tuple[str, str]] = []
    if version > SCHEMA_VERSION:
        gaps.append(
            ("snapshot", f"its schema {version} is newer than {SCHEMA_VERSION}, which this ascendenv knows")
        )
    data: dict[str, Any] = _shortened(found, "snapshot", gaps) if large else found
    return Snapshot(data, tuple(gaps[:_MOST_GAPS]))


def _shortened(value: Any, where: str, gaps: list[tuple[str, str]]) -> Any:  # noqa: ANN401  (JSON of any form)
    """`value` without what no collector records: tables of a hundred thousand rows, texts of many megabytes."""
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        gaps.append((where, f"only the last {_LONGEST_TEXT} of {len(value)} characters were read"))
        return value[-_LONGEST_TEXT:]
    if isinstance(value, (list, dict)) and len(value) > _MOST_MEMBERS:
        gaps.append((where, f"only the first {_MOST_MEMBERS} of {len(value)} entries were read"))
    if isinstance(value, list):
        return [_shortened(one, where, gaps) for one in value[:_MOST_MEMBERS]]
    if isinstance(value, dict):
        members = islice(value.items(), _MOST_MEMBERS)
        return {key: _shortened(one, f"{where}.{key}"[:200], gaps) for key, one in members}
    return value


def _unpacked(data: bytes, where: str) -> bytes:
    import gzip
    import io
    import zlib

    try:
        with gzip.open(io.BytesIO(data)) as stream:
            return stream.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UnusableInput(say("this gzip file is damaged"), where=where) from error
