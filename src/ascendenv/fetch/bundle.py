"""A bundle: a plain folder with the files of one or several locks, for places without a network.

manifest.json      what is in it (see `manifest`)
SHA256SUMS         the same for `sha256sum -c`
index.html         for people, and for `pip --find-links`
hdk/ cann/ python/ pip/    the files under their names, by what they are
simple/            the index for `pip --index-url` (PEP 503)
requirements/      the pip set of each stack and architecture, with hashes
locks/             the locks themselves
objects/sha256/    the same bytes by their hash: names are hard links to them
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from ascendenv.fetch.manifest import (
    MANIFEST,
    BadManifest,
    BundledFile,
    BundledLock,
    BundledText,
    Manifest,
    manifest_text,
    read_manifest,
    vouched_by,
)
from ascendenv.fetch.pages import SUMS, pages
from ascendenv.fetch.store import Store, sha256_of
from ascendenv.files import write_whole
from ascendenv.language import say
from ascendenv.lock.digest import digest
from ascendenv.lock.lock_text import lock_text
from ascendenv.lock.pip_files import pip_files

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from ascendenv.lock.model import Artefact, Lock

__all__ = ["FOLDERS", "Bundle", "open_bundle"]

T = TypeVar("T")

FOLDERS = {
    "hdk": "hdk",
    "driver": "hdk",
    "firmware": "hdk",
    "toolkit": "cann",
    "ops": "cann",
    "nnal": "cann",
    "interpreter": "python",
    "pip": "pip",
}
"""The folder of each component."""
_OURS = (*dict.fromkeys(FOLDERS.values()), "simple", "locks")


@dataclass(frozen=True)
class Bundle:
    """The bundle in the folder `root`, as its manifest describes it."""

    root: Path
    manifest: Manifest

    @property
    def store(self) -> Store:
        """Its files by their hash."""
        return Store(self.root)

    def path_of(self, row: Artefact) -> Path | None:
        """The file of that row of a lock; None where the bundle does not have it."""
        found = self.manifest.find(row)
        return self.root / found.path if found is not None else None

    def prepare(self, *, thorough: bool = False) -> None:
        """Tidy up after runs that were killed, and make objects of files that lie under their names only.

        The latter is so in a bundle that was unpacked or copied. `thorough` hashes all objects and drops damaged ones.
        """
        self._sweep()
        for hash_ in list(self.store.objects()) if thorough else ():
            if sha256_of(self.store.path_of(hash_)) != hash_:
                self.store.path_of(hash_).unlink()
        for one in self.manifest.files:
            path = self.root / one.path
            if not self.store.has(one.sha256, one.size) and path.is_file() and sha256_of(path) == one.sha256:
                self.store.link(path, one.sha256)

    def with_lock(self, lock: Lock, found: Mapping[Artefact, str], *, instead_of: str = "") -> Bundle:
        """The bundle with that lock in it as well, written to disk; `found` are the hashes of the rows that are here.

        A lock with the digest `instead_of` leaves.
        """
        own = digest(lock)
        folder = f"locks/{own.removeprefix('sha256:')[:16]}"
        texts = {f"{folder}/{name}": text.encode() for name, text in pip_files(lock).items()}
        lock_path, data = f"{folder}/ascendenv.lock", lock_text(lock).encode()
        files = {_key(one): one for one in self.manifest.files if not _is_stale(one, found)}
        for row, hash_ in found.items():
            new = self._named(row, hash_, files.values())
            files[_key(new)] = new
        stacks = tuple(one.name for one in lock.stacks)
        locked = BundledLock(path=lock_path, sha256=_hash(data), size=len(data), digest=own, stacks=stacks)
        listed = {
            path: BundledText(path=path, sha256=_hash(text), size=len(text), lock=own)
            for path, text in texts.items()
        }
        manifest = Manifest(
            locks=_sorted(
                {one.path: one for one in self.manifest.locks if one.digest != instead_of}
                | {lock_path: locked}
            ),
            texts=_sorted({one.path: one for one in self.manifest.texts if one.lock != instead_of} | listed),
            files=tuple(files[key] for key in sorted(files)),
        )
        return self._written(manifest, {**texts, lock_path: data})

    def only(self, lock: Lock) -> tuple[Bundle, int]:
        """The bundle without what that lock does not need, and how many files went."""
        manifest = self.manifest.for_lock(digest(lock), lock.artefacts())
        bundle = self._written(manifest, {})
        kept = manifest.listed().keys()
        for folder in _OURS:
            _clear(self.root / folder, self.root, kept | pages(manifest).keys())
        return bundle, self.store.drop(frozenset(one.sha256 for one in manifest.files))

    def _named(self, row: Artefact, hash_: str, others: Iterable[BundledFile]) -> BundledFile:
        """The file of that row under its name; beside one of the same name it gets a folder of its own."""
        folder, name = FOLDERS[row.component], row.file or f"{row.name}-{row.version}"
        taken = {one.path for one in others if one.sha256 != hash_}
        path = f"{folder}/{name}" if f"{folder}/{name}" not in taken else f"{folder}/{hash_[:12]}/{name}"
        self.store.give_name(hash_, self.root / path)
        return BundledFile(
            path=path,
            sha256=hash_,
            size=self.store.path_of(hash_).stat().st_size,
            component=row.component,
            name=row.name,
            version=row.version,
            arch=row.arch,
            file=name,
            verified=vouched_by(row),
            consent=not row.is_verified,
            holds=row.holds,
        )

    def _written(self, manifest: Manifest, texts: Mapping[str, bytes]) -> Bundle:
        """Everything but the files themselves; the manifest comes last, so that it never names what is not here."""
        made = pages(manifest)
        for path, data in {**texts, **made}.items():
            _write(self.root / path, data)
        _clear(self.root / "simple", self.root, made.keys())
        _clear(self.root / "locks", self.root, manifest.listed().keys())
        _write(self.root / MANIFEST, manifest_text(manifest))
        return replace(self, manifest=manifest)

    def _sweep(self) -> None:
        self.store.taken.unlink(missing_ok=True)
        for name in (MANIFEST, SUMS, "index.html"):
            for left in self.root.glob(f".{name}.*"):
                left.unlink()
        for folder in _OURS:
            for left in (self.root / folder).rglob(".*"):
                left.unlink()


def open_bundle(root: Path) -> Bundle:
    """The bundle in that folder, an empty one where there is none; raises BadManifest."""
    path = root / MANIFEST
    if not path.exists():
        return Bundle(root, Manifest())
    try:
        return Bundle(root, read_manifest(path.read_bytes(), str(path)))
    except BadManifest as error:
        error.hint = error.hint or say(
            "move {path} away and fetch again: files that are whole are kept", path=path
        )
        raise


def _key(one: BundledFile) -> tuple[str, ...]:
    """A file may stand for several rows: one for each architecture, for example."""
    return (one.path, one.component, one.name, one.version, one.arch or "")


def _is_stale(one: BundledFile, found: Mapping[Artefact, str]) -> bool:
    """Whether nobody vouched for the file, and another one came in its place."""
    return one.verified == "none" and any(
        hash_ != one.sha256 and (row.component, row.name, row.version, row.arch, row.file) == _identity(one)
        for row, hash_ in found.items()
    )


def _identity(one: BundledFile) -> tuple[str | None, ...]:
    return (one.component, one.name, one.version, one.arch, one.file)


def _sorted(rows: Mapping[str, T]) -> tuple[T, ...]:
    return tuple(rows[path] for path in sorted(rows))


def _write(path: Path, data: bytes) -> None:
    """Write the file unless it is there already, so that what did not change keeps its time."""
    if not path.is_file() or path.read_bytes() != data:
        write_whole(path, data)


def _clear(folder: Path, root: Path, kept: Collection[str]) -> None:
    """Remove the files below `folder` that are not kept, and folders that become empty."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.relative_to(root).as_posix() not in kept:
            path.unlink()


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()
