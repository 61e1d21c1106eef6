"""The files that ascend-deployer lists for a release, as artefacts: package, chips and architecture by their names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ascendenv.fetch.file_name import read_name
from ascendenv.language import say
from ascendenv.sources.statement import Part, Statement, Subject, UnreadableSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.sources.kinds import Asked
    from ascendenv.sources.material import Document

__all__ = ["artefact", "families_of", "files_of", "mapping"]

_SHA256 = re.compile(r"[0-9a-f]{64}")
_FORMATS = ("run", "zip", "whl")


def files_of(software: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Every file of a software list, in whichever of its groups it stands."""
    for key in ("other", "aarch64", "x86_64"):
        yield from (mapping(one) for one in _listed(software.get(key)))
    for system in _listed(software.get("framework_whl")):
        yield from (mapping(one) for one in _listed(mapping(system).get("whl")))


def families_of(software: Mapping[str, object], asked: Asked) -> list[str]:
    """The chip families that its archives of driver and firmware are for."""
    said = [read_name(str(one.get("filename", "")), asked.matrix) for one in files_of(software)]
    return sorted({one.family for one in said if one.family and one.package == "bundle"})


def artefact(
    document: Document, file: Mapping[str, object], row: tuple[str, str], source: str, asked: Asked
) -> Statement:
    """What the list says of one file of the release `row`; raises UnreadableSource."""
    name = file.get("filename")
    if not isinstance(name, str) or not name:
        raise UnreadableSource(say("a file here has no filename"), name=document.name)
    line = document.line_of(f'"{name}"')
    if name.rpartition(".")[2] not in _FORMATS:
        words = say("the file name {name} cannot be read", name=repr(name))
        raise UnreadableSource(words, name=document.name, line=line)
    values = {
        key: _checked(document, line, file[key], key)
        for key in ("url", "sha256")
        if file.get(key) is not None
    }
    assumed = _told_by_name(name, row, asked)
    if isinstance(file.get("python"), str):
        assumed["python"] = file["python"]
    if "sha256" in values:
        assumed["verified_by"] = "deployer"
    return Statement(
        subject=Subject("artefacts", row, Part("files", (("filename", name),))),
        values=values,
        assumed=assumed,
        source=source,
        place=document.place(line),
    )


def mapping(value: object) -> Mapping[str, object]:
    """The value where it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def _told_by_name(name: str, row: tuple[str, str], asked: Asked) -> dict[str, object]:
    said = read_name(name, asked.matrix)
    distribution = (said.distribution or "").replace("-", "_")
    told: dict[str, object] = {
        "package": distribution or said.package or name.partition("_")[0].lower(),
        "version": said.version or row[1],
        "format": name.rpartition(".")[2],
    }
    return told | {key: value for key, value in (("family", said.family), ("arch", said.arch)) if value}


def _checked(document: Document, line: int | None, value: object, key: str) -> str:
    """A hash or an address as the matrix takes them; raises UnreadableSource."""
    text = value if isinstance(value, str) else ""
    is_right = _SHA256.fullmatch(text) if key == "sha256" else re.fullmatch(r"https://[^\s%]\S+", text)
    if is_right is None:
        words = say("{text} is no {what}", text=repr(value), what=key)
        raise UnreadableSource(words, name=document.name, line=line)
    return text


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []
