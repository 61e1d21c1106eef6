"""The facts of real reports against what their readers noted: a fact in the text is the truth, a note may be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.facts.shown import shown

from ascendenv.facts.text import facts_of

CASES = Path(__file__).parents[3] / "shared" / "cases"
NAMES = ("driver", "cann", "torch", "torch_npu", "python", "chip", "arch")

EXPLAINED = {
    ("case-091", "torch"): "the list in the report says 2.7.1",
    ("case-091", "torch_npu"): "the list in the report says 2.7.1rc1",
    ("case-091", "chip"): "noted as the product 800T A2; the family is what follows from it",
    ("case-045", "chip"): "noted with an explanation",
    ("case-133", "chip"): "noted as npu-smi writes it; with DDR beside HBM it is the first generation",
    ("healthy-03", "chip"): "noted as npu-smi writes it, with the family behind it",
    ("healthy-17", "cann"): "noted as prose about two toolkits; the one in use is named by its folder",
}


def noted(value: str) -> str:
    """A note in the spelling of our facts."""
    word = value.split(" ", maxsplit=1)[0]
    return f"Ascend{word}" if word.startswith(("910B", "310P3", "910Pro")) and len(word) > 4 else word


def with_report() -> list[Any]:
    """The cases that quote a report; one skipped parameter where the research data are absent."""
    files = [*sorted(CASES.glob("case-*.json")), *sorted((CASES / "healthy").glob("*.json"))]
    found = [file for file in files if json.loads(file.read_text())["collect_env"]]
    return [pytest.param(file, id=file.stem) for file in found] or [
        pytest.param(None, marks=pytest.mark.skip(reason="no ../shared"))
    ]


@pytest.mark.shared
@pytest.mark.parametrize("file", with_report())
def test_the_facts_of_a_real_report_are_as_noted(file: Path) -> None:
    case: dict[str, Any] = json.loads(file.read_text())
    read = shown(facts_of(report=case["collect_env"]))

    differences = {
        name: (read[name], note)
        for name, note in case["versions"].items()
        if name in NAMES
        and name in read
        and str(read[name]).lower() != noted(note).lower()
        and (file.stem, name) not in EXPLAINED
    }
    assert differences == {}


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("case-031", {"driver": "24.1.rc1", "cann": "8.1.RC1", "torch": "2.5.1", "torch_npu": "2.5.1", "python": "3.11.11", "chip": "Ascend910B4", "libc": "2.31", "nnal_cxx_abi": 0}),
        ("case-059", {"driver": "24.1.rc3", "cann": "8.3.RC2", "torch": "2.8.0+cpu", "torch_npu": "2.8.0.post2.dev20251113", "chip": "Ascend910B4-1"}),
        ("case-081", {"cann": "8.0.RC1", "nnal": "8.0.0", "arch": "aarch64"}),
        ("case-109", {"cann": "8.0.RC3", "torch": "2.5.1", "torch_npu": "2.5.1"}),
        ("case-137", {"driver": "25.0.rc1.1", "cann": "8.3.RC2", "chip": "Ascend910B2C", "arch": "x86_64"}),
        ("case-211", {"driver": "23.0.6", "cann": "8.1.RC1", "chip": "Ascend910B4"}),
        ("healthy/healthy-17", {"cann": "8.3.rc2", "driver": "24.1.rc3", "torch_npu": "2.8.0"}),
        ("healthy/healthy-19", {"cann": "8.1.RC1", "in_container": True, "python": "3.10.17"}),
    ],
)  # fmt: skip
def test_everything_that_a_report_tells_is_found(name: str, facts: dict[str, Any]) -> None:
    file = CASES / f"{name}.json"
    if not file.exists():
        pytest.skip("no ../shared")
    read = shown(facts_of(report=json.loads(file.read_text())["collect_env"]))

    assert {key: read.get(key) for key in facts} == facts
