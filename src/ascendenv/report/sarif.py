"""A diagnosis as SARIF 2.1.0 (OASIS), for code scanning pages and editors."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote

from ascendenv import __version__
from ascendenv.language import active_language, say
from ascendenv.report.printable import json_text, printable
from ascendenv.report.words import headline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ascendenv.report.record import (
        DiagnosisRecord,
        EvidenceRecord,
        FindingRecord,
        FixRecord,
        SkipRecord,
        WaiverRecord,
    )
    from ascendenv.report.rule import Rule

    Json: TypeAlias = Mapping[str, object]

__all__ = ["sarif_of"]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_LANGUAGES = {"en": "en-US", "zh": "zh-CN"}
_LINE = re.compile(r"(?P<name>.+):(?P<line>[1-9]\d*)")
_IN_FILE = ("log", "report")


def sarif_of(record: DiagnosisRecord, rules: Sequence[Rule], files: Mapping[str, str] | None = None) -> str:
    """The document. `files` names the files behind the places `log` and `report`, where there are any."""
    run = {
        "tool": {"driver": _driver(rules)},
        "language": _LANGUAGES[active_language()],
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [_skipped(one) for one in record["skipped"]],
            }
        ],
        "properties": {"verdict": record["verdict"], "box": record["box"], "checked": record["checked"]},
        "results": list(_results(record, rules, files or {})),
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _driver(rules: Iterable[Rule]) -> Json:
    return {"name": "ascendenv", "version": __version__, "rules": [_rule(one) for one in rules]}


def _rule(rule: Rule) -> Json:
    return {
        "id": rule.id,
        "name": rule.causes[0],
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.summary or rule.title},
        "help": {"text": rule.page, "markdown": rule.page},
        "properties": {"tags": [rule.family, *rule.causes]},
    }


def _skipped(skip: SkipRecord) -> Json:
    return {
        "level": "note",
        "message": {"text": printable(skip["reason"])},
        "associatedRule": {"id": skip["id"]},
    }


def _results(record: DiagnosisRecord, rules: Sequence[Rule], files: Mapping[str, str]) -> Iterator[Json]:
    places = {rule.id: place for place, rule in enumerate(rules)}
    expired = {(one["id"], one["cause"]): one for one in record.get("expired_waivers", [])}
    found = [(one, expired.get((one["id"], one["cause"])), "rejected") for one in record["findings"]]
    found += [(one["finding"], one["waiver"], "accepted") for one in record.get("waived", [])]
    seen: Counter[str] = Counter()
    for one, waiver, status in found:
        result = _result(one, places, files)
        name = f"{one['id']}:{one['cause']}"
        result["partialFingerprints"] = {"cause/v1": f"{name}:{seen[name]}"}
        seen[name] += 1
        if "waived" in record:
            # Without the list nobody looked whether a result is suppressed; an empty one says that it is not.
            result["suppressions"] = [] if waiver is None else [_suppression(waiver, status)]
        yield result


def _result(one: FindingRecord, places: Mapping[str, int], files: Mapping[str, str]) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": one["id"],
        "level": _LEVELS[one["severity"]],
        "message": _message(one),
    }
    if one["id"] in places:
        result["ruleIndex"] = places[one["id"]]
    if locations := [_location(proof, files) for proof in one["evidence"]]:
        # Viewers show one place for a result; the others are listed beside it.
        result["locations"] = locations[:1]
        if len(locations) > 1:
            result["relatedLocations"] = [
                {"id": number, **place} for number, place in enumerate(locations[1:], 1)
            ]
    result["properties"] = {
        "cause": one["cause"],
        "confidence": one["confidence"],
        "becauseOf": one["because_of"],
        "sources": one["sources"],
    }
    return result


def _message(one: FindingRecord) -> Json:
    parts = [headline(one["title"], one["confidence"]), one["observed"]]
    parts += [
        f"{name}: {text}"
        for name, text in ((say("expected"), one["expected"]), (say("why"), one["why"]))
        if text
    ]
    text = "\n".join(part for part in parts if part)
    steps = list(_steps(one["fix"]))
    fix = [f"{say('To fix it')}:", *steps] if steps else []
    return {"text": printable("\n".join([text, *fix]))}


def _steps(fix: Iterable[FixRecord]) -> Iterator[str]:
    for step in fix:
        if step["note"]:
            yield f"# {step['note']}"
        yield from (f"$ {line}" for line in step["run"].splitlines())


def _location(proof: EvidenceRecord, files: Mapping[str, str]) -> Json:
    """A file with its line, or the command whose output was read."""
    found = _LINE.fullmatch(proof["where"])
    name = found["name"] if found else proof["where"]
    snippet = {"text": printable(proof["text"])}
    if name not in _IN_FILE and "/" not in name:
        return {"logicalLocations": [{"name": printable(name), "kind": "resource"}], "message": snippet}
    place: dict[str, object] = {"artifactLocation": {"uri": _uri(files.get(name, name))}}
    if found:
        place["region"] = {"startLine": int(found["line"]), "snippet": snippet}
        return {"physicalLocation": place}
    return {"physicalLocation": place, "message": snippet}


def _uri(path: str) -> str:
    quoted = quote(path, safe="/", errors="replace")
    return f"file://{quoted}" if path.startswith("/") else quoted


def _suppression(waiver: WaiverRecord, status: str) -> Json:
    """A suppression that is rejected, because its waiver ended, hides nothing (SARIF 2.1.0, 3.35.3)."""
    text = f"{waiver['reason']} ({waiver['by']}, {waiver['until']}, {waiver['where']})"
    return {"kind": "external", "status": status, "justification": printable(text)}
