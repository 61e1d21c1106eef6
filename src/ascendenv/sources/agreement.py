"""How far a statement agrees with a row that stands, field by field.

Most fields are stated by documents: a missing one is filled in, another value contradicts, unless the same document
said so before and speaks anew. Some fields have one owner (the package index and its wheels), some only ever grow
(tags of images), some are dated (the life of a line).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from ascendenv.matrix.fields import span
from ascendenv.matrix.fit import covers
from ascendenv.versions import InvalidVersion, VersionLine, vendor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ascendenv.sources.statement import Statement

__all__ = ["Difference", "Outcome", "differences"]

Row = dict[str, object]


class Outcome(Enum):
    """What a difference means: to be written, to be judged by a person, or older than what stands."""

    CHANGED = "changed"
    CONTRADICTION = "contradiction"
    OUTDATED = "outdated"


@dataclass(frozen=True)
class Difference:
    """A field, what stands (None for nothing), what is stated, and what follows."""

    field: str
    before: object
    after: object
    outcome: Outcome


_OWNED = frozenset(
    {
        ("torch_npu", "wheels"),
        ("torch_npu", "platforms"),
        ("torch_npu", "on_index"),
        ("torch", "pythons_documented"),
    }
)
_GROWING = frozenset(
    {
        ("images", "tags"),
        ("cann", "arch"),
        ("hdk.pairs", "accepts_firmware"),
        ("hdk.pairs", "accepts_driver"),
    }
)
_DATED = frozenset({("torch", "lifecycle")})
_FIXED = frozenset({("artefacts.files", "sha256")})
"""What never changes: a file of that name with other bytes is another file, whoever says so."""
_RANKS = {"unknown": 0, "inferred": 1, "attested": 2, "official": 3}


def differences(statement: Statement, row: Row, *, is_own: bool) -> tuple[Difference, ...]:
    """Where the statement does not agree with the row; `is_own` when nobody but this document said what stands."""
    values = dict(statement.values)
    found: list[Difference] = []
    if statement.subject.kind == "torch_npu" and "basis" in values:
        found += _pairing(values, row, is_own=is_own)
        values = {key: value for key, value in values.items() if key not in ("basis", "cann")}
    part = statement.subject.part
    kind = statement.subject.kind if part is None else f"{statement.subject.kind}.{part.list}"
    for key, value in values.items():
        compare = _rule(kind, key)
        one = compare(key, row.get(key), value, is_own and (kind, key) not in _FIXED)
        if one is not None:
            found.append(one)
    return tuple(found)


def is_same(one: object, other: object) -> bool:
    """Whether two values say the same; case and the order of lists do not matter."""
    return _form(one) == _form(other)


def _form(value: object) -> str:
    if isinstance(value, list):
        return json.dumps(sorted(_form(one) for one in value))
    if isinstance(value, dict):
        return json.dumps({key: _form(one) for key, one in sorted(value.items())})
    return value.strip().casefold() if isinstance(value, str) else json.dumps(value)


def _rule(kind: str, key: str) -> Callable[[str, object, object, bool], Difference | None]:
    if (kind, key) in _OWNED:
        return _owned
    if (kind, key) in _GROWING:
        return _growing
    return _dated if (kind, key) in _DATED else _stated


def _stated(key: str, before: object, after: object, is_own: bool) -> Difference | None:
    if is_same(before, after):
        return None
    outcome = Outcome.CHANGED if before is None or is_own else Outcome.CONTRADICTION
    return Difference(key, before, after, outcome)


def _owned(key: str, before: object, after: object, is_own: bool) -> Difference | None:
    del is_own
    return None if is_same(before, after) else Difference(key, before, after, Outcome.CHANGED)


def _growing(key: str, before: object, after: object, is_own: bool) -> Difference | None:
    """Only what is new counts: no such list claims to be complete."""
    del is_own
    known = before if isinstance(before, list) else []
    stated = after if isinstance(after, list) else []
    added = [one for one in stated if not any(is_same(one, other) for other in known)]
    return Difference(key, before, [*known, *added], Outcome.CHANGED) if added else None


def _dated(key: str, before: object, after: object, is_own: bool) -> Difference | None:
    """The later word counts; the day alone is no difference."""
    del is_own
    old, new = _mapping(before), _mapping(after)
    if is_same({**old, "as_of": ""}, {**new, "as_of": ""}):
        return None
    is_older = str(new.get("as_of", "")) < str(old.get("as_of", ""))
    return Difference(key, before, after, Outcome.OUTDATED if is_older else Outcome.CHANGED)


def _pairing(values: Mapping[str, object], row: Row, *, is_own: bool) -> Iterator[Difference]:
    """The CANN of a torch_npu together with how well it is known: better knowledge confirms a guess it lies within."""
    before, after = _listed(row.get("cann")), _listed(values.get("cann"))
    is_better = _RANKS[str(values["basis"])] > _RANKS.get(str(row.get("basis")), 0)
    within = all(any(_covers(known, one) for known in before) for one in after)
    if before and not within:
        outcome = Outcome.CHANGED if is_own else Outcome.CONTRADICTION
        yield Difference("cann", list(before), list(after), outcome)
        return
    if not before or (is_better and not is_same(list(before), list(after))):
        yield Difference("cann", list(before) or None, list(after), Outcome.CHANGED)
    if is_better:
        yield Difference("basis", row.get("basis"), values["basis"], Outcome.CHANGED)


def _covers(known: str, version: str) -> bool:
    try:
        wanted = span(known)
        return (
            wanted.contains(vendor(version))
            if isinstance(wanted, VersionLine)
            else covers(wanted, vendor(version))
        )
    except InvalidVersion:
        return False


def _listed(value: object) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, list) else ()


def _mapping(value: object) -> Row:
    return dict(value) if isinstance(value, dict) else {}
