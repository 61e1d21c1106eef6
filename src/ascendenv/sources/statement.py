"""What a source says, in the words of the matrix: rows, or parts of rows, with the line each was read from."""

from __future__ import annotations

import re
from collections.abc import Mapping  # noqa: TC003  (the dataclass keeps the annotation readable)
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from ascendenv.errors import UnusableInput

if TYPE_CHECKING:
    from ascendenv.language import Message

__all__ = ["Part", "Reading", "Skipped", "Statement", "Subject", "UnreadableSource"]

Row = dict[str, object]


class UnreadableSource(UnusableInput):
    """A document that is not what it should be; `where` names it, with the line where there is one."""

    code: ClassVar[str] = "unreadable-source"

    def __init__(
        self, message: Message, *, name: str, line: int | None = None, hint: Message | None = None
    ) -> None:
        super().__init__(message, where=name if line is None else f"{name}:{line}", hint=hint)


@dataclass(frozen=True)
class Part:
    """One item of a list inside a row: the list's key, and the keys that tell the item from its neighbours."""

    list: str
    name: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return " ".join(text for _, text in self.name)


@dataclass(frozen=True)
class Subject:
    """What is spoken of: a row of a kind, by the values of its name, or a part of it."""

    kind: str
    name: tuple[str, ...]
    part: Part | None = None

    def __str__(self) -> str:
        words = (self.kind, *(one for one in self.name if one), *((str(self.part),) if self.part else ()))
        return " ".join(words)


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What a source says of one subject.

    `values` are compared with what stands, as plain data; `assumed` is what a new row needs besides. `place` is the
    document and line, `source` what goes into the row's list of sources. One that does not add is only compared: where
    its subject does not stand it means nothing.
    """

    subject: Subject
    values: Mapping[str, object]
    source: str
    place: str
    assumed: Mapping[str, object] = field(default_factory=dict)
    adds: bool = True

    def row(self) -> Row:
        """A new row, or part of one, that says just this."""
        keys = self.subject.part.name if self.subject.part is not None else ()
        values = {**self.assumed, **self.values}
        return {**dict(keys), **values, "source": [self.source]}


@dataclass(frozen=True)
class Skipped:
    """Something in the document that was left out, and why."""

    place: str
    text: str
    why: Message


@dataclass(frozen=True, kw_only=True)
class Reading:
    """All that a document says.

    `document` matches the sources of rows that were read from such a document before. `whole` names the kinds of rows,
    and the subjects, whose list is complete here: what stands from such a document and is not listed is gone upstream.
    """

    statements: tuple[Statement, ...]
    document: re.Pattern[str]
    whole: frozenset[str | Subject] = frozenset()
    skipped: tuple[Skipped, ...] = ()

    def is_own(self, source: str) -> bool:
        """Whether a row with that source was read from such a document, in whatever version of it."""
        stems = {_stem(one.source) for one in self.statements}
        return self.document.search(source) is not None or _stem(source) in stems


def _stem(source: str) -> str:
    """The source without the day it was read, and without the commit or branch."""
    return re.sub(r"@[^\s/@:]+$", "", re.sub(r", read \d{4}-\d\d-\d\d$", "", source))
