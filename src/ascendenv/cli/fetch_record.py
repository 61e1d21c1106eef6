"""What `fetch` answers, as records for programs (`--format json`)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypedDict

from ascendenv.fetch.bundle import open_bundle
from ascendenv.fetch.goal import goals_of
from ascendenv.fetch.manifest import vouched_by
from ascendenv.fetch.wanted import described
from ascendenv.lock.digest import digest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ascendenv.fetch.adding import Addition
    from ascendenv.fetch.bundle import Bundle
    from ascendenv.fetch.fetching import Fetched, Order
    from ascendenv.fetch.goal import Goal
    from ascendenv.fetch.parallel import Brought
    from ascendenv.fetch.verify import Checked
    from ascendenv.lock.model import Artefact

__all__ = [
    "AddedRecord",
    "AdditionRecord",
    "CheckRecord",
    "FetchRecord",
    "FileRecord",
    "PlanRecord",
    "addition_of",
    "check_of",
    "plan_of",
    "print_json",
    "record_of",
]

SCHEMA_VERSION = 1


class FileRecord(TypedDict):
    """A file of the lock."""

    file: str | None
    what: str
    size: int | None
    sha256: str | None
    verified: str
    consent: bool
    path: str | None
    error: str | None


class FetchRecord(TypedDict):
    """What a fetch came to; `whole` is true where nothing is missing."""

    schema_version: int
    bundle: str
    archive: str | None
    whole: bool
    here: list[FileRecord]
    failed: list[FileRecord]
    unobtainable: list[FileRecord]
    removed: int


class PlanRecord(TypedDict):
    """What a fetch would do."""

    schema_version: int
    bundle: str
    here: list[FileRecord]
    to_fetch: list[FileRecord]
    unobtainable: list[FileRecord]
    size: int


class AddedRecord(TypedDict):
    """A file that was added."""

    file: str
    what: str
    sha256: str
    size: int
    verified: str
    signed_by: str | None
    revocation_checked: bool


class AdditionRecord(TypedDict):
    """What adding came to."""

    schema_version: int
    bundle: str
    added: list[AddedRecord]
    skipped: list[dict[str, str]]
    digest_before: str
    digest: str


class CheckRecord(TypedDict):
    """What checking a bundle came to; `missing` are files that the lock wants."""

    schema_version: int
    bundle: str
    whole: bool
    files: int
    size: int
    flaws: list[dict[str, str]]
    unlisted: list[str]
    missing: list[FileRecord]


def print_json(record: object) -> None:
    """The record as one JSON document."""
    print(json.dumps(record, ensure_ascii=False, indent=2))


def record_of(fetched: Fetched, archive: Path | None) -> FetchRecord:
    """The record of a fetch."""
    here = [one for one in fetched.brought if one.sha256 is not None]
    return {
        "schema_version": SCHEMA_VERSION,
        "bundle": str(fetched.bundle.root),
        "archive": str(archive) if archive is not None else None,
        "whole": not fetched.failed and not fetched.unobtainable,
        "here": [_brought(one, fetched) for one in here],
        "failed": [_brought(one, fetched) for one in fetched.failed],
        "unobtainable": [_brought(one, fetched) for one in fetched.unobtainable],
        "removed": fetched.removed,
    }


def plan_of(order: Order) -> PlanRecord:
    """What the fetch would do, without asking anybody."""
    from ascendenv.fetch.fetching import rows_of

    bundle = open_bundle(order.root)
    goals = goals_of(rows_of(order), order.places)
    here = [one for one in goals if _is_here(one, bundle)]
    away = [one for one in goals if one not in here]
    known = [one for one in away if one.urls or (one.first.component == "pip" and one.first.file)]
    return {
        "schema_version": SCHEMA_VERSION,
        "bundle": str(order.root),
        "here": [_file(one.first) for one in here],
        "to_fetch": [_file(one.first) for one in known],
        "unobtainable": [_file(one.first) for one in away if one not in known],
        "size": sum(one.size or 0 for one in known),
    }


def addition_of(addition: Addition) -> AdditionRecord:
    """The record of adding."""
    return {
        "schema_version": SCHEMA_VERSION,
        "bundle": str(addition.bundle.root),
        "added": [
            {
                "file": str(one.path),
                "what": described(one.row),
                "sha256": one.row.sha256 or "",
                "size": one.row.size or 0,
                "verified": vouched_by(one.row),
                "signed_by": one.signed.by if one.signed is not None else None,
                "revocation_checked": one.signed is not None and one.signed.lists_asked,
            }
            for one in addition.added
        ],
        "skipped": [{"file": str(path), "reason": str(reason)} for path, reason in addition.skipped],
        "digest_before": addition.before,
        "digest": digest(addition.lock),
    }


def check_of(path: Path, checked: Checked, missing: Sequence[Artefact]) -> CheckRecord:
    """The record of a check."""
    flaws = [one for one in checked.flaws if one.kind != "unlisted"]
    return {
        "schema_version": SCHEMA_VERSION,
        "bundle": str(path),
        "whole": not flaws and not missing,
        "files": checked.files,
        "size": checked.size,
        "flaws": [{"path": one.path, "kind": one.kind, "message": str(one.message)} for one in flaws],
        "unlisted": [one.path for one in checked.flaws if one.kind == "unlisted"],
        "missing": [_file(one) for one in missing],
    }


def _is_here(goal: Goal, bundle: Bundle) -> bool:
    found = bundle.manifest.find(goal.first)
    known = goal.sha256 or (found.sha256 if found is not None else None)
    return known is not None and bundle.store.has(known, goal.size)


def _brought(one: Brought, fetched: Fetched) -> FileRecord:
    record = _file(one.goal.first)
    found = fetched.bundle.manifest.find(one.goal.first) if one.sha256 is not None else None
    if found is not None:
        record |= {"path": found.path, "sha256": found.sha256, "size": found.size}
    if one.error is not None:
        record["error"] = str(one.error.message)
    return record


def _file(row: Artefact) -> FileRecord:
    return {
        "file": row.file,
        "what": described(row),
        "size": row.size,
        "sha256": row.sha256,
        "verified": vouched_by(row),
        "consent": not row.is_verified,
        "path": None,
        "error": None,
    }
