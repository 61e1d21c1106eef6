"""The files of a matrix folder under change: what is added and set where, before anything is written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.sources.agreement import Outcome
from ascendenv.sources.row_order import at_the_end, by_id, by_name, by_text, by_version
from ascendenv.sources.standing import NAMES
from ascendenv.sources.statement import Subject
from ascendenv.sources.yaml_edit import YamlEdit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ascendenv.sources.comparison import Finding
    from ascendenv.sources.standing import Found, Standing
    from ascendenv.versions import Scheme

__all__ = ["Plan"]

Row = dict[str, object]
Place = tuple["str | int", ...]

_LISTS = {
    "torch": "torch.yaml",
    "images": "images/{repository}.yaml",
    "contradictions": "contradictions.yaml",
}
"""Kinds of which a file holds many rows."""
_SINGLE = {
    "cann": "cann/{version}.yaml",
    "hdk": "hdk/{hdk}.yaml",
    "torch_npu": "torch_npu/{version}.yaml",
    "artefacts": "artefacts/{component}/{release}.yaml",
    "downstream": "downstream/{project}.yaml",
}
"""Kinds of which a file holds one row."""
_ORDERS: Mapping[str, tuple[str, Scheme]] = {"torch": ("torch", "pep440"), "images": ("cann", "vendor")}


class Plan:
    """The files of the folder under change, in the order in which they are written."""

    def __init__(self, standing: Standing, folder: Path) -> None:
        self._standing = standing
        self._folder = folder
        self._edits: dict[str, YamlEdit] = {}
        self._before: dict[str, str] = {}

    def texts(self) -> dict[str, str]:
        """The files that changed, with their new text."""
        return {name: edit.text for name, edit in self._edits.items() if edit.text != self._before[name]}

    def changed_meanwhile(self) -> str | None:
        """A file that somebody else wrote since it was read."""
        return next((name for name, text in self._before.items() if self._on_disk(name) != text), None)

    def add(self, finding: Finding) -> None:
        """Write a row, or a part of one, that does not stand yet."""
        statement = finding.statement
        if statement is None:
            return
        subject = statement.subject
        if subject.part is None and self._place(subject) is None:
            self._add_row(subject.kind, _named_row(subject) | statement.row())
        elif subject.part is not None:
            if self._place(subject) is None:
                self._add_row(subject.kind, _named_row(subject))
            name, place = self._standing_place(subject)
            self._add_part(name, place, subject, statement.row())

    def change(self, finding: Finding) -> None:
        """Set what differs in a row that stands, and add the document to its sources."""
        statement = finding.statement
        if statement is None:
            return
        name, place = self._standing_place(statement.subject)
        edit = self._edits[name]
        if statement.subject.part is not None:
            place = self._part_place(edit, place, finding)
        for one in finding.differences:
            if one.outcome is Outcome.CHANGED:
                self._set(edit, place, one.field, one.after)
        if any(one.field == "sha256" for one in finding.differences) and "verified_by" in statement.assumed:
            self._set(edit, place, "verified_by", statement.assumed["verified_by"])
        self._add_source(edit, place, statement.source)

    def dispute(self, row: Row) -> None:
        """Add a contradiction; one with the same id gets the new claim."""
        subject = Subject("contradictions", (str(row["id"]),))
        if self._place(subject) is None:
            self._add_row("contradictions", row)
            return
        name, place = self._standing_place(subject)
        edit = self._edits[name]
        for key in ("says", "source"):
            known, stated = _at(edit, place).get(key), row[key]
            for one in stated if isinstance(stated, list) else ():
                if not isinstance(known, list) or one not in known:
                    edit.add_item(place, key, one, before=at_the_end)

    def _add_part(self, name: str, place: Place, subject: Subject, row: Row) -> None:
        assert subject.part is not None  # noqa: S101  (tells the type checker)
        edit = self._edits[name]
        items = _at(edit, place).get(subject.part.list)
        before = by_name(row, subject.part.name[0][0], items if isinstance(items, list) else [])
        edit.add_item(place, subject.part.list, row, before=before)

    def _add_row(self, kind: str, row: Row) -> None:
        name = self._file_of(kind, row)
        edit = self._edit(name)
        if kind in _SINGLE:
            edit.set_row(row)
        elif kind in _ORDERS:
            key, scheme = _ORDERS[kind]
            edit.add_row(row, before=by_version(row, key, scheme))
        else:
            edit.add_row(row, before=by_id(row))

    def _set(self, edit: YamlEdit, place: Place, key: str, value: object) -> None:
        """Set a key; a list that only grew gets its new items, so that the old ones keep their lines."""
        row = _at(edit, place)
        before = row.get(key)
        if isinstance(before, list) and isinstance(value, list) and before and before == value[: len(before)]:
            goes_up = before == sorted(before, key=str)
            for one in value[len(before) :]:
                edit.add_item(place, key, one, before=by_text(one) if goes_up else at_the_end)
        else:
            edit.set_key(place, key, value)

    def _add_source(self, edit: YamlEdit, place: Place, source: str) -> None:
        """Add a source to a row, if it does not name that version of the document already."""
        known = _at(edit, place).get("source")
        if not isinstance(known, list) or _undated(source) not in map(_undated, known):
            edit.add_item(place, "source", source, before=at_the_end)

    def _place(self, subject: Subject) -> tuple[str, Place] | None:
        """The file and place of the row in the folder as it is planned; None where it does not stand there."""
        if subject.kind in _SINGLE:
            found = self._standing.find(subject)
            name = found.file if found is not None else None
            name = name or self._file_of(subject.kind, _named_row(subject))
            return (name, ()) if self._edit(name).text else self._from_below(subject, found)
        for name in self._files(subject.kind):
            rows = self._edit(name).data()
            for number, row in enumerate(rows if isinstance(rows, list) else ()):
                if _is_called(row, subject):
                    return name, (number,)
        return self._from_below(subject, self._standing.find(subject))

    def _from_below(self, subject: Subject, found: Found | None) -> tuple[str, Place] | None:
        """Where the row stands only in the matrix below: a copy of it in the folder, to be changed there."""
        if found is None or found.file is not None:
            return None
        self._add_row(subject.kind, dict(found.row))
        return self._place(subject)

    def _standing_place(self, subject: Subject) -> tuple[str, Place]:
        found = self._place(subject)
        assert found is not None  # noqa: S101  (it was added or stood; tells the type checker)
        return found

    def _part_place(self, edit: YamlEdit, place: Place, finding: Finding) -> Place:
        """The place of the part that was compared: the one at its line, else the first of its name."""
        part = finding.subject.part
        assert part is not None  # noqa: S101  (tells the type checker)
        items = _at(edit, place).get(part.list)
        fitting = [
            number
            for number, item in enumerate(items if isinstance(items, list) else ())
            if all(_text(item, key).casefold() == text.casefold() for key, text in part.name)
        ]
        before = {one.field: one.before for one in finding.differences}
        exact = [
            number
            for number in fitting
            if isinstance(items, list)
            and all(items[number].get(key) == value for key, value in before.items())
        ]
        return (*place, part.list, (exact or fitting)[0])

    def _files(self, kind: str) -> Sequence[str]:
        stands = [one.file for one in self._standing.rows(kind).values() if one.file is not None]
        folder, _, rest = _LISTS[kind].partition("/")
        planned = [name for name in self._edits if name == folder or (rest and name.startswith(f"{folder}/"))]
        return tuple(dict.fromkeys([*stands, *planned]))

    def _file_of(self, kind: str, row: Row) -> str:
        """The file for a new row; images of a repository go where its others stand."""
        if kind == "images":
            for found in self._standing.rows(kind).values():
                if found.file is not None and found.row.get("repository") == row.get("repository"):
                    return found.file
        words = {key: _file_word(str(value), kind) for key, value in row.items() if isinstance(value, str)}
        return (_SINGLE.get(kind) or _LISTS[kind]).format(**words)

    def _edit(self, name: str) -> YamlEdit:
        if name not in self._edits:
            text = self._on_disk(name)
            self._edits[name], self._before[name] = YamlEdit(text), text
        return self._edits[name]

    def _on_disk(self, name: str) -> str:
        path = self._folder / name
        return path.read_text(encoding="utf-8") if path.is_file() else ""


def _named_row(subject: Subject) -> Row:
    return {key: text for key, text in zip(NAMES[subject.kind], subject.name, strict=True) if text}


def _undated(source: object) -> str:
    return re.sub(r", read \d{4}-\d\d-\d\d$", "", str(source))


def _file_word(text: str, kind: str) -> str:
    if kind == "images":
        return re.sub(r"[^0-9A-Za-z]+", "_", text.rpartition("/")[2]).strip("_")
    if kind == "downstream":
        return re.sub(r"[^0-9a-z.]+", "-", text.lower()).strip("-")
    return text


def _is_called(row: object, subject: Subject) -> bool:
    names = zip(NAMES[subject.kind], subject.name, strict=True)
    return isinstance(row, dict) and all(_text(row, key).casefold() == text.casefold() for key, text in names)


def _at(edit: YamlEdit, place: Place) -> Row:
    found = edit.data()
    for step in place:
        if isinstance(found, dict) and isinstance(step, str):
            found = found.get(step)
        elif isinstance(found, list) and isinstance(step, int):
            found = found[step]
    return found if isinstance(found, dict) else {}


def _text(row: object, key: str) -> str:
    return str(row.get(key, "")) if isinstance(row, dict) else ""
