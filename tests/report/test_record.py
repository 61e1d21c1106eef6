"""The record of a diagnosis follows its published schema."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from tests.report.diagnoses import BROKEN, CASES, HEALTHY

from ascendenv.report.record import record_of, reviewed_record

SCHEMA = json.loads(
    (Path(__file__).resolve().parents[2] / "docs" / "schemas" / "doctor.schema.json").read_text()
)


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("broken", "problems"),
        ("undecided", "problems"),
        ("healthy", "healthy"),
        ("nothing", "unknown"),
        ("reviewed", "problems"),
        ("hostile", "problems"),
    ],
)
def test_a_record_follows_the_schema(name: str, verdict: str, language: str) -> None:
    record = reviewed_record(CASES[name])

    jsonschema.validate(json.loads(json.dumps(record)), SCHEMA)
    assert record["verdict"] == verdict


def test_without_waivers_the_record_has_the_published_keys_only() -> None:
    record = record_of(BROKEN)

    assert list(record) == ["schema_version", "verdict", "box", "findings", "skipped", "checked"]


def test_waived_findings_stand_apart() -> None:
    record = reviewed_record(CASES["reviewed"])

    assert [one["id"] for one in record["findings"]] == ["TOR001", "TOR019"]
    assert [one["finding"]["id"] for one in record["waived"]] == ["DEV001"]
    assert record["waived"][0]["waiver"]["where"] == "waivers.yaml:1"
    assert [(one["id"], one["until"]) for one in record["expired_waivers"]] == [("TOR001", "2026-06-30")]
    assert [one["id"] for one in record["unused_waivers"]] == ["SYS009"]


def test_the_box_names_what_is_known_and_null_for_the_rest() -> None:
    assert record_of(HEALTHY)["box"] == {
        "chip": "Ascend910B3",
        "driver": "25.2.0",
        "firmware": None,
        "cann": "8.2.RC1",
        "torch": "2.9.0+cpu",
        "torch_npu": "2.7.1",
        "python": None,
        "arch": "aarch64",
        "os": "openEuler 24.03 (LTS-SP2)",
        "in_container": True,
    }
