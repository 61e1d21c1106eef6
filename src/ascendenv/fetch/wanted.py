"""Finds the row of the lock that a file is for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from packaging.utils import canonicalize_name

from ascendenv.errors import UnusableInput
from ascendenv.fetch.recognise import shown, version_of
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascendenv.fetch.file_name import Said
    from ascendenv.fetch.recognise import Recognised
    from ascendenv.language import Message
    from ascendenv.lock.model import Artefact, Lock

__all__ = ["Candidate", "NotWanted", "candidates_of", "described", "row_for"]


class NotWanted(UnusableInput):
    """The file is not one that the lock wants."""

    code: ClassVar[str] = "not-wanted"


@dataclass(frozen=True)
class Candidate:
    """A row of the lock, and the chip family of the stack it stands in."""

    row: Artefact
    family: str | None


def candidates_of(lock: Lock) -> tuple[Candidate, ...]:
    """The rows of all stacks."""
    return tuple(
        dict.fromkeys(Candidate(row, stack.family) for stack in lock.stacks for row in stack.artefacts())
    )


def row_for(found: Recognised, candidates: Iterable[Candidate]) -> Artefact:
    """The row that the file is for; raises NotWanted, which names what it is and what the lock wants."""
    rows = tuple(candidates)
    named = [one for one in rows if one.row.file == found.name]
    same = named or [one for one in rows if one.row.component == found.component]
    for one in same:
        if _fits(found, one):
            return one.row
    raise _not_wanted(found, tuple(named) or rows)


def _fits(found: Recognised, wanted: Candidate) -> bool:
    """Whether nothing that is known of the file speaks against that row."""
    said, row = found.said, wanted.row
    if row.component == "interpreter":
        return True
    return (
        found.component in (None, "cann", row.component)
        and said.distribution in (None, canonicalize_name(row.name))
        and (said.version is None or _is_version(said, said.version, row))
        and _agree(said.arch, row.arch)
        and _agree(said.family, wanted.family)
    )


def _agree(left: str | None, right: str | None) -> bool:
    return left is None or right is None or left == right


def _is_version(said: Said, text: str, row: Artefact) -> bool:
    version = version_of(said, text)
    return text == row.version or (version is not None and version == version_of(said, row.version))


def _not_wanted(found: Recognised, rows: tuple[Candidate, ...]) -> NotWanted:
    same = [one for one in rows if found.name == one.row.file or one.row.component == found.component]
    near = same or [one for one in rows if one.row.file and found.name in one.row.holds]
    if found.said.is_empty:
        return NotWanted(
            say("this is no package that is known by name or content"),
            where=str(found.path),
            hint=_what_is_open(rows),
        )
    if not near:
        return NotWanted(
            say("this is {what}, and the lock has no place for it", what=shown(found)), where=str(found.path)
        )
    wanted = "; ".join(dict.fromkeys(described(one.row) for one in near))
    return NotWanted(
        say("this is {what}, and the lock wants {wanted}", what=shown(found), wanted=wanted),
        where=str(found.path),
    )


def _what_is_open(rows: tuple[Candidate, ...]) -> Message | None:
    names = sorted({one.row.file for one in rows if one.row.file and not one.row.sha256})
    return say("the lock still wants: {names}", names=", ".join(names)) if names else None


def described(row: Artefact) -> str:
    """What a row wants: `driver 25.5.0 aarch64 (Ascend-hdk-...run)`."""
    text = " ".join(one for one in (row.name, row.version, row.arch) if one)
    return f"{text} ({row.file})" if row.file else text
