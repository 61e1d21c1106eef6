"""Reads `ascendenv.toml`: every mistake at once, each with file, line, key and the nearest right name."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import TYPE_CHECKING, ClassVar, cast

from ascendenv.errors import UnusableInput
from ascendenv.language import say
from ascendenv.lock.spec import Sources, Spec, StackWishes
from ascendenv.lock.toml_file import read_toml
from ascendenv.matrix.fields import decode
from ascendenv.matrix.guard import check_row
from ascendenv.matrix.rows.base import Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.yaml_file import Mistake, YamlFile
    from ascendenv.versions import Version, VersionRange

__all__ = ["ONLY", "SPEC", "SpecMistakes", "read_spec"]

SPEC = "ascendenv.toml"
ONLY = "default"
"""The name of the stack of a file that has a single [stack]."""

_TAKEN = {"torch": "torch", "torch-npu": "torch_npu"}
"""Distributions that the matrix chooses, and the key that steers the choice."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class SpecMistakes(UnusableInput):
    """A spec that holds mistakes; all of them are in `mistakes`."""

    code: ClassVar[str] = "spec-mistakes"

    def __init__(self, path: str, mistakes: Sequence[Mistake]) -> None:
        lines = "\n".join(str(one) for one in mistakes)
        super().__init__(
            say("{count} mistakes in the wishes:\n{lines}", count=len(mistakes), lines=lines), where=path
        )
        self.mistakes = tuple(mistakes)


@dataclass(frozen=True, kw_only=True)
class _Root(Row):
    """The keys of the file itself; what is inside is checked apart."""

    stack: dict[str, object]
    sources: dict[str, object] | None = None


def read_spec(path: Path, matrix: Matrix) -> Spec:
    """The wishes in that file, chips and products by names that `matrix` knows; raises SpecMistakes."""
    if not path.exists():
        raise UnusableInput(
            say("there are no wishes here"),
            where=str(path),
            hint=say('write {file}: [stack] with chip = "910B3" and arch = ["aarch64"] is enough', file=SPEC),
        )
    file = read_toml(path, str(path))
    data = cast("dict[str, object]", file.data or {})
    if not file.mistakes:
        check_row(_Root, file, (), data)
    tables = _stacks(file, data)
    for place, table in tables.values():
        _check_stack(file, place, table, matrix)
    if isinstance(data.get("sources"), dict):
        check_row(Sources, file, ("sources",), _table(data, "sources"))
    if file.mistakes:
        ordered = sorted(file.mistakes, key=lambda one: one.line)
        raise SpecMistakes(str(path), ordered)
    return Spec(
        stacks={name: decode(StackWishes, table) for name, (_, table) in sorted(tables.items())},
        sources=decode(Sources, _table(data, "sources")),
    )


Place = tuple["str | int", ...]
Table = "Mapping[str, object]"


def _table(data: Mapping[str, object], name: str) -> dict[str, object]:
    return cast("dict[str, object]", data.get(name) or {})


def _stacks(file: YamlFile, data: Mapping[str, object]) -> dict[str, tuple[Place, dict[str, object]]]:
    """The tables of the stacks with their places, by name."""
    found = _table(data, "stack") if isinstance(data.get("stack"), dict) else {}
    known = {one.name for one in fields(StackWishes)}
    single = any(not isinstance(one, dict) for one in found.values()) or (
        bool(found) and found.keys() <= known
    )
    if single:
        return {ONLY: (("stack",), found)}
    if not found and isinstance(data.get("stack"), dict):
        file.complain(("stack",), say("there is no stack here"))
    for name in found:
        if _NAME.fullmatch(name) is None:
            file.complain(
                ("stack", name),
                say("the name of a stack is made of letters, digits, dots, dashes and underscores"),
            )
    return {name: (("stack", name), cast("dict[str, object]", table)) for name, table in found.items()}


def _check_stack(file: YamlFile, place: Place, table: dict[str, object], matrix: Matrix) -> None:
    before = len(file.mistakes)
    check_row(StackWishes, file, place, table)
    _check_names(file, place, table, matrix)
    if "chip" not in table and "product" not in table:
        file.complain(
            place, say("name the chip or the product: the ops package and the firmware depend on it")
        )
    arch = table.get("arch")
    if arch == [] or (isinstance(arch, list) and len(set(map(str, arch))) < len(arch)):
        file.complain((*place, "arch"), say("name aarch64, x86_64 or both, each once"))
    if len(file.mistakes) == before:
        _check_requirements(file, place, cast("list[str]", table.get("pip", [])))
        _check_variables(file, place, cast("dict[str, str]", table.get("env", {})))
        _check_interpreters(file, place, decode(StackWishes, table))


def _check_names(file: YamlFile, place: Place, table: Mapping[str, object], matrix: Matrix) -> None:
    chip, product = table.get("chip"), table.get("product")
    if isinstance(chip, str) and matrix.find_chip(chip) is None:
        called = [name for one in matrix.names.all_chips() for name in (one.name, *one.aliases)]
        _complain_of_name(file, (*place, "chip"), chip, called)
    if isinstance(product, str) and matrix.find_product(product) is None:
        called = [name for one in matrix.products.values() for name in (one.name, *one.aliases)]
        _complain_of_name(file, (*place, "product"), product, called)


def _complain_of_name(file: YamlFile, place: Place, name: str, called: Iterable[str]) -> None:
    shown = {one.lower(): one for one in called}
    near = get_close_matches(name.lower(), shown, n=1, cutoff=0.4)
    if near:
        file.complain(
            place,
            say("the matrix does not know {name}; the nearest is {near}", name=name, near=shown[near[0]]),
        )
    else:
        file.complain(place, say("the matrix does not know {name}", name=name))


def _check_requirements(file: YamlFile, place: Place, texts: Sequence[str]) -> None:
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    for number, text in enumerate(texts):
        name = canonicalize_name(Requirement(text).name)
        if name in _TAKEN:
            words = say("{name} is chosen with CANN: wish it with the key {key}", name=name, key=_TAKEN[name])
            file.complain((*place, "pip", number), words)


def _check_variables(file: YamlFile, place: Place, env: Mapping[str, str]) -> None:
    for name in env:
        if _VARIABLE.fullmatch(name) is None:
            file.complain((*place, "env", name), say("this is no name of an environment variable"))


def _check_interpreters(file: YamlFile, place: Place, wishes: StackWishes) -> None:
    here = (*place, "interpreter")
    if not wishes.interpreter:
        return
    if len({one.version for one in wishes.interpreter}) > 1:
        file.complain(here, say("all interpreters of a stack must have one version"))
    elif sorted(one.arch for one in wishes.interpreter) != sorted(wishes.arch):
        file.complain(here, say("there must be one interpreter for each architecture of the stack"))
    elif not _is_wished(wishes.python, wishes.interpreter[0].version):
        words = say(
            "the interpreter is Python {version}, which python = {wish} leaves out",
            version=wishes.interpreter[0].version,
            wish=repr(str(wishes.python)),
        )
        file.complain(here, words)


def _is_wished(wish: VersionRange | None, version: Version) -> bool:
    if wish is None or wish.contains(version):
        return True
    return wish.exact is not None and version.release[: len(wish.exact.release)] == wish.exact.release
