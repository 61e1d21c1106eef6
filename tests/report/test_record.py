"""The record of a diagnosis follows its published schema."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from ascendenv.report.record import record_of
from tests.report.diagnoses import BROKEN, HEALTHY, NOTHING, UNDECIDED

SCHEMA = json.loads(
    (Path(__file__).resolve().parents[2] / "docs" / "schemas" / "doctor.schema.json").read_text()
)


@pytest.mark.parametrize(
    ("name", "verdict"),
    [("BROKEN", "problems"), ("UNDECIDED", "problems"), ("HEALTHY", "healthy"), ("NOTHING", "unknown")],
)
def test_a_record_follows_the_schema(name: str, verdict: str) -> None:
    diagnosis = {"BROKEN": BROKEN, "UNDECIDED": UNDECIDED, "HEALTHY": HEALTHY, "NOTHING": NOTHING}[name]

    record = record_of(diagnosis)

    jsonschema.validate(json.loads(json.dumps(record)), SCHEMA)
    assert record["verdict"] == verdict


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
