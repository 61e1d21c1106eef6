"""What a lock says: one or several stacks, each with its parts, and every file that is installed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from ascendenv.matrix.fields import Whole, Written
from ascendenv.matrix.rows.base import Arch, LevelName, Row

__all__ = ["PARTS", "SCHEMA", "UNVERIFIED", "Artefact", "Lock", "Part", "Reason", "Stack"]

SCHEMA = 1
"""The version of the lock's form that is written and read."""
PARTS = ("hdk", "cann", "python", "profile", "image")
"""The parts that a stack can have, in the order of the file."""
UNVERIFIED: Final = "unverified"

Component = Literal["hdk", "driver", "firmware", "toolkit", "ops", "nnal", "interpreter", "pip"]
Verified = Literal["deployer", "package index", "vendor signature", "spec", "unverified"]


def _sha256(text: str) -> str:
    if len(text) != 64 or not set(text) <= set("0123456789abcdef"):  # noqa: PLR2004
        raise ValueError("a sha256 has 64 digits from 0 to 9 and a to f")
    return text


def _file_name(text: str) -> str:
    if text in ("", ".", "..") or "/" in text or "\\" in text or not text.isprintable():
        raise ValueError("this must be the name of a file, without a folder")
    return text


def _url(text: str) -> str:
    if not text.startswith(("https://", "http://", "file://")) or not text.isprintable() or " " in text:
        raise ValueError("this must be an address that begins with https://, http:// or file://")
    return text


def _word(text: str) -> str:
    if not text or not text.isprintable() or " " in text:
        raise ValueError("this must be one word")
    return text


Word = Annotated[str, Written(_word)]
Sha256 = Annotated[str, Written(_sha256)]
FileName = Annotated[str, Written(_file_name)]
Url = Annotated[str, Written(_url)]


@dataclass(frozen=True, kw_only=True)
class Artefact(Row):
    """One file that is installed, or from which something is installed.

    `component` is `hdk` where one archive holds driver and firmware, `pip` for every wheel or source. `name` is the package: for
    wheels the normalised name of the distribution. `arch` is None where all architectures of the stack take the file.
    `file` is None where not even its name is known (a lock made from a machine); such a file cannot be fetched. `size`
    counts bytes. `verified` says who published the hash; `unverified` where nobody did, even if `sha256` is known from a
    file that the site obtained. `holds` names the packages inside an archive, `referer` the header the server asks for.
    """

    component: Component
    name: Word
    version: Word
    verified: Verified
    file: FileName | None = None
    arch: Arch | None = None
    size: Whole | None = None
    sha256: Sha256 | None = None
    urls: tuple[Url, ...] = ()
    referer: str | None = None
    holds: tuple[FileName, ...] = ()

    @property
    def is_verified(self) -> bool:
        """Whether the bytes are named by a hash that their maker published or signed."""
        return self.sha256 is not None and self.verified != UNVERIFIED

    def is_for(self, arch: str | None) -> bool:
        """Whether a machine of that architecture takes the file; every file where `arch` is None."""
        return arch is None or self.arch in (None, arch)


@dataclass(frozen=True, kw_only=True)
class Part:
    """One part of a stack: `hdk`, `cann`, `python`, `profile` or `image`.

    `values` are what it fixes, as name and text: versions (`driver`, `firmware`; `toolkit`, `ops`, `nnal`; `python`,
    `torch`, `torch_npu`), the purpose and variables of a profile (`purpose`, `env.NAME`), the base of an image (`base`).
    """

    name: str
    values: tuple[tuple[str, str], ...] = ()
    artefacts: tuple[Artefact, ...] = ()

    def value(self, name: str) -> str | None:
        """The text of that value; None where it is not known or does not belong to the part."""
        return dict(self.values).get(name)


@dataclass(frozen=True, kw_only=True)
class Reason(Row):
    """A relation of the matrix that the stack rests on; outside every digest. `between` holds texts as `cann 9.0.0`."""

    kind: str
    between: tuple[str, ...]
    level: LevelName
    source: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Stack:
    """One stack. What stands after `parts` is why it was chosen, and belongs to no digest.

    `chip` is the name of a chip or of its family, `release` the name of the HDK that driver and firmware come from,
    `matrix` the digest of the matrix that was asked, `inputs` that of all that the pip set depends on, `requires` what the pip set was resolved from (with markers where
    architectures differ), `unknown` what could not be found out, in English.
    """

    name: str
    arch: tuple[Arch, ...]
    parts: tuple[Part, ...]
    chip: str | None = None
    family: str | None = None
    product: str | None = None
    os: str | None = None
    release: str | None = None
    level: LevelName = "unknown"
    matrix: str | None = None
    inputs: str | None = None
    requires: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    unknown: tuple[str, ...] = ()

    def part(self, name: str) -> Part:
        """The part of that name; an empty one where the stack has none."""
        return next((one for one in self.parts if one.name == name), Part(name=name))

    def value(self, name: str) -> str | None:
        """The version of a component, whichever part it stands in: `driver`, `toolkit`, `torch_npu`, ..."""
        return next((text for part in self.parts if (text := part.value(name)) is not None), None)

    def artefacts(self, arch: str | None = None) -> tuple[Artefact, ...]:
        """All files, or those that a machine of that architecture takes."""
        return tuple(one for part in self.parts for one in part.artefacts if one.is_for(arch))


@dataclass(frozen=True, kw_only=True)
class Lock:
    """The stacks of a project by name, in the order of their names."""

    stacks: tuple[Stack, ...]

    def stack(self, name: str) -> Stack | None:
        """The stack of that name."""
        return next((one for one in self.stacks if one.name == name), None)

    def artefacts(self, arch: str | None = None) -> tuple[Artefact, ...]:
        """The files of all stacks, each once."""
        return tuple(dict.fromkeys(one for stack in self.stacks for one in stack.artefacts(arch)))
