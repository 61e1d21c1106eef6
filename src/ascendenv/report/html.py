"""A diagnosis as one HTML file for people: no script, no outside asset, readable from disk, on paper and on a phone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ascendenv import __version__
from ascendenv.language import Message, active_language, say
from ascendenv.report.live import live_words
from ascendenv.report.printable import printable
from ascendenv.report.words import CONFIDENCES, SEVERITIES, box_words, headline, waived_until, waiver_ended

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ascendenv.report.record import DiagnosisRecord, FindingRecord, FixRecord, WaiverRecord
    from ascendenv.report.rule import Rule

__all__ = ["html_of"]

TEMPLATE = "report.html.j2"
_LANGUAGES = {"en": "en", "zh": "zh-Hans"}
_COUNTED: dict[str, Callable[[int], Message]] = {
    "error": lambda count: say("Errors: {count}", count=count),
    "warning": lambda count: say("Warnings: {count}", count=count),
    "info": lambda count: say("Advice: {count}", count=count),
}


def html_of(record: DiagnosisRecord, rules: Sequence[Rule] = (), *, day: str = "") -> str:
    """The document. `day` is shown when given, and what was replaced where the record is a shared one."""
    from jinja2 import Environment, StrictUndefined

    from ascendenv.resources import read_data

    environment = Environment(autoescape=True, undefined=StrictUndefined, finalize=_finalized)
    template = environment.from_string(read_data("templates", TEMPLATE).decode("utf-8"))
    titles = {rule.id: rule.title for rule in rules}
    verdict, tone = _verdict(record)
    text = template.render(
        words=_words(record),
        headline=verdict,
        tone=tone,
        day=day,
        live=live_words(record["live"]) if "live" in record else "",
        version=__version__,
        box=list(box_words(record["box"])),
        groups=[group for group in _groups(record) if group["findings"]],
        skipped=[(one["id"], titles.get(one["id"], ""), one["reason"]) for one in record["skipped"]],
        replaced=[
            (one["pseudonym"], one["count"]) for one in record.get("redaction", {"replaced": []})["replaced"]
        ],
    )
    return f"{text}\n"


def _finalized(value: object) -> object:
    """What a place of the template is filled with; the template escapes it afterwards."""
    return printable(str(value)) if type(value) in (str, Message) else value


def _words(record: DiagnosisRecord) -> dict[str, str | Message]:
    return {
        "lang": _LANGUAGES[active_language()],
        "title": say("Diagnosis of an Ascend machine"),
        "fix": say("To fix it"),
        "sources": say("Sources"),
        "live": say("live"),
        "skipped": say("Checks that could not run"),
        "replaced": say("Replaced by pseudonyms"),
        "counts": say(
            "{checked} checks ran, {skipped} were skipped",
            checked=record["checked"],
            skipped=len(record["skipped"]),
        ),
    }


def _verdict(record: DiagnosisRecord) -> tuple[str, str]:
    """The first thing to read, and its colour."""
    counts = Counter(one["severity"] for one in record["findings"])
    if counts:
        words = {name: word(counts[name]) for name, word in _COUNTED.items() if counts[name]}
        return " · ".join(str(word) for word in words.values()), next(iter(words))
    if record["verdict"] == "healthy":
        return str(say("Nothing wrong was found in what was given.")), "good"
    return str(say("Nothing here could be judged.")), "unknown"


def _groups(record: DiagnosisRecord) -> Iterator[dict[str, object]]:
    ended = {
        (one["id"], one["cause"]): waiver_ended(**_said(one)) for one in record.get("expired_waivers", [])
    }
    shown = [
        _finding(one, number, ended.get((one["id"], one["cause"])))
        for number, one in enumerate(record["findings"], 1)
    ]
    roots = [one for one in shown if not one["follows"]]
    others = roots[1:]
    yield {"title": say("Root cause"), "findings": roots[:1]}
    yield {"title": say("Also found"), "findings": [one for one in others if not one["possible"]]}
    yield {"title": say("It may also be"), "findings": [one for one in others if one["possible"]]}
    yield {"title": say("Follows from the above"), "findings": [one for one in shown if one["follows"]]}
    waived = [
        {**_finding(one["finding"], number, waived_until(**_said(one["waiver"]))), "severity": "unknown"}
        for number, one in enumerate(record.get("waived", []), len(shown) + 1)
    ]
    yield {"title": say("Waived, does not count"), "findings": waived}


def _said(waiver: WaiverRecord) -> dict[str, str]:
    return {"by": waiver["by"], "until": waiver["until"], "reason": waiver["reason"]}


def _finding(one: FindingRecord, number: int, waiver: Message | None) -> dict[str, object]:
    rows = (
        (say("seen"), one["observed"]),
        (say("expected"), one["expected"]),
        (say("why"), one["why"]),
        (say("sure"), CONFIDENCES[one["confidence"]]),
    )
    follows = ", ".join(one["because_of"])
    return {
        "number": number,
        "id": one["id"],
        "cause": one["cause"],
        "severity": one["severity"],
        "severity_name": SEVERITIES[one["severity"]],
        "possible": one["confidence"] == "possible",
        "title": headline(one["title"], one["confidence"]),
        "waiver": waiver,
        "follows": say("follows from {ids}", ids=follows) if follows else None,
        "rows": [(name, text) for name, text in rows if text],
        "evidence": one["evidence"],
        "fix": [_step(step) for step in one["fix"]],
        "sources": one["sources"],
    }


def _step(step: FixRecord) -> dict[str, object]:
    marks = ((say("needs root"), step["needs_root"]), (say("interrupts running jobs"), step["disruptive"]))
    return {"note": step["note"], "run": step["run"], "marks": [mark for mark, holds in marks if holds]}
