"""JUnit XML: the structure that CI systems agree on, checked element by element."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from tests.report.diagnoses import CASES
from tests.report.rules import rules

from ascendenv.doctor.finding import Severity
from ascendenv.report.junit import junit_of
from ascendenv.report.record import reviewed_record

# What the schemas of Jenkins' xunit plug-in and of Ant's JUnit task have in common.
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase", "system-out", "system-err"},
    "properties": {"property"},
    "property": set(),
    "testcase": {"skipped", "error", "failure", "system-out", "system-err"},
    "failure": set(),
    "skipped": set(),
    "system-out": set(),
}
REQUIRED = {
    "testsuites": {"name", "tests", "failures", "errors", "skipped"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped"},
    "property": {"name", "value"},
    "testcase": {"name", "classname"},
    "failure": {"message", "type"},
    "skipped": {"message"},
}


def document(name: str, fail_on: Severity | None = Severity.ERROR) -> ET.Element:
    return ET.fromstring(junit_of(reviewed_record(CASES[name]), rules(), fail_on))  # noqa: S314  (our own)


def outcomes(name: str, fail_on: Severity | None = Severity.ERROR) -> dict[str, str]:
    cases = document(name, fail_on).iter("testcase")
    return {one.attrib["name"].split()[0]: " ".join(child.tag for child in one) for one in cases}


@pytest.mark.parametrize("name", CASES)
def test_the_structure_is_junit(name: str, language: str) -> None:
    for element in document(name).iter():
        assert {child.tag for child in element} <= CHILDREN[element.tag]
        assert REQUIRED.get(element.tag, set()) == set(element.attrib)
        assert (
            len([child for child in element if child.tag in ("skipped", "failure")]) <= 1
            or element.tag != "testcase"
        )


@pytest.mark.parametrize("name", CASES)
def test_counts_are_those_of_the_elements(name: str) -> None:
    root = document(name)
    (suite,) = root

    for element in (root, suite):
        assert int(element.attrib["tests"]) == len(suite.findall("testcase"))
        assert int(element.attrib["failures"]) == len(suite.findall("testcase/failure"))
        assert int(element.attrib["skipped"]) == len(suite.findall("testcase/skipped"))
        assert element.attrib["errors"] == "0"


def test_each_check_is_one_test_of_its_family() -> None:
    cases = list(document("broken").iter("testcase"))

    assert [one.attrib["classname"] for one in cases] == [f"ascendenv.{rule.family}" for rule in rules()]
    assert len({one.attrib["name"] for one in cases}) == len(cases)


@pytest.mark.parametrize(
    ("name", "fail_on", "expected"),
    [
        (
            "broken",
            Severity.ERROR,
            {"TOR001": "failure", "DEV001": "system-out", "HCC001": "skipped", "DRV001": ""},
        ),
        ("broken", Severity.WARNING, {"TOR001": "failure", "DEV001": "failure", "HCC001": "skipped"}),
        ("broken", None, {"TOR001": "system-out", "DEV001": "system-out"}),
        ("reviewed", Severity.WARNING, {"TOR001": "failure", "DEV001": "skipped", "SYS009": ""}),
        ("healthy", Severity.ERROR, {"TOR001": "", "HCC001": "skipped"}),
    ],
)
def test_what_fails_is_what_makes_the_exit_code(
    name: str, fail_on: Severity | None, expected: dict[str, str]
) -> None:
    found = outcomes(name, fail_on)

    assert {id_: found[id_] for id_ in expected} == expected


def test_a_failure_carries_proof_and_commands() -> None:
    failure = document("broken").find("testcase/failure") or document("broken").find(".//failure")

    assert failure is not None
    assert failure.attrib["type"] == "error.torch-npu-torch-mismatch"
    assert "report:3  [pip3] torch==2.9.0" in (failure.text or "")
    assert "\n$ python3 -m pip install" in (failure.text or "")


def test_hostile_text_is_text() -> None:
    text = junit_of(reviewed_record(CASES["hostile"]), rules())

    assert "<script" not in text
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e\ud800]", text)
    failure = ET.fromstring(text).find(".//failure")  # noqa: S314
    assert failure is not None
    assert r"\x1b[31m\x00\u202eexe" in (failure.text or "")


def test_there_are_no_times() -> None:
    assert not {"time", "timestamp"} & {name for one in document("broken").iter() for name in one.attrib}
