"""Tables of Markdown documents, found by what their columns are called, in any order and language."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.sources.statement import UnreadableSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ascendenv.sources.material import Document

__all__ = ["Column", "Line", "Shape", "read_tables"]

_RULE = frozenset("|:- \t")
_CELL = re.compile(r"(?<!\\)\|")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_FENCE = re.compile(r"\s*(```|~~~)")


@dataclass(frozen=True)
class Column:
    """A column: the key that its cells get, and everything that it was seen to be called."""

    key: str
    names: tuple[str, ...]
    needed: bool = True

    @property
    def shown(self) -> str:
        """What messages call it: by its English and its Chinese name."""
        return f"«{' / '.join(self.names[:2])}»"

    def is_called(self, text: str) -> bool:
        """Whether the column of a table that is headed `text` is this one."""
        return _plain_header(text) in {_plain_header(name) for name in self.names}


@dataclass(frozen=True)
class Shape:
    """A kind of table: the columns that make it one. An optional table may be absent, never misshapen."""

    columns: tuple[Column, ...]
    optional: bool = False

    @property
    def needed(self) -> tuple[Column, ...]:
        """The columns without which it is another table."""
        return tuple(one for one in self.columns if one.needed)


@dataclass(frozen=True)
class Line:
    """One row of a table: its line in the document, and its cells by the keys of their columns."""

    number: int
    cells: Mapping[str, str]

    def __getitem__(self, key: str) -> str:
        return self.cells[key]

    def get(self, key: str) -> str:
        """The cell of a column that the table need not have; empty where it has none."""
        return self.cells.get(key, "")


@dataclass(frozen=True)
class _Table:
    line: int
    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]

    def missing(self, shape: Shape) -> list[Column]:
        return [one for one in shape.needed if not any(one.is_called(text) for text in self.header)]


def read_tables(document: Document, text: str, shapes: Sequence[Shape]) -> list[list[Line]]:
    """The rows of all tables of each shape, in the order of the document.

    Raises UnreadableSource where a table lacks a column, a row lacks a cell, or no table of a shape is there.
    """
    tables = list(_tables(text))
    taken = [[one for one in tables if not one.missing(shape)] for shape in shapes]
    rest = [one for one in tables if not any(one in some for some in taken)]
    for shape in shapes:
        _refuse_misshapen(document, rest, shape)
    for shape, found in zip(shapes, taken, strict=True):
        if not found and not shape.optional:
            raise _absent(document, tables, shape)
    return [
        [line for table in found for line in _lines(document, table, shape)]
        for shape, found in zip(shapes, taken, strict=True)
    ]


def _refuse_misshapen(document: Document, tables: Iterable[_Table], shape: Shape) -> None:
    for table in tables:
        missing = table.missing(shape)
        if 2 * len(missing) <= len(shape.needed):
            names = ", ".join(one.shown for one in missing)
            raise UnreadableSource(
                say("this table has no column {names}", names=names),
                name=document.name,
                line=table.line,
                hint=say("its columns are: {names}", names=", ".join(table.header)),
            )


def _absent(document: Document, tables: Sequence[_Table], shape: Shape) -> UnreadableSource:
    names = ", ".join(one.shown for one in shape.needed)
    seen = "; ".join(", ".join(one.header) for one in tables)
    return UnreadableSource(
        say("there is no table with the columns {names}", names=names),
        name=document.name,
        hint=say("the tables here have the columns: {names}", names=seen) if seen else None,
    )


def _lines(document: Document, table: _Table, shape: Shape) -> Iterator[Line]:
    keys = [
        next((one.key for one in shape.columns if one.is_called(text)), f"column {number}")
        for number, text in enumerate(table.header)
    ]
    for number, cells in table.rows:
        if len(cells) != len(keys):
            words = say(
                "this row has {count} cells, the table has {columns} columns",
                count=len(cells),
                columns=len(keys),
            )
            raise UnreadableSource(words, name=document.name, line=number)
        yield Line(number, dict(zip(keys, cells, strict=True)))


def _tables(text: str) -> Iterator[_Table]:
    lines = text.split("\n")
    outside = _outside_fences(lines)
    number = 1
    while number < len(lines):
        if outside[number] and "|" in lines[number - 1] and _is_rule(lines[number]):
            start = number
            number += 1
            rows = []
            while number < len(lines) and "|" in lines[number]:
                rows.append((number + 1, _cells(lines[number])))
                number += 1
            yield _Table(start, _cells(lines[start - 1]), tuple(rows))
        number += 1


def _is_rule(line: str) -> bool:
    """Whether this is the line of dashes below a header."""
    return set(line) <= _RULE and all(cell.strip(":").strip("-") == "" != cell for cell in _cells(line))


def _outside_fences(lines: Sequence[str]) -> list[bool]:
    found, inside = [], False
    for line in lines:
        if _FENCE.match(line):
            inside = not inside
        found.append(not inside)
    return found


def _cells(line: str) -> tuple[str, ...]:
    body = line.strip().removeprefix("|")
    if body.endswith("|") and not body.endswith("\\|"):
        body = body[:-1]
    return tuple(_plain(cell) for cell in _CELL.split(body))


def _plain(cell: str) -> str:
    """The words of a cell without marks."""
    text = _LINK.sub(r"\1", cell.replace("\\|", "|"))
    text = re.sub(r"<br\s*/?>", " ", text, flags=re.IGNORECASE)
    return html.unescape(text).strip().strip("`*").strip()


def _plain_header(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()
