"""`doctor --share`: a diagnosis fit to leave the house, by the same rules and under the same key as a shared snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ascendenv.facts.unknown import known

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascendenv.collect.redaction import Redactor
    from ascendenv.facts.model import HostFacts
    from ascendenv.report.record import DiagnosisRecord, FindingRecord, ReplacedRecord

__all__ = ["Personal", "personal_in", "shared"]

T = TypeVar("T")

_FOREIGN = ("title", "observed", "expected", "evidence", "why", "fix")
"""Fields of a finding that may quote the machine; ids, causes and sources are ours."""
_LISTS = ("skipped", "waived", "expired_waivers", "unused_waivers", "live")


@dataclass(frozen=True)
class Personal:
    """The names of hosts and people of a box with their kind (`host`, `user`), and pseudonyms of an earlier pass."""

    names: Mapping[str, str]
    pseudonyms: frozenset[str] = frozenset()


def personal_in(facts: HostFacts, snapshot: Mapping[str, Any] | None = None) -> Personal:
    """What is personal in the facts of a box and in the records of its snapshot."""
    from ascendenv.collect.redaction import REDACTION, names_of

    user = known(facts.user)
    told = {
        "process": {
            "environ": dict(known(facts.environment) or {}),
            "user": None if user is None else user.name,
            "groups": [] if user is None else list(user.groups or ()),
        }
    }
    names = {**names_of(told), **names_of(snapshot or {})}
    listed = (snapshot or {}).get(REDACTION)
    earlier = frozenset(str(one["pseudonym"]) for one in (listed or {}).get("replaced", ()))
    return Personal({name: kind for name, kind in names.items() if name not in earlier}, earlier)


def shared(record: DiagnosisRecord, personal: Personal, key: bytes) -> DiagnosisRecord:
    """The record under pseudonyms, with a list of what was replaced."""
    from ascendenv.collect.pseudonyms import Pseudonyms
    from ascendenv.collect.redaction import Redactor

    pseudonyms = Pseudonyms(key, personal.pseudonyms)
    redactor = Redactor(pseudonyms, personal.names)
    clean = dict(record)
    clean["findings"] = [_finding(one, redactor) for one in record["findings"]]
    for name in _LISTS:
        if name in clean:
            clean[name] = _clean(clean[name], redactor)
    replaced: list[ReplacedRecord] = [
        {"kind": kind, "pseudonym": name, "count": count}
        for (kind, name), count in sorted(pseudonyms.counts.items())
    ]
    clean["redaction"] = {"key": pseudonyms.key_id, "replaced": replaced}
    return cast("DiagnosisRecord", clean)


def _finding(one: FindingRecord, redactor: Redactor) -> FindingRecord:
    foreign = {name: _clean(value, redactor) for name, value in one.items() if name in _FOREIGN}
    return cast("FindingRecord", {**one, **foreign})


def _clean(value: T, redactor: Redactor) -> T:
    """The same data; keys are ours and stay."""
    cleaned: Any = value
    if isinstance(value, str):
        cleaned = redactor.text(value)
    elif isinstance(value, list):
        cleaned = [_clean(one, redactor) for one in value]
    elif isinstance(value, dict):
        cleaned = {
            name: _finding(one, redactor) if name == "finding" else _clean(one, redactor)
            for name, one in value.items()
        }
    return cast("T", cleaned)
