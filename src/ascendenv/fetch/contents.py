"""What the inside of a file says about it, whatever it is called."""

from __future__ import annotations

import re
import zipfile
import zlib
from dataclasses import dataclass, field
from email.parser import BytesHeaderParser
from typing import IO, TYPE_CHECKING

from packaging.utils import canonicalize_name

from ascendenv.fetch.file_name import Said, read_name
from ascendenv.fetch.run_file import damage_of, read_header, records_in
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix

__all__ = ["Inside", "look_inside"]

_SCENE = "scene.info"
_LARGEST_RECORD = 1 << 20
_MOST_UNPACKED = 64 << 30
_ZIP_TROUBLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)


@dataclass(frozen=True)
class Inside:
    """What the content tells, the record it was read from, the names of packages in an archive, and damage if any."""

    said: Said = field(default_factory=Said)
    record: str = ""
    holds: tuple[str, ...] = ()
    damage: Message | None = None


def look_inside(path: Path, matrix: Matrix) -> Inside:
    """What the file at `path` holds; nothing where it is of no known kind. Raises OSError where it cannot be read."""
    with path.open("rb") as stream:
        if zipfile.is_zipfile(stream):
            stream.seek(0)
            return _zip(stream, matrix)
        stream.seek(0)
        if stream.read(4) == b"PK\x03\x04":
            return Inside(damage=say("it is an archive whose end is missing"))
        stream.seek(0)
        header = read_header(stream)
        if header is None:
            return Inside()
        damage = damage_of(stream, header)
        if damage is not None:
            return Inside(damage=damage)
        stream.seek(header.offset)
        return _told(records_in(stream, _names(matrix)), matrix)


def _zip(stream: IO[bytes], matrix: Matrix) -> Inside:
    try:
        with zipfile.ZipFile(stream) as archive:
            if sum(one.file_size for one in archive.infolist()) > _MOST_UNPACKED:
                return Inside(damage=say("it unpacks to more than any package"))
            broken = archive.testzip()
            if broken is not None:
                return Inside(damage=say("{member} inside is damaged", member=broken))
            metadata = [one for one in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", one)]
            if len(metadata) == 1:
                return _wheel(archive, metadata[0])
            return _archive(archive, matrix)
    except _ZIP_TROUBLE as error:
        return Inside(
            damage=say("it is a damaged archive: {reason}", reason=str(error) or type(error).__name__)
        )


def _wheel(archive: zipfile.ZipFile, metadata: str) -> Inside:
    with archive.open(metadata) as stream:
        head = BytesHeaderParser().parsebytes(stream.read(_LARGEST_RECORD))
    name, version = str(head["Name"] or ""), str(head["Version"] or "")
    if not name or not version:
        return Inside(damage=say("it is a wheel without name or version"))
    return Inside(Said("pip", version, distribution=canonicalize_name(name)), metadata)


def _archive(archive: zipfile.ZipFile, matrix: Matrix) -> Inside:
    """An archive of packages: what the packages inside say, or as a last resort what they are called."""
    names = [one for one in archive.namelist() if one.endswith((".run", ".zip", ".hpm"))]
    holds = tuple(sorted(one.rpartition("/")[2] for one in names))
    driver = next((one for one in names if _by_name(one, matrix).package == "driver"), None)
    inner = driver or (names[0] if len(names) == 1 else None)
    told = _of_member(archive, inner, matrix) if inner is not None and inner.endswith(".run") else Inside()
    if told.said.is_empty and inner is not None:
        told = Inside(_by_name(inner, matrix), inner)
    if told.said.is_empty:
        return Inside(holds=holds)
    package = "bundle" if driver is not None else told.said.package
    family = _by_name(inner or "", matrix).family
    return Inside(Said(package, told.said.version, family, told.said.arch), told.record, holds)


def _of_member(archive: zipfile.ZipFile, member: str, matrix: Matrix) -> Inside:
    with archive.open(member) as stream:
        header = read_header(stream)
    if header is None:
        return Inside()
    with archive.open(member) as stream:
        told = _told(records_in(stream, _names(matrix), header.offset), matrix)
    return Inside(told.said, f"{member}: {told.record}")


def _by_name(member: str, matrix: Matrix) -> Said:
    return read_name(member.rpartition("/")[2], matrix)


def _names(matrix: Matrix) -> frozenset[str]:
    return frozenset({_SCENE, *(one.file for one in matrix.package_marks)})


def _told(records: Iterable[tuple[str, bytes]], matrix: Matrix) -> Inside:
    """What the records say; those that lie nearest to the top count first."""
    arch, found, where = None, Said(), ""
    for path, content in sorted(_few(records), key=lambda one: (one[0].count("/"), one[0])):
        pairs = _pairs(content)
        name = path.rpartition("/")[2]
        if name == _SCENE:
            arch = arch or _arch(pairs.get("arch", ""))
        elif found.is_empty:
            found = _marked(name, pairs, matrix)
            where = path if not found.is_empty else ""
            arch = arch or _arch(pairs.get("arch", "")) or _arch(pairs.get("Platform", ""))
    if found.is_empty and arch is None:
        return Inside()
    return Inside(Said(found.package, found.version, None, arch), where)


def _few(records: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """No package has so many records; an archive made to tire us might."""
    for _, one in zip(range(2000), records, strict=False):
        yield one


def _marked(name: str, pairs: Mapping[str, str], matrix: Matrix) -> Said:
    for mark in matrix.package_marks:
        if mark.file == name and all(one in pairs for one in mark.keys) and pairs.get(mark.version):
            return Said(mark.package, pairs[mark.version])
    return Said()


def _pairs(content: bytes) -> dict[str, str]:
    """The keys and values of a record: `key=value` or `key : value`, one a line."""
    found: dict[str, str] = {}
    for line in content.decode("utf-8", "replace").splitlines():
        sign = next((one for one in line if one in "=:"), "")
        name, _, value = line.partition(sign) if sign else ("", "", "")
        if name.strip():
            found.setdefault(name.strip(), value.strip().strip('"'))
    return found


def _arch(text: str) -> str | None:
    name = text.strip().replace("-", "_").lower()
    return name if name in ("aarch64", "x86_64") else None
