"""Reads a lock, and distrusts it: a form that is newer, keys that are not ours, lines that were changed by hand."""

from __future__ import annotations

from dataclasses import fields
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from ascendenv.errors import UnusableInput
from ascendenv.files import write_whole
from ascendenv.language import say
from ascendenv.lock.digest import digest, part_digest, stack_digest
from ascendenv.lock.lock_text import in_order, lock_text, seal_of
from ascendenv.lock.model import PARTS, SCHEMA, Artefact, Lock, Part, Reason, Stack
from ascendenv.lock.rows import LockTable
from ascendenv.lock.toml_file import read_toml
from ascendenv.matrix.fields import decode
from ascendenv.matrix.guard import check_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from _typeshed import DataclassInstance

    from ascendenv.lock.rows import PartTable, StackTable
    from ascendenv.matrix.yaml_file import Mistake, YamlFile

__all__ = ["LockMistakes", "read_lock", "write_lock"]

T = TypeVar("T")
Place = tuple["str | int", ...]
_RELOCK = say(
    "run `ascendenv lock` to write it again from ascendenv.toml, or take it back from version control"
)


class LockMistakes(UnusableInput):
    """A lock that cannot be used as it is; everything that is wrong is in `mistakes`."""

    code: ClassVar[str] = "lock-mistakes"

    def __init__(self, path: str, mistakes: Sequence[Mistake]) -> None:
        lines = "\n".join(str(one) for one in mistakes)
        super().__init__(
            say("the lock cannot be used as it is:\n{lines}", lines=lines), where=path, hint=_RELOCK
        )
        self.mistakes = tuple(mistakes)


def read_lock(path: Path | str) -> Lock:
    """The lock in that file; raises LockMistakes, with the line of each mistake, or UnusableInput for a newer form."""
    found = Path(path)
    if not found.exists():
        raise UnusableInput(
            say("there is no lock here"), where=str(path), hint=say("run `ascendenv lock` to make one")
        )
    file = read_toml(found, str(path))
    data = cast("Mapping[str, object]", file.data or {})
    _refuse_newer(data, str(path))
    if not file.mistakes:
        check_row(LockTable, file, (), data)
        _find_edits(file, (), data)
    if file.mistakes:
        raise LockMistakes(str(path), sorted(file.mistakes, key=lambda one: one.line))
    rows = decode(LockTable, data)
    lock = Lock(stacks=tuple(_stack(name, one) for name, one in sorted(rows.stack.items())))
    _compare_digests(file, rows, lock)
    if file.mistakes:
        raise LockMistakes(str(path), file.mistakes)
    return lock


def write_lock(path: Path, lock: Lock) -> None:
    """Write the lock whole; a reader sees the old one or the new one."""
    write_whole(path, lock_text(lock).encode())


def _refuse_newer(data: Mapping[str, object], shown: str) -> None:
    schema = data.get("schema")
    if isinstance(schema, int) and not isinstance(schema, bool) and schema > SCHEMA:
        raise UnusableInput(
            say(
                "the lock has form {schema}, and this ascendenv reads up to {known}",
                schema=schema,
                known=SCHEMA,
            ),
            where=shown,
            hint=say("upgrade ascendenv with `pip install -U ascendenv`"),
        )


def _find_edits(file: YamlFile, place: Place, table: Mapping[str, object]) -> None:
    """Complain of every key of this table, and of those inside, that its seal does not know."""
    inner = {name: value for name, value in table.items() if _is_table(value) and name != "digests"}
    for name, value in inner.items():
        for where, one in _tables((*place, name), value):
            _find_edits(file, where, one)
    seal = table.get("seal")
    if isinstance(seal, str):
        own = {name: value for name, value in table.items() if name not in inner and name != "seal"}
        _compare(file, place, own, seal.split())


def _is_table(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)
    )


def _tables(place: Place, value: object) -> Iterator[tuple[Place, Mapping[str, object]]]:
    if isinstance(value, dict):
        yield place, value
    elif isinstance(value, list):
        yield from (((*place, number), one) for number, one in enumerate(value))


def _compare(file: YamlFile, place: Place, own: Mapping[str, object], sealed: list[str]) -> None:
    names, found = in_order(own), seal_of(own)
    for kind, low, high, start, end in SequenceMatcher(None, sealed, found, autojunk=False).get_opcodes():
        if kind in ("replace", "insert"):
            for name in names[start:end]:
                if file.line_of((*place, name)) not in {one.line for one in file.mistakes}:
                    file.complain((*place, name), say("this line was changed by hand"))
        if kind == "delete" or (kind == "replace" and high - low > end - start):
            file.complain((*place, "seal"), say("a line of this table was removed by hand"))


def _compare_digests(file: YamlFile, rows: LockTable, lock: Lock) -> None:
    for stack in lock.stacks:
        table = rows.stack[stack.name]
        place: Place = ("stack", stack.name)
        for part in stack.parts:
            written = cast("PartTable", getattr(table, part.name))
            _compare_digest(file, (*place, part.name, "digest"), written.digest, part_digest(part, stack))
            for arch in stack.arch:
                own = written.digests.get(arch, "")
                _compare_digest(
                    file, (*place, part.name, "digests", arch), own, part_digest(part, stack, arch)
                )
        _compare_digest(file, (*place, "digest"), table.digest, stack_digest(stack))
    _compare_digest(file, ("digest",), rows.digest, digest(lock))


def _compare_digest(file: YamlFile, place: Place, written: str, own: str) -> None:
    if written != own:
        words = say(
            "the content does not have this digest, but {digest}: something was added or removed", digest=own
        )
        file.complain(place, words)


def _stack(name: str, table: StackTable) -> Stack:
    parts = ((part, getattr(table, part)) for part in PARTS)
    return Stack(
        name=name,
        arch=table.arch,
        parts=tuple(_part(part, one) for part, one in parts if one is not None),
        chip=table.chip,
        family=table.family,
        product=table.product,
        os=table.os,
        release=table.release,
        level=table.why.level,
        matrix=table.why.matrix,
        inputs=table.why.inputs,
        requires=table.why.requires,
        reasons=tuple(_as(Reason, one) for one in table.why.relation),
        unknown=table.why.unknown,
    )


def _part(name: str, table: PartTable) -> Part:
    own = {"digest", "digests", "file", "seal", "env"}
    texts = ((one.name, getattr(table, one.name)) for one in fields(table) if one.name not in own)
    values = [(key, text) for key, text in texts if text is not None]
    for one in getattr(table, "env", ()):
        variable, _, text = one.partition("=")
        values.append((f"env.{variable}", text))
    return Part(name=name, values=tuple(values), artefacts=tuple(_as(Artefact, one) for one in table.file))


def _as(kind: type[T], row: object) -> T:
    return kind(**{one.name: getattr(row, one.name) for one in fields(cast("type[DataclassInstance]", kind))})
