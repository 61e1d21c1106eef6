"""The tables of a lock as they stand in the file; a key that they do not know is refused."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (pydantic and `decode` read the annotations)
from dataclasses import dataclass, field

from ascendenv.lock.model import Artefact, Reason
from ascendenv.matrix.fields import Whole  # noqa: TC001  (pydantic and `decode` read the annotations)
from ascendenv.matrix.rows.base import Arch, LevelName, Row

__all__ = ["CannTable", "HdkTable", "ImageTable", "LockTable", "ProfileTable", "PythonTable", "StackTable"]


@dataclass(frozen=True, kw_only=True)
class Sealed(Row):
    """A table with the check of its lines."""

    seal: str


@dataclass(frozen=True, kw_only=True)
class FileTable(Artefact, Sealed):
    """One file."""


@dataclass(frozen=True, kw_only=True)
class PartTable(Sealed):
    """What all parts have: the digest of the whole, and where they differ those of each architecture."""

    digest: str
    digests: Mapping[str, str] = field(default_factory=dict)
    file: tuple[FileTable, ...] = ()


@dataclass(frozen=True, kw_only=True)
class HdkTable(PartTable):
    """Driver and firmware."""

    driver: str | None = None
    firmware: str | None = None


@dataclass(frozen=True, kw_only=True)
class CannTable(PartTable):
    """CANN's packages."""

    toolkit: str | None = None
    ops: str | None = None
    nnal: str | None = None


@dataclass(frozen=True, kw_only=True)
class PythonTable(PartTable):
    """The interpreter and the wheels."""

    python: str | None = None
    torch: str | None = None
    torch_npu: str | None = None


@dataclass(frozen=True, kw_only=True)
class ProfileTable(PartTable):
    """The environment: its purpose, and variables as `NAME=value`."""

    purpose: str | None = None
    env: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ImageTable(PartTable):
    """What a container image starts from."""

    base: str | None = None


@dataclass(frozen=True, kw_only=True)
class ReasonTable(Reason, Sealed):
    """A relation."""


@dataclass(frozen=True, kw_only=True)
class WhyTable(Sealed):
    """Why these versions; outside every digest."""

    level: LevelName
    matrix: str | None = None
    inputs: str | None = None
    unknown: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    relation: tuple[ReasonTable, ...] = ()


@dataclass(frozen=True, kw_only=True)
class StackTable(Sealed):
    """One stack."""

    digest: str
    arch: tuple[Arch, ...]
    why: WhyTable
    chip: str | None = None
    family: str | None = None
    product: str | None = None
    os: str | None = None
    release: str | None = None
    hdk: HdkTable | None = None
    cann: CannTable | None = None
    python: PythonTable | None = None
    profile: ProfileTable | None = None
    image: ImageTable | None = None


@dataclass(frozen=True, kw_only=True)
class LockTable(Sealed):
    """The whole file."""

    schema: Whole
    digest: str
    stack: Mapping[str, StackTable]
