"""The answers of `ascendenv lock` as plain data: what `--format json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from ascendenv.lock.digest import digest, part_digest, stack_digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ascendenv.language import Message
    from ascendenv.lock.changes import Change
    from ascendenv.lock.check import Difference
    from ascendenv.lock.explain import Explanation
    from ascendenv.lock.model import Lock, Stack

__all__ = ["check_record", "explanation_record", "lock_record"]

SCHEMA_VERSION = 1


class ChangeRecord(TypedDict):
    """One thing that differs; `arch` is null where it differs on all."""

    stack: str
    part: str
    what: str
    direction: str
    before: str | None
    after: str | None
    arch: str | None


class StackRecord(TypedDict):
    """One stack of the lock."""

    name: str
    digest: str
    parts: dict[str, str]
    level: str
    arch: list[str]
    versions: dict[str, str]
    files: int
    unverified: list[str]
    unknown: list[str]


class LockRecord(TypedDict):
    """The answer of `lock` and `lock --adopt`."""

    schema_version: int
    lock: str
    digest: str
    written: list[str]
    changes: list[ChangeRecord]
    stacks: list[StackRecord]


class DifferenceRecord(TypedDict):
    """One thing that a new lock would have otherwise."""

    stack: str
    message: str
    harmless: bool


class CheckRecord(TypedDict):
    """The answer of `lock --check`."""

    schema_version: int
    lock: str
    follows: bool
    differences: list[DifferenceRecord]


class RelationRecord(TypedDict):
    """One relation."""

    kind: str
    between: list[str]
    level: str
    why: str
    sources: list[str]


class RejectedRecord(TypedDict):
    """A newer version that was not taken."""

    version: str
    why: str
    sources: list[str]


class ComponentRecord(TypedDict):
    """Why a component has its version."""

    component: str
    version: str
    wish: str | None
    relations: list[RelationRecord]
    rejected: list[RejectedRecord]
    more: int


class ExplainedRecord(TypedDict):
    """One stack, explained; `requires` is what its pip set was resolved from."""

    name: str
    components: list[ComponentRecord]
    requires: list[str]


class ExplanationRecord(TypedDict):
    """The answer of `lock --explain`."""

    schema_version: int
    lock: str
    stacks: list[ExplainedRecord]


def lock_record(path: str, lock: Lock, changes: Iterable[Change], written: Iterable[str]) -> LockRecord:
    """What was locked, and what changed."""
    return {
        "schema_version": SCHEMA_VERSION,
        "lock": path,
        "digest": digest(lock),
        "written": list(written),
        "changes": [_change(one) for one in changes],
        "stacks": [_stack(one) for one in lock.stacks],
    }


def check_record(path: str, differences: Iterable[Difference]) -> CheckRecord:
    """Whether the lock still follows."""
    found = list(differences)
    return {
        "schema_version": SCHEMA_VERSION,
        "lock": path,
        "follows": all(one.harmless for one in found),
        "differences": [
            {"stack": one.stack, "message": str(one.message), "harmless": one.harmless} for one in found
        ],
    }


def explanation_record(path: str, stacks: Mapping[Stack, Iterable[Explanation]]) -> ExplanationRecord:
    """Why each version was taken, in the active language."""
    return {
        "schema_version": SCHEMA_VERSION,
        "lock": path,
        "stacks": [
            {
                "name": stack.name,
                "components": [_component(one) for one in some],
                "requires": list(stack.requires),
            }
            for stack, some in stacks.items()
        ],
    }


def _change(change: Change) -> ChangeRecord:
    return {
        "stack": change.stack,
        "part": change.part,
        "what": change.what,
        "direction": change.direction,
        "before": change.before,
        "after": change.after,
        "arch": change.arch,
    }


def _stack(stack: Stack) -> StackRecord:
    files = stack.artefacts()
    return {
        "name": stack.name,
        "digest": stack_digest(stack),
        "parts": {one.name: part_digest(one, stack) for one in stack.parts},
        "level": stack.level,
        "arch": list(stack.arch),
        "versions": {name: text for part in stack.parts for name, text in part.values},
        "files": len(files),
        "unverified": [one.file or one.name for one in files if not one.is_verified],
        "unknown": list(stack.unknown),
    }


def _component(one: Explanation) -> ComponentRecord:
    return {
        "component": one.component,
        "version": one.version,
        "wish": one.wish,
        "relations": [
            {
                "kind": relation.kind,
                "between": list(relation.between),
                "level": str(relation.level),
                "why": str(relation.why),
                "sources": list(relation.sources),
            }
            for relation in one.relations
        ],
        "rejected": [_rejected(each.version, each.why, each.sources) for each in one.rejected],
        "more": one.more,
    }


def _rejected(version: str, why: Message, sources: Iterable[str]) -> RejectedRecord:
    return {"version": version, "why": str(why), "sources": list(sources)}
