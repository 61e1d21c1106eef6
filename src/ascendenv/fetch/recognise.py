"""Recognises files that a site obtained, and finds the rows of the lock that they are for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from packaging.utils import canonicalize_name

from ascendenv.errors import UnusableInput
from ascendenv.fetch.contents import Inside, look_inside
from ascendenv.fetch.file_name import Said, clean_name, read_name
from ascendenv.language import say
from ascendenv.versions import InvalidVersion, pep440, vendor

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ascendenv.language import Message
    from ascendenv.lock.model import Artefact, Lock
    from ascendenv.matrix.model import Matrix
    from ascendenv.versions import Version

__all__ = [
    "Candidate",
    "NotWanted",
    "Recognised",
    "Unfit",
    "candidates_of",
    "described",
    "recognise",
    "row_for",
    "shown",
]

_COMPONENTS = {"bundle": "hdk"}
_OF_CANN = frozenset({"toolkit", "ops", "nnal", "nnae", "nnrt"})


class NotWanted(UnusableInput):
    """The file is not one that the lock wants."""

    code: ClassVar[str] = "not-wanted"


class Unfit(UnusableInput):
    """The file is damaged, or its name and its content contradict each other."""

    code: ClassVar[str] = "unfit"


@dataclass(frozen=True)
class Recognised:
    """A file: its name, what name and content say together, and which record inside said it."""

    path: Path
    name: str
    said: Said
    inside: Inside

    @property
    def component(self) -> str | None:
        """The component of a lock that the package is."""
        return _COMPONENTS.get(self.said.package or "", self.said.package)


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


def recognise(path: Path, matrix: Matrix) -> Recognised:
    """What the file is; raises Unfit where it is damaged, or where name and content contradict each other."""
    name = clean_name(path.name)
    by_name, inside = read_name(name, matrix), look_inside(path, matrix)
    if inside.damage is not None:
        raise Unfit(
            say("the file is damaged: {damage}", damage=inside.damage),
            where=str(path),
            hint=say("get it once more"),
        )
    _refuse_contradiction(path, by_name, inside)
    return Recognised(path, name, _together(by_name, inside.said), inside)


def row_for(found: Recognised, candidates: Iterable[Candidate]) -> Artefact:
    """The row that the file is for; raises NotWanted, which names what it is and what the lock wants."""
    rows = tuple(candidates)
    named = [one for one in rows if one.row.file == found.name]
    same = named or [one for one in rows if one.row.component == found.component]
    for one in same:
        if _fits(found, one):
            return one.row
    raise _not_wanted(found, tuple(named) or rows)


def _together(by_name: Said, inside: Said) -> Said:
    package = inside.package if inside.package not in (None, "cann") else by_name.package
    if by_name.package in ("bundle", "mcu") or package is None:
        package = by_name.package or inside.package
    return Said(
        package,
        by_name.version or inside.version,
        by_name.family or inside.family,
        inside.arch or by_name.arch,
        inside.distribution or by_name.distribution,
    )


def _refuse_contradiction(path: Path, by_name: Said, inside: Inside) -> None:
    told = inside.said
    if by_name.is_empty or told.is_empty:
        return
    if not _same_package(by_name.package, told.package):
        raise _contradicts(path, by_name.package, told.package, inside)
    if by_name.distribution and told.distribution and by_name.distribution != told.distribution:
        raise _contradicts(path, by_name.distribution, told.distribution, inside)
    if by_name.version and told.version and not _same_version(by_name, by_name.version, told.version):
        raise _contradicts(path, by_name.version, told.version, inside)
    if by_name.arch and told.arch and by_name.arch != told.arch:
        raise _contradicts(path, by_name.arch, told.arch, inside)


def _contradicts(path: Path, name: str | None, content: str | None, inside: Inside) -> Unfit:
    return Unfit(
        say(
            "its name says {name}, and {record} inside says {content}",
            name=name,
            content=content,
            record=inside.record or "scene.info",
        ),
        where=str(path),
        hint=say("give it the name it was published under, or get the right file"),
    )


def _same_package(name: str | None, content: str | None) -> bool:
    if content is None or name == content:
        return True
    if content == "cann":
        return name in _OF_CANN
    return False


def _same_version(said: Said, name: str, content: str) -> bool:
    left, right = _version(said, name), _version(said, content)
    return name == content or (left is not None and right is not None and right.belongs_to(left))


def _version(said: Said, text: str) -> Version | None:
    try:
        return pep440(text) if said.package == "pip" else vendor(text)
    except InvalidVersion:
        return None


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
    version = _version(said, text)
    return text == row.version or (version is not None and version == _version(said, row.version))


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


def shown(found: Recognised) -> str:
    """What the file is, in the words of the field: `driver 25.5.0 910B aarch64`."""
    said = found.said
    name = said.distribution if said.package == "pip" else said.package
    parts = (name, said.version, said.family, said.arch)
    return " ".join(one for one in parts if one) or found.name


def described(row: Artefact) -> str:
    """What a row wants: `driver 25.5.0 aarch64 (Ascend-hdk-...run)`."""
    text = " ".join(one for one in (row.name, row.version, row.arch) if one)
    return f"{text} ({row.file})" if row.file else text
