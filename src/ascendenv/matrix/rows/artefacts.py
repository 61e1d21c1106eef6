"""Files to download, and images to start from. They are compiled apart, because a doctor needs neither."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal

from ascendenv.matrix.fields import PythonVersion, VendorVersion, Whole, Written
from ascendenv.matrix.rows.base import Arch, Row, Sourced

__all__ = ["Artefact", "ArtefactSet", "Images"]


def _sha256(text: str) -> str:
    if re.fullmatch(r"[0-9a-f]{64}", text) is None:
        raise ValueError("a sha256 has 64 digits from 0 to 9 and a to f")
    return text


def _url(text: str) -> str:
    if re.fullmatch(r"https://[^\s%]\S+", text) is None:
        raise ValueError("a download has an https:// address without blanks")
    return text


Url = Annotated[str, Written(_url)]
Sha256 = Annotated[str, Written(_sha256)]


@dataclass(frozen=True, kw_only=True)
class Artefact(Sourced):
    """One file. `url` and `sha256` are absent where no source tells; `verified_by` says who published the hash.

    `referer` is the header that the server asks for; `size` counts bytes.
    """

    package: str
    version: str
    filename: str
    format: Literal["run", "zip", "whl"]
    family: str | None = None
    arch: Arch | None = None
    python: str | None = None
    url: Url | None = None
    sha256: Sha256 | None = None
    verified_by: Literal["deployer", "package index"] | None = None
    referer: str | None = None
    size: Whole | None = None


@dataclass(frozen=True, kw_only=True)
class ArtefactSet(Row):
    """The files of one release of one component."""

    component: Literal["cann", "hdk", "torch_npu"]
    release: str
    files: tuple[Artefact, ...]


@dataclass(frozen=True, kw_only=True)
class Images(Sourced):
    """Tags of container images that hold a CANN (and, where told, a torch_npu)."""

    repository: str
    cann: VendorVersion
    tags: tuple[str, ...]
    torch_npu: PythonVersion | None = None
