"""What the user gave to read: a file, standard input, an https address, or the wanted files of a folder or wheel."""

from __future__ import annotations

import json
import os
import re
import sys
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from ascendenv.errors import UnusableInput
from ascendenv.language import say
from ascendenv.sources.address import LARGEST, read_address
from ascendenv.sources.statement import UnreadableSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascendenv.language import Message

__all__ = ["Document", "Material", "read_material"]

_DEEPEST = 8
"""Folders below the one that was given; a CANN's records lie at most seven below `/`."""
_RECORD = 4 << 20
_PAGE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_TITLE = re.compile(r"<title[^>]*>\s*(.*?)\s*</title>", re.IGNORECASE | re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""No such list has them; in messages they could do things to a terminal."""
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@dataclass(frozen=True)
class Document:
    """One text. `name` is what messages call it: an address, a file's path, or a path inside a folder or archive."""

    name: str
    data: bytes

    def text(self) -> str:
        """The text; raises UnreadableSource for an empty one and for bytes that are no text."""
        try:
            found = self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = self.data.count(b"\n", 0, error.start) + 1
            raise UnreadableSource(say("this is not UTF-8 text"), name=self.name, line=line) from error
        if not found.strip():
            raise UnreadableSource(say("this is empty"), name=self.name)
        return _CONTROL.sub("\ufffd", found.replace("\r\n", "\n"))

    def page_title(self) -> str | None:
        """The title where this is a web page, `""` for one without, None for anything else."""
        start = self.data[:4096].decode("utf-8", "replace").lstrip("\ufeff")
        if _PAGE.match(start) is None:
            return None
        title = _TITLE.search(start)
        return _CONTROL.sub("\ufffd", " ".join(title[1].split())) if title else ""

    def prose(self, wanted: Message) -> str:
        """The text, which must not be a web page where `wanted` is expected; raises UnreadableSource."""
        title = self.page_title()
        if title is not None:
            raise UnreadableSource(
                say("this is a web page ({title}), not {wanted}", title=title or "-", wanted=wanted),
                name=self.name,
                hint=say("save the file itself: forges have a button or address called raw"),
            )
        return self.text()

    def parsed_json(self, wanted: Message) -> object:
        """What the JSON says; raises UnreadableSource with the line where it breaks off."""
        text = self.prose(wanted)
        try:
            found: object = json.loads(text)
        except json.JSONDecodeError as error:
            if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
                end = text.rstrip().count("\n") + 1
                words = say("the JSON breaks off here; was it saved whole?")
                raise UnreadableSource(words, name=self.name, line=end) from error
            words = say("this is no JSON: {reason}", reason=error.msg)
            raise UnreadableSource(words, name=self.name, line=error.lineno) from error
        except RecursionError as error:
            raise UnreadableSource(
                say("this is no JSON: {reason}", reason="too deep"), name=self.name
            ) from error
        return found

    def line_of(self, words: str) -> int | None:
        """The first line that holds these words."""
        place = self.data.find(words.encode())
        return None if place < 0 else self.data.count(b"\n", 0, place) + 1

    def place(self, line: int | None) -> str:
        """The name with a line."""
        return self.name if line is None else f"{self.name}:{line}"


@dataclass(frozen=True)
class Material:
    """All that was given; `is_tree` where it was a folder or an archive, of which `documents` are the wanted files."""

    name: str
    documents: tuple[Document, ...]
    is_tree: bool = False

    @property
    def document(self) -> Document:
        """The only document."""
        return self.documents[0]


def read_material(where: str, wanted: Callable[[str], bool] | None = None) -> Material:
    """What lies at `where`: `-`, an address, a file, or with `wanted` (told a path) a folder or a wheel.

    Raises UnusableInput where it cannot be had.
    """
    if where == "-":
        return Material(
            "-", (Document(str(say("standard input")), _bounded(sys.stdin.buffer.read(LARGEST + 1), where)),)
        )
    if _ADDRESS.match(where) and not where.lower().startswith("file:"):
        return _opened(where, read_address(where), wanted)
    path = Path(unquote(urlsplit(where).path)) if where.lower().startswith("file:") else Path(where)
    try:
        if path.is_dir():
            return _folder(path, where, wanted)
        with path.open("rb") as stream:
            return _opened(where, _bounded(stream.read(LARGEST + 1), where), wanted)
    except OSError as error:
        words = say("this cannot be read: {reason}", reason=error.strerror or str(error))
        raise UnusableInput(words, where=where) from error


def _bounded(data: bytes, where: str) -> bytes:
    if len(data) > LARGEST:
        raise UnusableInput(
            say("this is longer than {size} MB, which no such list is", size=LARGEST >> 20), where=where
        )
    return data


def _opened(where: str, data: bytes, wanted: Callable[[str], bool] | None) -> Material:
    if wanted is None or not data.startswith(b"PK\x03\x04"):
        return Material(where, (Document(where, data),))
    try:
        return Material(where, tuple(_members(data, wanted)), is_tree=True)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise UnusableInput(say("this archive is damaged"), where=where) from error


def _members(data: bytes, wanted: Callable[[str], bool]) -> Iterator[Document]:
    import io

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for one in sorted(archive.infolist(), key=lambda one: one.filename):
            if wanted(one.filename) and one.file_size <= _RECORD:
                yield Document(one.filename, archive.read(one))


def _folder(path: Path, where: str, wanted: Callable[[str], bool] | None) -> Material:
    if wanted is None:
        raise UnusableInput(say("this is a folder; give the file"), where=where)
    return Material(where, tuple(_files(path, wanted)), is_tree=True)


def _files(top: Path, wanted: Callable[[str], bool]) -> Iterator[Document]:
    """The wanted files below `top`, each once: links lead to folders that may be listed under another name, too."""
    seen: set[tuple[int, int]] = set()
    for folder, names, files in os.walk(top, followlinks=True):
        here = Path(folder)
        if not _is_first(here, seen) or len(here.relative_to(top).parts) >= _DEEPEST:
            names[:] = []
        names.sort()
        for name in sorted(files):
            path = here / name
            relative = path.relative_to(top).as_posix()
            if wanted(relative) and path.exists() and _is_first(path, seen):
                with path.open("rb") as stream:
                    yield Document(relative, stream.read(_RECORD))


def _is_first(path: Path, seen: set[tuple[int, int]]) -> bool:
    status = path.stat()
    key = (status.st_dev, status.st_ino)
    first = key not in seen
    seen.add(key)
    return first
