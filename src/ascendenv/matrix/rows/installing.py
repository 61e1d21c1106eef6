"""What installing needs to know: where torch comes from, where CANN lies, how package files are called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ascendenv.matrix.fields import PythonRange, VendorRange  # noqa: TC001  (pydantic and `decode` read the annotations)
from ascendenv.matrix.rows.base import Arch, Sourced

__all__ = [
    "DownloadServer",
    "Layout",
    "PackageMark",
    "PackageName",
    "PythonPackage",
    "SeenName",
    "TorchIndex",
    "TrustAnchor",
]


@dataclass(frozen=True, kw_only=True)
class TorchIndex(Sourced):
    """An index of torch wheels: `build` names the local part of the versions there."""

    build: Literal["cpu"]
    url: str
    arch: tuple[Arch, ...]


@dataclass(frozen=True, kw_only=True)
class Layout(Sourced):
    """Where a CANN of that layout lies; `{version}` stands for the version."""

    name: Literal["ascend-toolkit", "cann"]
    cann: VendorRange
    root: str
    latest: str
    set_env: str
    nnal_set_env: str


@dataclass(frozen=True, kw_only=True)
class PackageName(Sourced):
    """How a package file is called: `{chip}`, `{version}`, `{arch}` stand for what differs."""

    package: Literal["toolkit", "ops", "nnal", "driver", "firmware"]
    pattern: str
    families: tuple[str, ...] = ()
    cann: VendorRange | None = None


@dataclass(frozen=True, kw_only=True)
class SeenName(Sourced):
    """Another name under which files of a package are seen; besides those of PackageName `{os}` and `{format}` differ."""

    package: str
    pattern: str
    families: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PackageMark(Sourced):
    """A file inside a package that tells what it is: it has all of `keys`, and `version` is the key with the version.

    The package `cann` stands for any of CANN's packages.
    """

    package: str
    file: str
    keys: tuple[str, ...]
    version: str


@dataclass(frozen=True, kw_only=True)
class DownloadServer(Sourced):
    """A server that wants a `Referer` header."""

    host: str
    referer: str


@dataclass(frozen=True, kw_only=True)
class TrustAnchor(Sourced):
    """A root that signatures are checked against: the certificate in base64, and the sha256 of its bytes."""

    name: str
    sha256: str
    certificate: str


@dataclass(frozen=True, kw_only=True)
class PythonPackage(Sourced):
    """A Python package that CANN's op compiler needs; `versions` where a range is documented for that CANN."""

    name: str
    cann: VendorRange | None = None
    versions: PythonRange | None = None
