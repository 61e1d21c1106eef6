"""Files by the hash of their content, so that two locks share what they have in common."""

from __future__ import annotations

import hashlib
import os
from contextlib import closing
from typing import TYPE_CHECKING

from ascendenv.fetch.partial import Partial, flush_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["OBJECTS", "Store", "sha256_of"]

OBJECTS = "objects/sha256"
"""Where objects lie in a bundle: `objects/sha256/ab/ab12...`."""

_PART = ".part"


class Store:
    """The objects below `root`. What has its final name there is whole, and was checked before it got it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def taken(self) -> Path:
        """A copy that is being made; left behind only by a run that was killed."""
        return self.root / OBJECTS / f".taken{_PART}"

    def path_of(self, sha256: str) -> Path:
        """Where the object of that hash lies, or would lie."""
        return self.root / OBJECTS / sha256[:2] / sha256

    def has(self, sha256: str, size: int | None = None) -> bool:
        """Whether the object is here; with a size, one of another size does not count."""
        try:
            found = self.path_of(sha256).stat().st_size
        except OSError:
            return False
        return size is None or found == size

    def partial(self, sha256: str | None, key: str) -> Partial:
        """What is there of a file that is still fetched; `key` names it as long as its hash is not known."""
        return Partial(self._part(sha256, key))

    def begun(self, sha256: str | None, key: str) -> int:
        """How many bytes of it an earlier run left."""
        try:
            return self._part(sha256, key).stat().st_size
        except OSError:
            return 0

    def keep(self, partial: Partial) -> str:
        """Make an object of a file that is whole; its hash."""
        target = self.path_of(partial.digest)
        if self.has(partial.digest, partial.length):
            partial.discard()
        else:
            partial.become(target)
        return partial.digest

    def give_name(self, sha256: str, path: Path) -> None:
        """Let `path` be that object: a hard link, or a copy where the file system knows none."""
        source = self.path_of(sha256)
        if path.exists() and (path.samefile(source) or _is_copy(path, source, sha256)):
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{path.name}.new")
        new.unlink(missing_ok=True)
        try:
            new.hardlink_to(source)
        except OSError:
            _copy(source, new)
        new.replace(path)
        # Two names of one file: rename() does nothing and leaves the first.
        new.unlink(missing_ok=True)

    def take(self, path: Path) -> str:
        """Make an object of a copy of the file at `path`; its hash. The file itself stays as it is."""
        with closing(Partial(self.taken)) as partial, path.open("rb") as stream:
            partial.clear()
            while block := stream.read(1 << 20):
                partial.append(block)
            return self.keep(partial)

    def link(self, path: Path, sha256: str) -> None:
        """Make an object of the file at `path`, whose hash is known, without a copy where the file system can."""
        target = self.path_of(sha256)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        try:
            target.hardlink_to(path)
        except OSError:
            self.take(path)

    def objects(self) -> Iterator[str]:
        """The hashes of all objects."""
        for path in sorted((self.root / OBJECTS).glob("??/*")):
            if not path.name.startswith("."):
                yield path.name

    def drop(self, wanted: frozenset[str]) -> int:
        """Remove objects that are not wanted, and what is left of downloads; how many objects went."""
        gone = [one for one in self.objects() if one not in wanted]
        for one in gone:
            self.path_of(one).unlink()
        for path in (self.root / OBJECTS).rglob(f".*{_PART}*"):
            path.unlink()
        return len(gone)

    def _part(self, sha256: str | None, key: str) -> Path:
        if sha256 is None:
            return self.root / OBJECTS / f".{key}{_PART}"
        target = self.path_of(sha256)
        return target.with_name(f".{target.name}{_PART}")


def sha256_of(path: Path) -> str:
    """The hash of the file at `path`."""
    found = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            found.update(block)
    return found.hexdigest()


def _is_copy(path: Path, source: Path, sha256: str) -> bool:
    """Whether `path` has these bytes as a file of its own, as on a file system without hard links."""
    return path.stat().st_size == source.stat().st_size and sha256_of(path) == sha256


def _copy(source: Path, target: Path) -> None:
    with source.open("rb") as stream, target.open("wb") as copy:
        while block := stream.read(1 << 20):
            copy.write(block)
        copy.flush()
        os.fsync(copy.fileno())
    flush_folder(target.parent)
