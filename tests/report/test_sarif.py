"""SARIF against the official schema of version 2.1.0, and what viewers make of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.report.diagnoses import CASES
from tests.report.rules import rules

from ascendenv.doctor.catalogue import catalogue
from ascendenv.report.record import reviewed_record
from ascendenv.report.rule import rules_of
from ascendenv.report.sarif import sarif_of

SCHEMA = json.loads((Path(__file__).parent / "standards" / "sarif-2.1.0-rtm.5.json").read_text())


def run_of(name: str, files: dict[str, str] | None = None) -> dict[str, Any]:
    document = json.loads(sarif_of(reviewed_record(CASES[name]), rules(), files))
    jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(document)
    (run,) = document["runs"]
    found: dict[str, Any] = run
    return found


@pytest.mark.parametrize("name", CASES)
def test_the_document_is_sarif(name: str, language: str) -> None:
    run = run_of(name)

    assert run["language"] == {"en": "en-US", "zh": "zh-CN"}[language]


def test_every_check_makes_a_valid_rule(language: str) -> None:
    document = json.loads(sarif_of(reviewed_record(CASES["healthy"]), rules_of(catalogue())))

    jsonschema.Draft4Validator(SCHEMA).validate(document)
    described = document["runs"][0]["tool"]["driver"]["rules"]
    assert [one["id"] for one in described] == [check.id for check in catalogue()]
    assert all(one["shortDescription"]["text"] and one["help"]["markdown"] for one in described)


def test_a_result_points_to_its_rule_and_its_line() -> None:
    run = run_of("broken", {"log": "logs/a b.log"})
    first = run["results"][0]
    place = first["locations"][0]["physicalLocation"]

    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == first["ruleId"] == "TOR001"
    assert place["artifactLocation"]["uri"] == "logs/a%20b.log"
    assert place["region"]["startLine"] == 8
    assert first["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "report"
    assert [one["level"] for one in run["results"]] == ["error", "warning", "error"]


def test_what_was_skipped_is_told() -> None:
    (invocation,) = run_of("broken")["invocations"]

    assert [one["associatedRule"]["id"] for one in invocation["toolExecutionNotifications"]] == ["HCC001"]


def test_waivers_are_suppressions_and_ended_ones_suppress_nothing() -> None:
    results = {one["ruleId"]: one["suppressions"] for one in run_of("reviewed")["results"]}

    assert results["DEV001"][0]["status"] == "accepted"
    assert "by hand" in results["DEV001"][0]["justification"]
    assert results["TOR001"][0]["status"] == "rejected"
    assert results["TOR019"] == []
    assert "suppressions" not in run_of("broken")["results"][0]


def test_fingerprints_tell_results_apart_and_stay(language: str) -> None:
    prints = [one["partialFingerprints"]["cause/v1"] for one in run_of("broken")["results"]]

    assert prints == [
        "TOR001:torch-npu-torch-mismatch:0",
        "DEV001:driver-not-loaded:0",
        "TOR019:backend-autoload-conflict:0",
    ]


def test_hostile_text_makes_no_link_and_no_control_character() -> None:
    text = sarif_of(reviewed_record(CASES["hostile"]), rules())
    (result,) = run_of("hostile")["results"]

    assert not {"\x1b", "\x00", "\u202e", "\u2028"} & set(text)
    uris = [
        place["physicalLocation"]["artifactLocation"]["uri"]
        for place in (*result["locations"], *result["relatedLocations"])
        if "physicalLocation" in place
    ]
    assert not [uri for uri in uris if uri.startswith("javascript:") or " " in uri]
