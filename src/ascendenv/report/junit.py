"""A diagnosis as JUnit XML, so that a CI system shows each check as a test."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from ascendenv.doctor.finding import Severity
from ascendenv.language import say
from ascendenv.report.printable import printable
from ascendenv.report.words import CONFIDENCES, headline, waived_until

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ascendenv.report.record import DiagnosisRecord, FindingRecord
    from ascendenv.report.rule import Rule

__all__ = ["junit_of"]

SUITE = "ascendenv doctor"


def junit_of(
    record: DiagnosisRecord, rules: Sequence[Rule], fail_on: Severity | None = Severity.ERROR
) -> str:
    """The document: one test a check. One fails where a finding is at least `fail_on`; None lets none fail."""
    suite = ET.Element("testsuite", name=SUITE)
    _properties(suite, record)
    for rule in rules:
        suite.append(_case(rule, record, fail_on))
    counts = {
        "tests": len(rules),
        "failures": len(suite.findall("testcase/failure")),
        "errors": 0,
        "skipped": len(suite.findall("testcase/skipped")),
    }
    root = ET.Element("testsuites", name=SUITE)
    root.append(suite)
    for element in (root, suite):
        for name, count in counts.items():
            element.set(name, str(count))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _properties(suite: ET.Element, record: DiagnosisRecord) -> None:
    properties = ET.SubElement(suite, "properties")
    known = {name: value for name, value in record["box"].items() if value is not None}
    for name, value in {"verdict": record["verdict"], **known}.items():
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        ET.SubElement(properties, "property", name=name, value=printable(shown))


def _case(rule: Rule, record: DiagnosisRecord, fail_on: Severity | None) -> ET.Element:
    case = ET.Element("testcase", classname=f"ascendenv.{rule.family}", name=f"{rule.id} {rule.title}")
    findings = [one for one in record["findings"] if one["id"] == rule.id]
    failing = [
        one for one in findings if fail_on is not None and Severity[one["severity"].upper()] >= fail_on
    ]
    if failing:
        first = failing[0]
        failure = ET.SubElement(
            case,
            "failure",
            message=printable(headline(first["title"], first["confidence"])),
            type=f"{first['severity']}.{first['cause']}",
        )
        failure.text = _whole(failing)
    elif reason := _reason_to_skip(rule, record):
        ET.SubElement(case, "skipped", message=printable(reason))
    if rest := [one for one in findings if one not in failing]:
        ET.SubElement(case, "system-out").text = _whole(rest)
    return case


def _reason_to_skip(rule: Rule, record: DiagnosisRecord) -> str:
    for skip in record["skipped"]:
        if skip["id"] == rule.id:
            return skip["reason"]
    for one in record.get("waived", []):
        if one["finding"]["id"] == rule.id:
            waiver = one["waiver"]
            return str(waived_until(waiver["until"], waiver["by"], waiver["reason"]))
    return ""


def _whole(findings: Iterable[FindingRecord]) -> str:
    return printable("\n\n".join("\n".join(_lines(one)) for one in findings))


def _lines(one: FindingRecord) -> Iterable[str]:
    yield f"{one['severity']} {one['cause']} ({CONFIDENCES[one['confidence']]}): {one['title']}"
    for name, text in (
        (say("seen"), one["observed"]),
        (say("expected"), one["expected"]),
        (say("why"), one["why"]),
    ):
        if text:
            yield f"{name}: {text}"
    for proof in one["evidence"]:
        yield f"  {proof['where']}  {proof['text']}"
    for step in one["fix"]:
        if step["note"]:
            yield f"# {step['note']}"
        yield from (f"$ {line}" for line in step["run"].splitlines())
    if one["because_of"]:
        yield str(say("follows from {ids}", ids=", ".join(one["because_of"])))
