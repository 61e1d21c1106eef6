"""Whether a bundle is still what it was: every byte of every file, in a folder or in a single archive."""

from __future__ import annotations

import tarfile
from dataclasses import dataclass
from hashlib import sha256
from typing import IO, TYPE_CHECKING, Literal

from ascendenv.errors import UnusableInput
from ascendenv.fetch.archive import PREFIX
from ascendenv.fetch.manifest import MANIFEST, BadManifest, read_manifest
from ascendenv.fetch.pages import pages
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from ascendenv.fetch.manifest import Manifest
    from ascendenv.language import Message
    from ascendenv.lock.model import Artefact

__all__ = ["Checked", "Flaw", "check_bundle", "wanting"]

_BLOCK = 1 << 20


@dataclass(frozen=True)
class Flaw:
    """What is wrong with one file."""

    path: str
    kind: Literal["missing", "size", "hash", "page", "unlisted"]
    message: Message


@dataclass(frozen=True)
class Checked:
    """What was found: how many files, how many bytes, and what is wrong. A file that is not listed is told, no more."""

    manifest: Manifest
    files: int
    size: int
    flaws: tuple[Flaw, ...]


@dataclass(frozen=True)
class _Seen:
    size: int
    sha256: str


def check_bundle(path: Path) -> Checked:
    """Every file of the bundle in that folder or archive; raises BadManifest where nothing can be compared with."""
    seen = dict(_archived(path)) if path.is_file() else dict(_in_folder(path))
    data = _manifest_of(path)
    manifest = read_manifest(data, f"{path}/{MANIFEST}")
    flaws = tuple(_flaws(manifest, seen))
    return Checked(manifest, len(seen), sum(one.size for one in seen.values()), flaws)


def wanting(manifest: Manifest, rows: Iterable[Artefact]) -> tuple[Artefact, ...]:
    """The rows of a lock whose file the bundle does not have."""
    return tuple(row for row in rows if manifest.find(row) is None)


def _flaws(manifest: Manifest, seen: Mapping[str, _Seen]) -> Iterator[Flaw]:
    listed, made = manifest.listed(), pages(manifest)
    for path, one in sorted(listed.items()):
        yield from _compared(path, seen.get(path), one.size, one.sha256)
    for path, data in sorted(made.items()):
        found = seen.get(path)
        if found is None:
            yield Flaw(path, "missing", say("this file is missing"))
        elif found.sha256 != sha256(data).hexdigest():
            yield Flaw(path, "page", say("this page is not the one that follows from the manifest"))
    for path in sorted(seen.keys() - listed.keys() - made.keys() - {MANIFEST}):
        yield Flaw(path, "unlisted", say("the manifest does not list this file"))


def _compared(path: str, found: _Seen | None, size: int, digest: str) -> Iterator[Flaw]:
    if found is None:
        yield Flaw(path, "missing", say("this file is missing"))
    elif found.size != size:
        words = say("it has {found} bytes, the manifest says {size}", found=found.size, size=size)
        yield Flaw(path, "size", words)
    elif found.sha256 != digest:
        words = say("its sha256 is {found}, the manifest says {digest}", found=found.sha256, digest=digest)
        yield Flaw(path, "hash", words)


def _in_folder(root: Path) -> Iterator[tuple[str, _Seen]]:
    """What lies in the folder. Objects are other names of the same bytes; what they are is told by those that are named."""
    known: dict[tuple[int, int], _Seen] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if not path.is_file() or name.startswith(("objects/", ".")) or path.name.startswith("."):
            continue
        state = path.stat()
        place = (state.st_dev, state.st_ino)
        if place not in known:
            with path.open("rb") as stream:
                known[place] = _hashed(stream)
        yield name, known[place]


def _archived(path: Path) -> Iterator[tuple[str, _Seen]]:
    try:
        with tarfile.open(path, "r:") as archive:
            for member in archive:
                stream = archive.extractfile(member) if member.isreg() else None
                if stream is not None and member.name.startswith(PREFIX):
                    yield member.name.removeprefix(PREFIX), _hashed(stream)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise UnusableInput(
            say("this is no archive: {reason}", reason=str(error)), where=str(path)
        ) from error


def _manifest_of(path: Path) -> bytes:
    try:
        if path.is_dir():
            return (path / MANIFEST).read_bytes()
        with tarfile.open(path, "r:") as archive:
            stream = archive.extractfile(f"{PREFIX}{MANIFEST}")
            return stream.read() if stream is not None else b""
    except (KeyError, tarfile.TarError, OSError) as error:
        raise BadManifest(
            say("there is no manifest here, so this is no bundle"),
            where=str(path),
            hint=say("`ascendenv fetch -o {path}` makes one", path=path),
        ) from error


def _hashed(stream: IO[bytes]) -> _Seen:
    found, size = sha256(), 0
    while block := stream.read(_BLOCK):
        found.update(block)
        size += len(block)
    return _Seen(size, found.hexdigest())
