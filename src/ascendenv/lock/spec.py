"""What people wish: the tables of `ascendenv.toml`."""

from __future__ import annotations

import re
from collections.abc import Mapping  # noqa: TC003  (pydantic and `decode` read the annotations)
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from packaging.requirements import InvalidRequirement, Requirement

from ascendenv.lock.model import FileName, Sha256, Url  # noqa: TC001  (pydantic and `decode` read the annotations)
from ascendenv.matrix.fields import PythonRange, PythonVersion, VendorRange, Whole, Written, YesNo
from ascendenv.matrix.rows.base import Arch, Row
from ascendenv.versions import VersionRange

if TYPE_CHECKING:
    from ascendenv.matrix.wishes import Wishes

__all__ = ["Interpreter", "Mirror", "Sources", "Spec", "StackWishes"]


def _requirement(text: str) -> str:
    try:
        found = Requirement(text)
    except InvalidRequirement as error:
        reason = str(error).partition("\n")[0]
        raise ValueError(f"{text!r} is no requirement such as 'transformers>=4.50': {reason}") from None
    if found.url is not None:
        raise ValueError(f"{found.name}: name a version here, and an index or a folder with it in [sources]")
    return text


def _plain_name(text: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", text) is None:
        raise ValueError(f"{text!r} must be letters, digits, dots, dashes and underscores")
    return text


def _glibc(text: str) -> str:
    if re.fullmatch(r"2\.[0-9]{1,2}", text) is None:
        raise ValueError(f"{text!r} is no glibc such as '2.28'")
    return text


def _image(text: str) -> str:
    if not text or not text.isprintable() or " " in text:
        raise ValueError(f"{text!r} names no image such as 'ubuntu:22.04'")
    return text


def _template(text: str) -> str:
    if not text.startswith(("https://", "http://", "file://")) or "{" not in text:
        raise ValueError("a mirror is an address with {path}, {file} or {sha256} in it")
    return text


@dataclass(frozen=True, kw_only=True)
class Mirror(Row):
    """Another place for files whose address begins with `prefix`; of `url` {path} is the rest, {file} the file's name."""

    prefix: Url
    url: Annotated[str, Written(_template)]


@dataclass(frozen=True, kw_only=True)
class Sources(Row):
    """Where files come from. Without `index` the machine's own index is asked, and no address of it is written down.

    `torch_index` stands in for PyTorch's index of CPU builds, `find_links` are folders or pages with wheels.
    """

    index: Url | None = None
    extra_index: tuple[Url, ...] = ()
    torch_index: Url | None = None
    find_links: tuple[str, ...] = ()
    mirrors: tuple[Mirror, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Interpreter(Row):
    """An archive with a Python of the site's choice."""

    arch: Arch
    version: PythonVersion
    file: FileName
    sha256: Sha256
    urls: tuple[Url, ...] = ()
    size: Whole | None = None


@dataclass(frozen=True, kw_only=True)
class StackWishes(Row):
    """The wishes for one stack; what is not named is chosen. `glibc` is the oldest one that the wheels must run on.

    `op_compiler` brings the Python packages along that CANN's op compiler imports. `from_source` names packages that
    have no wheel and are built where they are installed.
    """

    arch: tuple[Arch, ...]
    chip: str | None = None
    product: str | None = None
    os: str | None = None
    python: PythonRange | None = None
    driver: VendorRange | None = None
    firmware: VendorRange | None = None
    cann: VendorRange | None = None
    torch: PythonRange | None = None
    torch_npu: PythonRange | None = None
    pip: tuple[Annotated[str, Written(_requirement)], ...] = ()
    profile: Annotated[str, Written(_plain_name)] | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    image: Annotated[str, Written(_image)] | None = None
    glibc: Annotated[str, Written(_glibc)] | None = None
    op_compiler: YesNo = True
    from_source: tuple[Annotated[str, Written(_plain_name)], ...] = ()
    interpreter: tuple[Interpreter, ...] = ()

    def wishes(self, arch: str | None = None) -> Wishes:
        """What is put to the matrix, for one architecture or for any."""
        from ascendenv.matrix.wishes import Wishes

        python = self.python
        if self.interpreter:  # which fixes the version up to its last number
            front = self.interpreter[0].version.release[:2]
            python = VersionRange("==" + ".".join(str(one) for one in front) + ".*", "pep440")
        return Wishes(
            chip=self.chip,
            product=self.product,
            driver=self.driver,
            firmware=self.firmware,
            cann=self.cann,
            torch=self.torch,
            torch_npu=self.torch_npu,
            python=python,
            arch=arch,
            os=self.os,
        )


@dataclass(frozen=True, kw_only=True)
class Spec:
    """A whole file: the stacks by name, and where files come from."""

    stacks: Mapping[str, StackWishes]
    sources: Sources = field(default_factory=Sources)
