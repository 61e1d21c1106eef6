"""The manifest of a bundle: every file with its hash, what it is, and who vouches for it. Form: docs/schemas/bundle.schema.json."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from ascendenv.errors import UnusableInput
from ascendenv.language import say
from ascendenv.lock.model import UNVERIFIED, FileName, Sha256
from ascendenv.matrix.fields import Whole, Written, YesNo
from ascendenv.matrix.rows.base import Arch, Row

if TYPE_CHECKING:
    from ascendenv.lock.model import Artefact

__all__ = [
    "MANIFEST",
    "SCHEMA",
    "BadManifest",
    "BundledFile",
    "BundledLock",
    "BundledText",
    "Listed",
    "Manifest",
    "manifest_text",
    "read_manifest",
    "vouched_by",
]

MANIFEST = "manifest.json"
SCHEMA = 1
_KIND = "ascendenv-bundle"

Verified = Literal["vendor-hash", "cms", "site", "none"]


def _path(text: str) -> str:
    parts = text.split("/")
    if not text.isprintable() or "\\" in text or any(one in ("", ".", "..") for one in parts):
        raise ValueError("this must be a path inside the bundle")
    return text


BundlePath = Annotated[str, Written(_path)]


class BadManifest(UnusableInput):
    """The manifest is missing, damaged, or newer than this program."""

    code: ClassVar[str] = "bad-manifest"


@dataclass(frozen=True, kw_only=True)
class Listed(Row):
    """A file of a bundle: where it lies, and its bytes."""

    path: BundlePath
    sha256: Sha256
    size: Whole


@dataclass(frozen=True, kw_only=True)
class BundledFile(Listed):
    """A file of a lock. `component` to `file` are those of its row in the lock.

    `verified` says whose word the hash is: `vendor-hash` published by the vendor or a package index, `cms` signed by the
    vendor, `site` named by the site or taken from its own file, `none` nobody's, it is only what a server sent.
    `consent` is true where installing it needs the user's explicit word.
    """

    component: str
    name: str
    version: str
    arch: Arch | None
    file: FileName
    verified: Verified
    consent: YesNo
    holds: tuple[FileName, ...]


@dataclass(frozen=True, kw_only=True)
class BundledLock(Listed):
    """A lock that the bundle serves: `digest` is the digest of the lock, `sha256` that of its file."""

    digest: str
    stacks: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class BundledText(Listed):
    """Requirements or constraints of the lock with that digest."""

    lock: str


@dataclass(frozen=True, kw_only=True)
class Manifest(Row):
    """What a bundle holds, each list in the order of its paths."""

    locks: tuple[BundledLock, ...] = ()
    texts: tuple[BundledText, ...] = ()
    files: tuple[BundledFile, ...] = ()

    def listed(self) -> dict[str, Listed]:
        """Everything but pages and the manifest itself, by path; a file that stands for several rows once."""
        return {one.path: one for one in (*self.files, *self.locks, *self.texts)}

    def find(self, row: Artefact) -> BundledFile | None:
        """The file of that row of a lock: by its hash, or where the lock knows none by what the row says of it."""
        if row.sha256 is not None:
            return next((one for one in self.files if one.sha256 == row.sha256), None)
        wanted = (row.component, row.name, row.version, row.arch, row.file)
        return next(
            (
                one
                for one in self.files
                if (one.component, one.name, one.version, one.arch, one.file) == wanted
            ),
            None,
        )

    def for_lock(self, digest: str, rows: tuple[Artefact, ...]) -> Manifest:
        """The part of it that one lock with those rows needs."""
        paths = {found.path for row in rows if (found := self.find(row)) is not None}
        return replace(
            self,
            locks=tuple(one for one in self.locks if one.digest == digest),
            texts=tuple(one for one in self.texts if one.lock == digest),
            files=tuple(one for one in self.files if one.path in paths),
        )


@dataclass(frozen=True, kw_only=True)
class _Document(Row):
    schema_version: Whole
    kind: Literal["ascendenv-bundle"]
    digest: str
    locks: tuple[BundledLock, ...]
    texts: tuple[BundledText, ...]
    files: tuple[BundledFile, ...]


def vouched_by(row: Artefact) -> Verified:
    """Whose word the hash of that row is."""
    if row.sha256 is None:
        return "none"
    if row.verified == "vendor signature":
        return "cms"
    return "site" if row.verified in ("spec", UNVERIFIED) else "vendor-hash"


def manifest_text(manifest: Manifest) -> bytes:
    """The file. Its own digest stands in it, so that damage to any part of it is seen."""
    content = asdict(manifest)
    document = {"schema_version": SCHEMA, "kind": _KIND, "digest": _digest(content), **content}
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def read_manifest(data: bytes, where: str) -> Manifest:
    """The manifest in those bytes; raises BadManifest."""
    from pydantic import TypeAdapter, ValidationError

    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadManifest(say("this is not JSON: {reason}", reason=str(error)), where=where) from error
    _refuse_newer(document, where)
    try:
        found = TypeAdapter(_Document).validate_json(data)
    except ValidationError as error:
        key = ".".join(str(one) for one in error.errors()[0]["loc"]) or "{}"
        raise BadManifest(
            say("this is no manifest of a bundle: {key} is not what it should be", key=key), where=where
        ) from error
    manifest = Manifest(locks=found.locks, texts=found.texts, files=found.files)
    # Written again it must be the same to the byte: anything else was not written by us.
    if manifest_text(manifest) != data:
        raise BadManifest(
            say("it was changed after it was written: its digest is not that of its content"), where=where
        )
    return manifest


def _refuse_newer(document: object, where: str) -> None:
    version = document.get("schema_version") if isinstance(document, dict) else None
    if isinstance(version, int) and not isinstance(version, bool) and version > SCHEMA:
        raise BadManifest(
            say(
                "the bundle has form {version}, and this ascendenv reads up to {known}",
                version=version,
                known=SCHEMA,
            ),
            where=where,
            hint=say("upgrade ascendenv with `pip install -U ascendenv`"),
        )


def _digest(content: dict[str, object]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return f"sha256:{sha256(text.encode('ascii')).hexdigest()}"
