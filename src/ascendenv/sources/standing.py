"""The rows that stand: those of the folder that is written to, each with its place, and those of the matrix below it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.matrix.load import ARTEFACT_KINDS, KINDS, MatrixMistakes, places_of
from ascendenv.matrix.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from ascendenv.matrix.load import Kind
    from ascendenv.matrix.model import RawMatrix
    from ascendenv.matrix.yaml_file import Mistake
    from ascendenv.sources.statement import Part, Subject

__all__ = ["NAMES", "Found", "Standing"]

Row = dict[str, object]
Place = tuple["str | int", ...]

NAMES: Mapping[str, tuple[str, ...]] = {
    "cann": ("version",),
    "hdk": ("hdk",),
    "torch_npu": ("version",),
    "torch": ("torch",),
    "downstream": ("project",),
    "artefacts": ("component", "release"),
    "images": ("repository", "cann", "torch_npu"),
    "contradictions": ("id",),
}
"""For each kind that can be imported, the keys that name a row."""


@dataclass(frozen=True)
class Found:
    """A row or part that stands: its data, the file in the folder (None below it), its place and line there."""

    row: Row
    file: str | None
    place: Place
    line: int

    @property
    def where(self) -> str:
        """Where a person finds it."""
        return str(say("the shipped matrix")) if self.file is None else f"{self.file}:{self.line}"

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of the row."""
        found = self.row.get("source")
        return tuple(str(one) for one in found) if isinstance(found, list) else ()


class Standing:
    """What stands in `folder`, and below it; a row of the folder stands in for one of the same name.

    `below` is what the folder stands on, `raw` a matrix without files (without notes, too) where there is no folder.
    """

    def __init__(
        self, folder: Path | None, *, below: Standing | None = None, raw: RawMatrix | None = None
    ) -> None:
        self.folder = folder
        self._below = below
        self._raw = raw or {}
        self._kinds = {one.name: one for one in (*KINDS, *ARTEFACT_KINDS)}
        self._rows: dict[str, dict[tuple[str, ...], Found]] = {}
        self.lines: dict[str, dict[Place, int]] = {}

    def rows(self, kind: str) -> Mapping[tuple[str, ...], Found]:
        """All rows of a kind by their names; raises MatrixMistakes where a file cannot be read."""
        if kind not in self._rows:
            found = {name_of(kind, row): Found(dict(row), None, (), 0) for row in self._raw.get(kind, ())}
            for name, one in self._below.rows(kind).items() if self._below is not None else ():
                found[name] = Found(one.row, None, (), 0)
            self._rows[kind] = found | dict(self._read(self._kinds[kind]))
        return self._rows[kind]

    def find(self, subject: Subject) -> Found | None:
        """The row of that name; the row, too, where a part is asked for."""
        return self.rows(subject.kind).get(tuple(one.casefold() for one in subject.name))

    def parts(self, found: Found, part: Part) -> Iterator[Found]:
        """The parts of a row that have that name; several may, e.g. one for each family."""
        items = found.row.get(part.list)
        for number, item in enumerate(items if isinstance(items, list) else ()):
            if isinstance(item, dict) and all(
                str(item.get(key, "")).casefold() == text.casefold() for key, text in part.name
            ):
                yield self.part_at(found, part.list, number, item)

    def part_at(self, found: Found, key: str, number: int, item: Row) -> Found:
        """An item of a list in a row, with its line."""
        place = (*found.place, key, number)
        line = self.lines.get(found.file, {}).get(place, found.line) if found.file is not None else 0
        return Found(item, found.file, place, line)

    def _read(self, kind: Kind) -> Iterator[tuple[tuple[str, ...], Found]]:
        if self.folder is None:
            return
        mistakes: list[Mistake] = []
        for path in sorted(self.folder.glob(kind.files)):
            file = read_yaml(path, path.relative_to(self.folder).as_posix())
            mistakes += file.mistakes
            self.lines[file.path] = file.lines
            for place, row in places_of(kind, file):
                yield name_of(kind.name, row), Found(row, file.path, place, file.line_of(place))
        if mistakes:
            raise MatrixMistakes(str(self.folder), mistakes)


def name_of(kind: str, row: Mapping[str, object]) -> tuple[str, ...]:
    """The name of a row, in small letters; what it does not name is empty."""
    return tuple(str(row.get(key, "")).casefold() for key in NAMES[kind])
