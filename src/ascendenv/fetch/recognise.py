"""Recognises files that a site got: by name and content together, which must not contradict each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ascendenv.errors import UnusableInput
from ascendenv.fetch.contents import Inside, look_inside
from ascendenv.fetch.file_name import Said, clean_name, read_name
from ascendenv.language import say
from ascendenv.versions import InvalidVersion, pep440, vendor

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.matrix.model import Matrix
    from ascendenv.versions import Version

__all__ = ["Recognised", "Unfit", "recognise", "shown", "version_of"]

_COMPONENTS = {"bundle": "hdk"}
_OF_CANN = frozenset({"toolkit", "ops", "nnal", "nnae", "nnrt"})


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
    left, right = version_of(said, name), version_of(said, content)
    return name == content or (left is not None and right is not None and right.belongs_to(left))


def version_of(said: Said, text: str) -> Version | None:
    """The text as a version of the package's scheme; None where it is none."""
    try:
        return pep440(text) if said.package == "pip" else vendor(text)
    except InvalidVersion:
        return None


def shown(found: Recognised) -> str:
    """What the file is, in the words of the field: `driver 25.5.0 910B aarch64`."""
    said = found.said
    name = said.distribution if said.package == "pip" else said.package
    parts = (name, said.version, said.family, said.arch)
    return " ".join(one for one in parts if one) or found.name
