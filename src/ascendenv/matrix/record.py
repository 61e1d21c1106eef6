"""Answers of the matrix as plain data: what `--format json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascendenv.matrix.alternatives import Alternative
    from ascendenv.matrix.pick import Conflict
    from ascendenv.matrix.relations import Judgement
    from ascendenv.matrix.stack import Stack
    from ascendenv.versions import Version

__all__ = [
    "SCHEMA_VERSION",
    "JudgementRecord",
    "PickRecord",
    "StackRecord",
    "judgement_record",
    "pick_record",
]

SCHEMA_VERSION = 1


class RelationRecord(TypedDict):
    """One relation."""

    kind: str
    between: list[str]
    level: str
    why: str
    sources: list[str]


class ChangeRecord(TypedDict):
    """One component that has to change."""

    component: str
    before: str
    after: str


class AlternativeRecord(TypedDict):
    """A near set that works."""

    level: str
    changes: list[ChangeRecord]
    set: dict[str, str]


class JudgementRecord(TypedDict):
    """The answer of `matrix check`."""

    schema_version: int
    verdict: str
    relations: list[RelationRecord]
    unknown: list[str]
    alternatives: list[AlternativeRecord]


class StackRecord(TypedDict):
    """One stack; None where the part was neither asked for nor known."""

    level: str
    end_of_life: bool
    chip: str | None
    product: str | None
    hdk: str | None
    driver: str | None
    firmware: str | None
    cann: str
    torch: str
    torch_npu: str
    python: str
    arch: str | None
    os: str | None
    commands: list[str]


class WayOutRecord(TypedDict):
    """The best stack when one wish is dropped."""

    drop: str
    stack: StackRecord


class ConflictRecord(TypedDict):
    """The smallest set of wishes that clash."""

    wishes: dict[str, str]
    why: str
    ways_out: list[WayOutRecord]


class PickRecord(TypedDict):
    """The answer of `matrix pick`."""

    schema_version: int
    stacks: list[StackRecord]
    conflict: ConflictRecord | None


def judgement_record(judgement: Judgement, alternatives: Iterable[Alternative]) -> JudgementRecord:
    """The record of a judgement in the active language."""
    return {
        "schema_version": SCHEMA_VERSION,
        "verdict": str(judgement.verdict),
        "relations": [
            {
                "kind": one.kind,
                "between": list(one.between),
                "level": str(one.level),
                "why": str(one.why),
                "sources": list(one.sources),
            }
            for one in judgement.relations
        ],
        "unknown": [str(one) for one in judgement.unknown],
        "alternatives": [
            {
                "level": str(one.level),
                "changes": [
                    {"component": name, "before": old, "after": new} for name, old, new in one.changes
                ],
                "set": one.given.named(),
            }
            for one in alternatives
        ],
    }


def pick_record(answer: tuple[Stack, ...] | Conflict) -> PickRecord:
    """The record of what `pick` found, in the active language."""
    if isinstance(answer, tuple):
        return {"schema_version": SCHEMA_VERSION, "stacks": [_stack(one) for one in answer], "conflict": None}
    conflict: ConflictRecord = {
        "wishes": dict(answer.wishes),
        "why": str(answer.why),
        "ways_out": [{"drop": one.wish, "stack": _stack(one.stack)} for one in answer.ways_out],
    }
    return {"schema_version": SCHEMA_VERSION, "stacks": [], "conflict": conflict}


def _stack(stack: Stack) -> StackRecord:
    return {
        "level": str(stack.level),
        "end_of_life": stack.end_of_life,
        "chip": stack.chip,
        "product": stack.product,
        "hdk": stack.hdk,
        "driver": _text(stack.driver),
        "firmware": _text(stack.firmware),
        "cann": str(stack.cann),
        "torch": str(stack.torch),
        "torch_npu": str(stack.torch_npu),
        "python": str(stack.python),
        "arch": stack.arch,
        "os": stack.os,
        "commands": list(stack.commands),
    }


def _text(version: Version | None) -> str | None:
    return None if version is None else str(version)
