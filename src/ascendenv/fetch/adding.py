"""The whole of `fetch --add`: files that the site got itself, into the bundle, and their hashes into the lock."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from ascendenv.errors import UnusableInput
from ascendenv.fetch.bundle import open_bundle
from ascendenv.fetch.file_name import clean_name
from ascendenv.fetch.occupied import occupy
from ascendenv.fetch.recognise import Unfit, recognise
from ascendenv.fetch.signed_file import BESIDE, signature_of
from ascendenv.fetch.space import disk_errors, require
from ascendenv.fetch.wanted import NotWanted, candidates_of, described, row_for
from ascendenv.language import say
from ascendenv.lock.digest import digest
from ascendenv.lock.lock_file import read_lock
from ascendenv.lock.model import UNVERIFIED
from ascendenv.lock.writing import only_writer, write_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ascendenv.fetch.bundle import Bundle
    from ascendenv.fetch.signature import Signed
    from ascendenv.fetch.store import Store
    from ascendenv.fetch.wanted import Candidate
    from ascendenv.language import Message
    from ascendenv.lock.model import Artefact, Lock
    from ascendenv.matrix.model import Matrix

__all__ = ["Added", "Addition", "OtherBytes", "add"]


class OtherBytes(UnusableInput):
    """The file is the right one by name, and its bytes are not those of the lock."""

    code: ClassVar[str] = "other-bytes"


@dataclass(frozen=True)
class Added:
    """A file that is in the bundle now: the row it is for, before and after, and who signed it, if anybody."""

    path: Path
    wanted: Artefact
    row: Artefact
    signed: Signed | None


@dataclass(frozen=True)
class Addition:
    """What came of it. `skipped` are files of folders that the lock does not want, and why."""

    bundle: Bundle
    added: tuple[Added, ...]
    skipped: tuple[tuple[Path, Message], ...]
    lock: Lock
    before: str
    """The digest of the lock as it was."""


def add(paths: Sequence[Path], lock_path: Path, root: Path, matrix: Matrix, roots: Sequence[str]) -> Addition:
    """Take those files and what lies in those folders; the lock and the bundle in `root` are written.

    A file that is named and not wanted is refused: NotWanted, Unfit, OtherBytes, BadSignature. In a folder, only those
    are that the lock wants by name. Nothing is written then.
    """
    with ExitStack() as held:
        held.enter_context(disk_errors(root))
        held.enter_context(only_writer(lock_path))
        held.enter_context(occupy(root))
        lock, bundle = read_lock(lock_path), open_bundle(root)
        bundle.prepare()
        taking = _Taking(candidates_of(lock), bundle.store, matrix, tuple(roots))
        found, skipped = taking.all(paths)
        changed = _filled(lock, found)
        hashes = {new.row: new.row.sha256 for new in found if new.row.sha256 is not None}
        before = digest(lock)
        # Also where nothing changed: a run that was killed may have left the files beside the lock behind it.
        write_all(lock_path, changed)
        kept = {
            row: one.sha256
            for row in changed.artefacts()
            if (one := bundle.manifest.find(row)) is not None and bundle.store.has(one.sha256)
        }
        replaced = before if changed != lock else ""
        bundle = bundle.with_lock(changed, kept | hashes, instead_of=replaced)
        return Addition(bundle, tuple(found), tuple(skipped), changed, before)


@dataclass(frozen=True)
class _Taking:
    wanted: tuple[Candidate, ...]
    store: Store
    matrix: Matrix
    roots: tuple[str, ...]

    def all(self, paths: Sequence[Path]) -> tuple[list[Added], list[tuple[Path, Message]]]:
        found: list[Added] = []
        skipped: list[tuple[Path, Message]] = []
        for path in paths:
            if not path.exists():
                raise UnusableInput(say("there is no such file or folder"), where=str(path))
            for file in _files(path):
                reason = self._one(file, found, named=not path.is_dir())
                if reason is not None:
                    skipped.append((file, reason))
        return found, skipped

    def _one(self, path: Path, found: list[Added], *, named: bool) -> Message | None:
        """Take one file, or say why it is left out; raises where it may not be."""
        must = named or any(one.row.file == path.name for one in self.wanted)
        try:
            row = row_for(recognise(path, self.matrix), self.wanted)
        except (NotWanted, Unfit) as error:
            if must:
                raise
            return error.message
        found.append(self._taken(path, row))
        return None

    def _taken(self, path: Path, row: Artefact) -> Added:
        require(self.store.root, path.stat().st_size)
        before = frozenset(self.store.objects())
        hash_ = self.store.take(path)
        kept = self.store.path_of(hash_)
        try:
            _refuse_other_bytes(path, row, hash_)
            # The bytes that are judged are those that are kept; the file itself may change at any time.
            signed = signature_of(path, kept, self.roots)
        except BaseException:
            if hash_ not in before:
                kept.unlink()
            raise
        known = replace(row, sha256=hash_, size=kept.stat().st_size, file=row.file or clean_name(path.name))
        # A signature is better than a hash that only the site saw.
        if row.verified == UNVERIFIED and signed is not None:
            known = replace(known, verified="vendor signature")
        return Added(path, row, known, signed)


def _files(path: Path) -> Iterator[Path]:
    """The file itself, or the files of a folder without those that only lie beside others."""
    if not path.is_dir():
        yield path
        return
    for one in sorted(path.rglob("*")):
        hidden = any(part.startswith(".") for part in one.relative_to(path).parts)
        if one.is_file() and one.suffix not in BESIDE and not hidden:
            yield one


def _refuse_other_bytes(path: Path, row: Artefact, hash_: str) -> None:
    if row.sha256 is not None and row.sha256 != hash_:
        raise OtherBytes(
            say(
                "its sha256 is {found}; the lock wants {wanted} with {known}",
                found=hash_,
                wanted=described(row),
                known=row.sha256,
            ),
            where=str(path),
            hint=say("get it once more; if the vendor replaced it, lock again"),
        )


def _filled(lock: Lock, found: Sequence[Added]) -> Lock:
    """The lock with the rows that were filled in, in every stack that has them."""
    by_identity = {_identity(one.wanted): one.row for one in found}

    def new(row: Artefact) -> Artefact:
        filled = by_identity.get(_identity(row))
        if filled is None:
            return row
        verified = filled.verified if row.verified == UNVERIFIED else row.verified
        return replace(row, file=filled.file, sha256=filled.sha256, size=filled.size, verified=verified)

    return replace(
        lock,
        stacks=tuple(
            replace(
                stack,
                parts=tuple(replace(part, artefacts=tuple(map(new, part.artefacts))) for part in stack.parts),
            )
            for stack in lock.stacks
        ),
    )


def _identity(row: Artefact) -> tuple[str | None, ...]:
    return (row.component, row.name, row.version, row.arch, row.file)
