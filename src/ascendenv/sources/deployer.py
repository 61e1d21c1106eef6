"""The version lists of ascend-deployer: the files of each release with their hashes, and what goes with what.

Read are single JSON files, a folder of them, and the deployer's wheel as the package index has it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from ascendenv.language import say
from ascendenv.sources.deployer_files import artefact, families_of, files_of, mapping
from ascendenv.sources.reading import python_version, vendor_version
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
    from collections.abc import Iterator, Mapping

    from ascendenv.sources.kinds import Asked
    from ascendenv.sources.material import Document, Material

__all__ = ["is_wanted", "read"]

_DOCUMENT = re.compile(r"^package-index: ascend-deployer ")
_COMPONENTS = {"cann": "cann", "npu": "hdk", "torch-npu": "torch_npu"}
_PROJECTS = {"mindspore": "MindSpore", "dl": "MindX DL"}
_FILES = re.compile(r"(?:.*/)?(?:version_match|software/[^/]+|[A-Za-z][A-Za-z-]*_\d[^/]*)\.json")
_PAIRED = re.compile(r"(?P<name>[A-Za-z][A-Za-z-]*)_(?P<version>\d\S*)")
_UNMATCHED = "NoneMatched"


def is_wanted(path: str) -> bool:
    """Whether the deployer keeps versions in a file of that path."""
    return _FILES.fullmatch(path) is not None


def read(material: Material, asked: Asked) -> Reading:
    """The files and pairings of all lists; raises UnreadableSource."""
    statements: list[Statement] = []
    skipped: list[Skipped] = []
    seen = False
    for document in material.documents:
        data = document.parsed_json(say("a version list of ascend-deployer"))
        if _is_software(data):
            seen = True
            statements += _software(document, data, _source(material, document, asked), asked, skipped)
        elif _is_match(data):
            seen = True
            statements += _match(document, data, _source(material, document, asked), asked, skipped)
        elif not material.is_tree:
            raise UnreadableSource(
                say("this is neither a software list of ascend-deployer nor its version_match.json"),
                name=document.name,
            )
    if not seen:
        raise UnreadableSource(
            say("there is no version list of ascend-deployer here"),
            name=material.name,
            hint=say("give its wheel, its folder downloader, or files of downloader/software"),
        )
    rows = {one.subject.name for one in statements if one.subject.kind == "artefacts"}
    return Reading(
        statements=tuple(statements),
        document=_DOCUMENT,
        whole=frozenset(Subject("artefacts", name) for name in rows),
        skipped=tuple(skipped),
    )


def _source(material: Material, document: Document, asked: Asked) -> str:
    usual = None
    wheel = material.name.rpartition("/")[2]
    if material.is_tree and wheel.endswith(".whl"):
        try:
            project, version, _, _ = parse_wheel_filename(wheel)
            usual = f"package-index: {project} {version} {document.name}"
        except InvalidWheelFilename:
            usual = None
    return asked.origin.of(document.name, usual=usual, several=material.is_tree)


def _is_software(data: object) -> bool:
    return (
        isinstance(data, dict) and isinstance(data.get("name"), str) and isinstance(data.get("version"), str)
    )


def _is_match(data: object) -> bool:
    return (
        isinstance(data, dict)
        and bool(data)
        and all(
            key == _UNMATCHED or (isinstance(value, str) and _PAIRED.fullmatch(key) is not None)
            for key, value in data.items()
        )
    )


def _software(
    document: Document, data: object, source: str, asked: Asked, skipped: list[Skipped]
) -> Iterator[Statement]:
    row = mapping(data)
    name, version = str(row["name"]), str(row["version"])
    component = _COMPONENTS.get(name.casefold())
    if component is None:
        skipped.append(
            Skipped(document.place(1), f"{name} {version}", say("the matrix has no such software"))
        )
        return
    line = document.line_of('"version"')
    if component == "torch_npu":
        release = python_version(document, line, version)
    else:
        release = vendor_version(document, line, version)
        release = asked.cann_name(release) if component == "cann" else asked.hdk_name(release)
    for file in files_of(row):
        yield artefact(document, file, (component, release), source, asked)
    if component == "cann":
        yield from _hardware(document, row, release, source, asked)
    elif component == "hdk":
        yield from _release(document, row, release, source, asked)


def _hardware(
    document: Document, row: Mapping[str, object], cann: str, source: str, asked: Asked
) -> Iterator[Statement]:
    """The HDK release that a CANN is installed with."""
    wanted = row.get("required_soft")
    for one in wanted if isinstance(wanted, list) else ():
        soft = mapping(one)
        if str(soft.get("name", "")).casefold() == "npu":
            line = document.line_of('"required_soft"')
            hdk = asked.hdk_name(vendor_version(document, line, str(soft.get("version", ""))))
            yield Statement(
                subject=Subject("cann", (cann,), Part("hdk_cells", (("hdk", hdk),))),
                values={"level": "recommended"},
                source=source,
                place=document.place(line),
            )


def _release(
    document: Document, row: Mapping[str, object], hdk: str, source: str, asked: Asked
) -> Iterator[Statement]:
    """That there is an HDK release, and the families its archives are for; their driver's version is not told."""
    families = families_of(row, asked)
    yield Statement(
        subject=Subject("hdk", (hdk,)),
        values={},
        assumed={"pairs": [{"families": families, "source": [source]}]} if families else {},
        source=source,
        place=document.place(document.line_of('"version"')),
    )


def _match(
    document: Document, data: object, source: str, asked: Asked, skipped: list[Skipped]
) -> Iterator[Statement]:
    """The CANN that each software is installed with."""
    for key, value in mapping(data).items():
        match = _PAIRED.fullmatch(key)
        if match is None:
            continue
        line = document.line_of(f'"{key}"')
        cann = asked.cann_name(vendor_version(document, line, str(value)))
        name = match["name"].casefold()
        if name == "torch-npu":
            version = python_version(document, line, match["version"])
            yield Statement(
                subject=Subject("torch_npu", (version,)),
                # The deployer is known to pair builds of patch releases with a CANN that their tags do not name.
                values={"basis": "attested", "cann": [cann]},
                assumed={"torch": pep440(version).base},
                source=source,
                place=document.place(line),
            )
        elif name in _PROJECTS:
            part = Part("releases", (("version", match["version"]),))
            yield Statement(
                subject=Subject("downstream", (_PROJECTS[name],), part),
                values={"cann": cann},
                assumed={"kind": "release"},
                source=source,
                place=document.place(line),
            )
        else:
            skipped.append(Skipped(document.place(line), key, say("the matrix has no such software")))
