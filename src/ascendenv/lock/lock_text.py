"""The text of a lock: the same lock is the same text, and a change of one thing changes few lines.

Every table ends with a seal: for each key above it four digits of the hash of `key = value`. So a line that was changed
by hand is found and named, whatever else happened to the file. The seal is no signature.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING

from ascendenv.lock.digest import digest, part_digest, stack_digest
from ascendenv.lock.model import SCHEMA
from ascendenv.lock.toml_text import line, spread, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ascendenv.lock.model import Artefact, Lock, Part, Reason, Stack
    from ascendenv.lock.toml_text import Written

__all__ = ["in_order", "lock_text", "seal_of"]

_HEAD = """\
# Written by `ascendenv lock` from ascendenv.toml. Do not edit: change the wishes there and lock again.
"""
ORDER = (
    *("schema", "digest", "digests", "component", "name", "version", "file"),
    *("arch", "chip", "family", "product", "os", "release"),
    *("driver", "firmware", "toolkit", "ops", "nnal", "python", "torch", "torch_npu"),
    *("purpose", "env", "base", "kind", "between", "level", "matrix", "inputs", "unknown", "requires"),
    *("size", "sha256", "verified", "urls", "referer", "holds", "source"),
)
"""The order of keys in every table, and so of the checks in its seal. Tables that stand inside are no keys, and keys that are not ours come last."""

_SPREAD = frozenset({"env", "unknown", "requires", "source"})
"""Lists with one element a line."""

_PLACES = {name: place for place, name in enumerate(ORDER)}


def lock_text(lock: Lock) -> str:
    """The whole file."""
    root = _sealed((("schema", SCHEMA), ("digest", digest(lock))))
    blocks = [_HEAD + "\n".join([*root, ""])]
    for stack in lock.stacks:
        blocks += _stack(stack)
    return "\n".join(blocks)


def seal_of(values: Mapping[str, object]) -> list[str]:
    """The checks of a table's keys, in the order in which they are written."""
    return [_check(line(name, _value(values[name]))) for name in in_order(values)]


def in_order(names: Iterable[str]) -> list[str]:
    """The keys of a table as they are written."""
    return sorted(names, key=lambda name: (_PLACES.get(name, len(ORDER)), name))


def _check(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:4]


def _value(value: object) -> Written:
    """The value of a key as it is written; what TOML read as something we never write shows as its text."""
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return tuple(value)
    if isinstance(value, Mapping) and all(isinstance(one, str) for one in value.values()):
        return dict(value)
    return str(value)


def _stack(stack: Stack) -> Iterator[str]:
    path = ("stack", stack.name)
    named = ((name, getattr(stack, name)) for name in ("arch", "chip", "family", "product", "os", "release"))
    yield table(path, _sealed([("digest", stack_digest(stack)), *named]))
    for part in stack.parts:
        yield from _part((*path, part.name), part, stack)
    yield table((*path, "why"), _sealed(_why(stack)))
    for reason in stack.reasons:
        yield table((*path, "why", "relation"), _sealed(_reason(reason)), many=True)


def _part(path: tuple[str, ...], part: Part, stack: Stack) -> Iterator[str]:
    yield table(path, _sealed([*_digests(part, stack), *_values(part)]))
    for one in part.artefacts:
        yield table((*path, "file"), _sealed(_file(one)), many=True)


def _digests(part: Part, stack: Stack) -> Iterator[tuple[str, Written | None]]:
    yield "digest", part_digest(part, stack)
    yield "digests", {str(arch): part_digest(part, stack, arch) for arch in stack.arch}


def _values(part: Part) -> Iterator[tuple[str, Written]]:
    yield from ((name, text) for name, text in part.values if not name.startswith("env."))
    env = tuple(f"{name[4:]}={text}" for name, text in part.values if name.startswith("env."))
    if env:
        yield "env", env


def _file(artefact: Artefact) -> Iterator[tuple[str, Written | None]]:
    for name in ORDER:
        value = getattr(artefact, name, None)
        if value not in (None, ()):
            yield name, value


def _why(stack: Stack) -> Iterator[tuple[str, Written | None]]:
    yield "level", stack.level
    yield from (("matrix", stack.matrix), ("inputs", stack.inputs))
    yield from ((name, texts) for name in ("unknown", "requires") if (texts := getattr(stack, name)))


def _reason(reason: Reason) -> Iterator[tuple[str, Written | None]]:
    yield from (("kind", reason.kind), ("between", reason.between), ("level", reason.level))
    if reason.source:
        yield "source", reason.source


def _sealed(items: Iterable[tuple[str, Written | None]]) -> list[str]:
    present = {name: value for name, value in items if value is not None}
    lines = [(spread if name in _SPREAD else line)(name, value) for name, value in present.items()]
    return [*lines, line("seal", " ".join(seal_of(present)))]
