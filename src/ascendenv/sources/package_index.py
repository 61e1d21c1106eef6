"""A package index's list of torch-npu files: which wheels exist for which Python and architecture, and their hashes.

Both forms of the simple page are read: HTML (PEP 503) and JSON (PEP 691).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag

from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from ascendenv.language import say
from ascendenv.sources.statement import (
    Part,
    Reading,
    Skipped,
    Statement,
    Subject,
    UnreadableSource,
)
from ascendenv.versions import pep440

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ascendenv.sources.kinds import Asked
    from ascendenv.sources.material import Document, Material

__all__ = ["read"]

_PROJECT = "torch-npu"
_DOCUMENT = re.compile(r"^package-index: torch-npu ")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_ARCHES = ("aarch64", "x86_64")


@dataclass(frozen=True)
class _File:
    """One file of the list; `uploaded` as the index tells it, `2026-07-26T...`."""

    name: str
    line: int | None
    sha256: str | None = None
    uploaded: str = ""
    is_yanked: bool = False


@dataclass(frozen=True)
class _Wheel:
    file: _File
    version: str
    python: str
    arch: str
    platform: str


def read(material: Material, asked: Asked) -> Reading:
    """The torch_npu releases on the index with their wheels; raises UnreadableSource."""
    document = material.document
    files = list(_files(document))
    skipped: list[Skipped] = []
    wheels = [one for file in files if (one := _wheel(document, file, skipped)) is not None]
    if not wheels:
        raise UnreadableSource(
            say("this lists no files of torch-npu"),
            name=document.name,
            hint=say("give the index's own page of the project: .../simple/torch-npu/"),
        )
    releases: dict[str, list[_Wheel]] = {}
    for one in wheels:
        releases.setdefault(one.version, []).append(one)
    statements = [
        _release(document, version, some, asked)
        for version, some in sorted(releases.items(), key=lambda one: pep440(one[0]), reverse=True)
    ]
    statements += [one for some in releases.values() for one in _hashes(document, some, asked)]
    return Reading(
        statements=tuple(statements),
        document=_DOCUMENT,
        whole=frozenset({"torch_npu"}),
        skipped=tuple(skipped),
    )


def _release(document: Document, version: str, wheels: list[_Wheel], asked: Asked) -> Statement:
    arches = [arch for arch in _ARCHES if any(one.arch == arch for one in wheels)]
    uploads = sorted(one.file.uploaded[:7] for one in wheels if one.file.uploaded)
    assumed: dict[str, object] = {"torch": pep440(version).base, "basis": "unknown"}
    if uploads:
        assumed["released"] = uploads[0]
    return Statement(
        subject=Subject("torch_npu", (version,)),
        values={
            "on_index": True,
            "wheels": {arch: _pythons(one for one in wheels if one.arch == arch) for arch in arches},
            "platforms": {arch: _platforms(one for one in wheels if one.arch == arch) for arch in arches},
        },
        assumed=assumed,
        source=asked.origin.of(document.name, usual=f"package-index: torch-npu {version}"),
        place=document.place(wheels[0].file.line),
    )


def _hashes(document: Document, wheels: list[_Wheel], asked: Asked) -> Iterator[Statement]:
    """What the index says of files that the matrix names; it is no reason to name all files there are."""
    for one in wheels:
        if one.file.sha256 is not None:
            yield Statement(
                subject=Subject(
                    "artefacts", ("torch_npu", one.version), Part("files", (("filename", one.file.name),))
                ),
                values={"sha256": one.file.sha256},
                source=asked.origin.of(document.name, usual=f"package-index: torch-npu {one.version}"),
                place=document.place(one.file.line),
                assumed={"verified_by": "package index"},
                adds=False,
            )


def _pythons(wheels: Iterable[_Wheel]) -> list[str]:
    return sorted({one.python for one in wheels}, key=lambda tag: (len(tag), tag))


def _platforms(wheels: Iterable[_Wheel]) -> str:
    return " / ".join(sorted({one.platform for one in wheels}))


def _wheel(document: Document, file: _File, skipped: list[Skipped]) -> _Wheel | None:
    place = document.place(file.line)
    if file.is_yanked:
        skipped.append(Skipped(place, file.name, say("the index took it back (yanked)")))
        return None
    try:
        project, version, _, tags = parse_wheel_filename(file.name)
    except InvalidWheelFilename as error:
        if file.name.startswith("torch_npu-") and file.name.endswith(".whl"):
            raise UnreadableSource(
                say("the file name {name} cannot be read", name=repr(file.name)),
                name=document.name,
                line=file.line,
            ) from error
        skipped.append(Skipped(place, file.name, say("this is no wheel")))
        return None
    platform = file.name.removesuffix(".whl").rpartition("-")[2]
    arch = next((arch for arch in _ARCHES if platform.endswith(arch)), None)
    if str(project) != _PROJECT or arch is None:
        skipped.append(Skipped(place, file.name, say("this is no wheel of torch-npu for Linux")))
        return None
    python = min(tag.interpreter for tag in tags)
    return _Wheel(file, str(version), python, arch, platform)


def _files(document: Document) -> Iterator[_File]:
    if document.text().lstrip()[:1] in ("{", "["):
        yield from _listed_in_json(document)
        return
    page = _Page()
    page.feed(document.text())
    page.close()
    if not page.files and document.page_title() is not None:
        words = say("this web page ({title}) lists no files", title=document.page_title() or "-")
        raise UnreadableSource(words, name=document.name)
    yield from page.files


def _listed_in_json(document: Document) -> Iterator[_File]:
    data = document.parsed_json(say("a list of files of a package index"))
    files = data.get("files") if isinstance(data, dict) else None
    if not isinstance(files, list):
        raise UnreadableSource(
            say("the key {name} is missing", name="files"),
            name=document.name,
            hint=say("ask the index for its simple page as JSON (application/vnd.pypi.simple.v1+json)"),
        )
    for one in files:
        if not isinstance(one, dict) or not isinstance(one.get("filename"), str):
            raise UnreadableSource(say("a file here has no filename"), name=document.name)
        name = one["filename"]
        hashes = one.get("hashes")
        sha256 = hashes.get("sha256") if isinstance(hashes, Mapping) else None
        yield _File(
            name,
            document.line_of(f'"{name}"'),
            sha256 if isinstance(sha256, str) and _SHA256.fullmatch(sha256) else None,
            str(one.get("upload-time") or ""),
            bool(one.get("yanked")),
        )


class _Page(HTMLParser):
    """The links of a simple page: the file's name is the link's text, its hash stands behind the #."""

    def __init__(self) -> None:
        super().__init__()
        self.files: list[_File] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take one link."""
        values = dict(attrs)
        if tag != "a" or not values.get("href"):
            return
        address, fragment = urldefrag(values["href"] or "")
        name = unquote(address.rpartition("/")[2])
        if not name:
            return
        sha256 = fragment.removeprefix("sha256=")
        known = sha256 if _SHA256.fullmatch(sha256) else None
        self.files.append(_File(name, self.getpos()[0], known, is_yanked="data-yanked" in values))
