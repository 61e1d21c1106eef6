"""Reads a matrix folder: every mistake in every file at once, each with file, line and key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ascendenv.errors import UnusableInput
from ascendenv.language import say
from ascendenv.matrix import package_rows
from ascendenv.matrix.guard import check_row
from ascendenv.matrix.rows import (
    artefacts,
    conflicts,
    hardware,
    installing,
    profiles,
    releases,
    surroundings,
    variables,
)
from ascendenv.matrix.yaml_file import Mistake, YamlFile, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ascendenv.matrix.model import RawMatrix

__all__ = ["ARTEFACT_KINDS", "KINDS", "VARIABLE_KINDS", "Kind", "MatrixMistakes", "load_raw"]


class MatrixMistakes(UnusableInput):
    """A matrix folder that holds mistakes; all of them are in `mistakes`."""

    code: ClassVar[str] = "matrix-mistakes"

    def __init__(self, folder: str, mistakes: Sequence[Mistake]) -> None:
        lines = "\n".join(str(one) for one in mistakes)
        super().__init__(
            say("{count} mistakes in the matrix:\n{lines}", count=len(mistakes), lines=lines), where=folder
        )
        self.mistakes = tuple(mistakes)


@dataclass(frozen=True)
class Kind:
    """One kind of rows: the files it stands in, and the field that names a row.

    A file holds one row, or with `many` a list of rows.
    """

    name: str
    files: str
    row: type
    key: str | None
    many: bool = False


KINDS = (
    Kind("cann", "cann/*.yaml", releases.CannRelease, "version"),
    Kind("hdk", "hdk/*.yaml", releases.HdkRelease, "hdk"),
    Kind("torch_npu", "torch_npu/*.yaml", releases.TorchNpuRelease, "version"),
    Kind("torch", "torch.yaml", releases.TorchLine, "torch", many=True),
    Kind("torch_indexes", "torch_indexes.yaml", installing.TorchIndex, "build", many=True),
    Kind("families", "chips/*.yaml", hardware.Family, "name"),
    Kind("products", "products.yaml", hardware.Product, "name", many=True),
    Kind("os", "os/*.yaml", surroundings.OsSupport, "family"),
    Kind("breaks", "breaks.yaml", conflicts.Break, "id", many=True),
    Kind("contradictions", "contradictions.yaml", conflicts.Contradiction, "id", many=True),
    Kind("downstream", "downstream/*.yaml", surroundings.UsedBy, "project"),
    Kind("attested", "attested.yaml", surroundings.Attested, None, many=True),
    Kind("layouts", "layouts.yaml", installing.Layout, "name", many=True),
    Kind("package_names", "package_names.yaml", installing.PackageName, None, many=True),
    Kind("file_names", "file_names.yaml", installing.SeenName, None, many=True),
    Kind("package_marks", "package_marks.yaml", installing.PackageMark, None, many=True),
    Kind("servers", "servers.yaml", installing.DownloadServer, "host", many=True),
    Kind("trust", "trust.yaml", installing.TrustAnchor, "name", many=True),
    Kind("python_packages", "python_packages.yaml", installing.PythonPackage, None, many=True),
    Kind("cuda_only", "packages/cuda_only.yaml", package_rows.CudaOnlyPackage, "name", many=True),
    Kind("placeholders", "packages/placeholders.yaml", package_rows.PlaceholderPackage, "name", many=True),
    Kind("torch_npu_needs", "packages/torch_npu_needs.yaml", package_rows.TorchNpuNeed, "module", many=True),
    Kind("package_indexes", "packages/indexes.yaml", package_rows.PackageIndex, "name", many=True),
)

ARTEFACT_KINDS = (
    Kind("artefacts", "artefacts/*/*.yaml", artefacts.ArtefactSet, None),
    Kind("images", "images/*.yaml", artefacts.Images, None, many=True),
)
"""Kinds that are compiled apart."""

VARIABLE_KINDS = (
    Kind("variables", "variables/*.yaml", variables.Variable, "name", many=True),
    Kind("base_environment", "base_environment.yaml", profiles.BaseLayer, "name", many=True),
    Kind("costly_settings", "costly_settings.yaml", profiles.CostlySetting, "name", many=True),
    Kind("purposes", "purposes.yaml", profiles.Purpose, "name", many=True),
)
"""Environment variables and profiles: compiled apart too, since the doctor asks for none of their pages."""


def load_raw(folder: Path, *, base: RawMatrix | None = None, kinds: Sequence[Kind] = KINDS) -> RawMatrix:
    """The rows of `folder` by kind as plain data; raises MatrixMistakes.

    With `base` the folder is a site's own and stands on top of that matrix: references may point into it.
    """
    from ascendenv.matrix.references import dangling

    raw: RawMatrix = {kind.name: [] for kind in kinds}
    read: list[tuple[Kind, YamlFile]] = []
    for kind in kinds:
        for path in sorted(folder.glob(kind.files)):
            file = read_yaml(path, str(path.relative_to(folder)))
            read.append((kind, file))
            raw[kind.name].extend(_rows_of(kind, file))
    mistakes = [one for _, file in read for one in file.mistakes]
    mistakes += [*_doubles(read), *_misnamed(read)]
    if not mistakes:
        mistakes += dangling(read, raw, base)
    if not read and base is None:
        mistakes.append(Mistake(str(folder), 0, "", say("there is no matrix in this folder")))
    if mistakes:
        raise MatrixMistakes(str(folder), mistakes)
    return raw


def places_of(kind: Kind, file: YamlFile) -> Iterable[tuple[tuple[str | int, ...], dict[str, Any]]]:
    """Each row of a file with the place it stands at."""
    if not kind.many:
        if isinstance(file.data, dict):
            yield (), file.data
    elif isinstance(file.data, list):
        for number, row in enumerate(file.data):
            if isinstance(row, dict):
                yield (number,), row


def _rows_of(kind: Kind, file: YamlFile) -> list[dict[str, object]]:
    if file.data is None:
        return []
    if kind.many and not isinstance(file.data, list):
        file.complain((), say("this file must hold a list of rows"))
    elif not kind.many and not isinstance(file.data, dict):
        file.complain((), say("this file must hold one row: keys and values"))
    found = []
    for place, row in places_of(kind, file):
        check_row(kind.row, file, place, row)
        found.append(row)
    return found


def _doubles(read: Sequence[tuple[Kind, YamlFile]]) -> list[Mistake]:
    """Rows of one kind that have the same name, in one file or in two."""
    found: list[Mistake] = []
    seen: dict[tuple[str, str], str] = {}
    for kind, file in read:
        for place, row in places_of(kind, file):
            if kind.key is None or kind.key not in row:
                continue
            here = f"{file.path}:{file.line_of((*place, kind.key))}"
            first = seen.setdefault((kind.name, str(row[kind.key]).lower()), here)
            if first != here:
                words = say("{name} stands in {first} already", name=str(row[kind.key]), first=first)
                found.append(Mistake(file.path, file.line_of((*place, kind.key)), kind.key, words))
    return found


def _misnamed(read: Sequence[tuple[Kind, YamlFile]]) -> list[Mistake]:
    """Files with one release or family whose name is another one's, which comes from copying a neighbour."""
    found = []
    for kind, file in read:
        stem = file.path.rpartition("/")[2].removesuffix(".yaml")
        for place, row in places_of(kind, file):
            if kind.key in _FILE_IS_NAMED_BY and not kind.many and str(row.get(kind.key, stem)) != stem:
                line = file.line_of((*place, kind.key))
                words = say(
                    "the file is called {stem}, but this is {name}", stem=stem, name=str(row[kind.key])
                )
                found.append(Mistake(file.path, line, kind.key, words))
    return found


_FILE_IS_NAMED_BY = ("version", "hdk", "name", "family")
