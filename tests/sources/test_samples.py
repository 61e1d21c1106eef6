"""Each recorded sample against the shipped matrix: upstream says what stands, and where not, the matrix tells so."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sources.conftest import SAMPLES, reading

from ascendenv.matrix.store import shipped_matrix
from ascendenv.sources.material import read_material

DISPUTED = {
    "compatibility": {
        "torch_npu 1.5.0.post3",
        "torch_npu 2.1.0.post4",
        "torch_npu 2.11.0",
        "torch_npu 2.12.0",
    },
    "deployer": {
        "torch_npu 2.1.0.post11",
        "torch_npu 2.3.1.post5",
        "torch_npu 2.4.0.post3",
        "torch_npu 2.6.0.post6",
    },
}
"""Rows of which upstream says something else; all of them stand in contradictions.yaml or in the notes of the row."""


@pytest.mark.parametrize(
    ("kind", "sample", "statements"),
    [
        ("compatibility", "COMPATIBILITY.md", 76),
        ("compatibility", "COMPATIBILITY.en.md", 76),
        ("support", "SUPPORT.md", 18),
        ("support", "SUPPORT.en.md", 18),
        ("vllm-ascend", "versioning_policy.md", 36),
        ("deployer", "deployer", 70),
        ("deployer", "deployer/version_match.json", 36),
        ("images", "cann-OVERVIEW.md", 1),
        ("images", "cann-OVERVIEW.zh.md", 1),
        ("images", "torch_npu-OVERVIEW.md", 5),
        ("images", "cann_publish_version.json", 4),
        ("images", "build_cann_arg.json", 1),
        ("version-info", "installed", 5),
        ("index", "torch-npu.json", 7),
        ("index", "torch-npu.html", 7),
    ],
)
def test_a_sample_is_what_the_matrix_says(ascendenv: Any, kind: str, sample: str, statements: int) -> None:
    found = ascendenv("import", kind, str(SAMPLES / sample), "--format", "json").data

    assert found["read"] == statements
    assert not found["new"]
    assert not [one for one in found["changed"] if one["name"] != ["vllm-ascend"]]
    assert not [one for one in found["contradictions"] if one["differences"][0]["field"] != "sha256"]
    known = {f"{one['kind']} {one['name'][0]}" for one in found["known_contradictions"]}
    assert known <= DISPUTED.get(kind, set())


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("compatibility", "COMPATIBILITY.md", "COMPATIBILITY.en.md"),
        ("support", "SUPPORT.md", "SUPPORT.en.md"),
        ("index", "torch-npu.json", "torch-npu.html"),
    ],
)
def test_both_forms_of_a_document_say_the_same(kind: str, one: str, other: str) -> None:
    def said(sample: str) -> dict[str, object]:
        found = reading(kind, read_material(str(SAMPLES / sample)), matrix=shipped_matrix())
        return {str(two.subject): two.values for two in found.statements}

    assert said(one) == said(other)


def test_wheels_of_the_deployer_that_differ_from_those_of_the_index_are_told(ascendenv: Any) -> None:
    """The vendor's store and the index have other bytes under one name; the row of either is right for its place."""
    found = ascendenv("import", "index", str(SAMPLES / "torch-npu.json"), "--format", "json").data
    differing = {one["name"][1] for one in found["contradictions"] + found["known_contradictions"]}

    assert differing == {"2.5.1.post1"}
