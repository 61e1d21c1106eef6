"""What a document says against the small matrix: new, changed, contradicting, older, gone, or nothing to say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.sources.conftest import FILES, compared, written

from ascendenv.sources.comparison import Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.sources.comparison import Comparison

HEAD = "| TorchNPU安装包版本 | GitCode分支 | PyTorch版本 | CANN版本 |\n|--|--|--|--|\n"
LIFE = "| TorchNPU软件包版本 | 当前状态 | 发布时间 | 后续状态 | EOL日期 |\n|--|--|--|--|--|\n"
POLICY = "| vLLM Ascend | vLLM | Python | Stable CANN | PyTorch/torch_npu |\n|--|--|--|--|--|\n"
STANDS = "| 2.9.0 | v2.9.0-7.3.0 | 2.9.0 | CANN 8.5.0 |\n"


def told(comparison: Comparison) -> dict[str, dict[str, object]]:
    """The findings as verdict and subject -> what differs, before and after."""
    return {
        f"{one.verdict.value} {one.subject}": {two.field: (two.before, two.after) for two in one.differences}
        for one in comparison.findings
    }


def test_what_stands_is_no_finding(folder: Path) -> None:
    found = compared("compatibility", HEAD + STANDS.replace("v2.9.0-7.3.0", "x"), folder)
    assert (found.findings, found.agreed, found.read) == ((), 1, 1)


@pytest.mark.parametrize(
    ("row", "findings"),
    [
        (
            "| 2.9.0 | v2.9.0-7.3.0 | 2.9.0 | CANN 8.5.0 |",  # the product was not known
            {"changed torch_npu 2.9.0": {"product": (None, "7.3.0")}},
        ),
        (
            "| 2.9.0 | x | 2.9.0 | CANN 9.0.0 |",  # a release note stands behind the row, too
            {"contradiction torch_npu 2.9.0": {"cann": (["8.5.0"], ["9.0.0"])}},
        ),
        (
            "| 2.9.0.post2 | x | 2.9.0 | CANN 9.0.0 |",  # what was inferred is confirmed
            {
                "changed torch_npu 2.9.0.post2": {
                    "cann": (["9.0.X"], ["9.0.0"]),
                    "basis": ("inferred", "official"),
                }
            },
        ),
        (
            "| 2.9.0.post2 | x | 2.9.0 | CANN 8.5.0 |",
            {"contradiction torch_npu 2.9.0.post2": {"cann": (["9.0.X"], ["8.5.0"])}},
        ),
        (
            "| 2.9.0 | x | 2.8.0 | CANN 8.5.0 |",
            {
                "contradiction torch_npu 2.9.0": {"torch": ("2.9.0", "2.8.0")},
                "new torch 2.8.0": {},
            },
        ),
        (
            "| 2.10.0 | x | 2.10.0 | CANN 9.1.0-beta.1 |",  # neither its torch nor its CANN has a row
            {"new torch_npu 2.10.0": {}, "new torch 2.10.0": {}, "new cann 9.1.0-beta.1": {}},
        ),
    ],
)
def test_compatibility(folder: Path, row: str, findings: dict[str, object]) -> None:
    found = compared("compatibility", HEAD + STANDS.replace("v2.9.0-7.3.0", "x") + row, folder)
    assert told(found) == findings


def test_companions_say_no_more_than_that_they_are(folder: Path) -> None:
    found = compared("compatibility", HEAD + "| 2.10.0 | x | 2.10.0 | CANN 8.2.RC1.alpha001 |\n", folder)
    rows = {str(one.subject): one.statement.row() for one in found.of(Verdict.NEW) if one.statement}
    source = ["file upstream.md, read 2026-11-29"]
    assert rows["cann 8.2.RC1.alpha001"] == {"channel": "alpha", "layout": "cann", "source": source}
    assert rows["torch 2.10.0"] == {"source": source}


def test_both_sides_are_told_with_place_and_source(folder: Path) -> None:
    source = "Ascend/pytorch:COMPATIBILITY.md@abc"
    found = compared("compatibility", HEAD + "| 2.9.0 | x | 2.9.0 | CANN 9.0.0 |\n", folder, source=source)
    (one,) = found.of(Verdict.CONTRADICTION)
    assert (one.where, one.sources) == (
        "torch_npu/2.9.0.yaml:1",
        ("Ascend/pytorch:COMPATIBILITY.en.md@9e73e70", "release note"),
    )
    assert (one.place, one.source) == ("upstream.md:3", f"{source}, read 2026-11-29")


def test_a_document_that_alone_stands_behind_a_row_may_change_its_mind(tmp_path: Path) -> None:
    alone = FILES["torch_npu/2.9.0.yaml"].replace("  - release note\n", "")
    folder = written(tmp_path, {**FILES, "torch_npu/2.9.0.yaml": alone})
    found = compared("compatibility", HEAD + "| 2.9.0 | x | 2.9.0 | CANN 9.0.0 |\n", folder)
    assert told(found) == {"changed torch_npu 2.9.0": {"cann": (["8.5.0"], ["9.0.0"])}}


def test_a_document_that_contradicts_itself(folder: Path) -> None:
    rows = "| 2.10.0 | x | 2.10.0 | CANN 9.0.0 |\n| 2.10.0 | x | 2.10.0 | CANN 8.5.0 |\n"
    found = compared("compatibility", HEAD + STANDS + rows, folder)
    (one,) = found.of(Verdict.CONTRADICTION)
    assert (one.where, one.place) == ("upstream.md:4", "upstream.md:5")
    assert told(found)["contradiction torch_npu 2.10.0"] == {"cann": (["9.0.0"], ["8.5.0"])}


def test_a_row_that_upstream_no_longer_has(folder: Path) -> None:
    found = compared("compatibility", HEAD + "| 2.9.0.post2 | x | 2.9.0 | CANN 9.0.0 |\n", folder)
    assert [str(one.subject) for one in found.of(Verdict.GONE)] == ["torch_npu 2.9.0"]
    assert all(one.verdict is not Verdict.GONE for one in found.to_write)


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        ("| 2.9.0 | 开发 | 2026/01/15 | - | - |", None),
        ("| 2.9.0 | 维护 | 2026/01/15 | - | - |", "changed"),
        ("| 2.9.0 | EOL | 2026/01/15 | - | 2026/11/01 |", "changed"),
    ],
)
def test_the_later_word_on_a_life_counts(folder: Path, row: str, verdict: str | None) -> None:
    found = compared("support", LIFE + row, folder)
    assert [one.verdict.value for one in found.findings] == ([verdict] if verdict else [])


def test_an_earlier_word_on_a_life_is_left_alone(tmp_path: Path) -> None:
    later = FILES["torch.yaml"].replace("2026-08-21", "2027-01-01")
    folder = written(tmp_path, {**FILES, "torch.yaml": later})
    found = compared("support", LIFE + "| 2.9.0 | 维护 | 2026/01/15 | - | - |", folder)
    assert [one.verdict for one in found.findings] == [Verdict.OUTDATED]
    assert not found.to_write


@pytest.mark.parametrize(
    ("tags", "findings"),
    [
        (["9.0.0-910b-ubuntu22.04-py3.11", "9.0.0-910b-openeuler24.03-py3.11"], {}),
        (
            ["9.0.0-910b-ubuntu22.04-py3.11"],
            {"gone images quay.io/ascend/cann 9.0.0": {"tags": (["9.0.0-910b-openeuler24.03-py3.11"], [])}},
        ),
        (
            [
                "9.0.0-910b-ubuntu22.04-py3.11",
                "9.0.0-910b-openeuler24.03-py3.11",
                "9.0.0-a3-ubuntu22.04-py3.11",
            ],
            {
                "changed images quay.io/ascend/cann 9.0.0": {
                    "tags": (
                        ["9.0.0-910b-openeuler24.03-py3.11", "9.0.0-910b-ubuntu22.04-py3.11"],
                        [
                            "9.0.0-910b-openeuler24.03-py3.11",
                            "9.0.0-910b-ubuntu22.04-py3.11",
                            "9.0.0-a3-ubuntu22.04-py3.11",
                        ],
                    )
                }
            },
        ),
    ],
)
def test_tags_are_added_and_never_taken_away(
    folder: Path, tags: list[str], findings: dict[str, object]
) -> None:
    assert told(compared("images", json.dumps({"name": "ascend/cann", "tags": tags}), folder)) == findings
    assert not [one for one in told(compared("images", "\n".join(tags), folder)) if one.startswith("gone")]


def deployer(sha256: str, hdk: str) -> str:
    name = "Ascend-cann-toolkit_9.0.0_linux-aarch64.zip"
    file = {"filename": name, "url": f"https://store.example/{name}", "sha256": sha256}
    return json.dumps(
        {
            "name": "CANN",
            "version": "9.0.0",
            "required_soft": [{"name": "NPU", "version": hdk}],
            "other": [file],
        }
    )


KNOWN = "d7b1fd32d60f46735b8bebed8c6238071493f8f62c385e6d7946d23a65c9780e"


def test_other_bytes_under_the_same_name_are_never_taken_over(folder: Path) -> None:
    """Not even from the source that alone stands behind the row."""
    found = told(compared("deployer", deployer("0" * 64, "25.5.1"), folder))
    name = "artefacts cann 9.0.0 Ascend-cann-toolkit_9.0.0_linux-aarch64.zip"
    assert found[f"contradiction {name}"] == {"sha256": (KNOWN, "0" * 64)}
    assert list(found[f"changed {name}"]) == ["url"]


@pytest.mark.parametrize(("hdk", "verdict"), [("25.5.1", "new"), ("25.5.X", None)])
def test_the_hdk_of_a_cann(folder: Path, hdk: str, verdict: str | None) -> None:
    if verdict is None:
        text = (
            FILES["cann/9.0.0.yaml"]
            .replace("25.5.X", "25.5.1")
            .replace("level: compatible", "level: recommended")
        )
        written(folder, {"cann/9.0.0.yaml": text})
    found = told(compared("deployer", deployer(KNOWN, "25.5.1"), folder))
    assert ("new cann 9.0.0 25.5.1" in found) is (verdict is not None)


def test_another_level_of_an_hdk_contradicts(folder: Path) -> None:
    text = FILES["cann/9.0.0.yaml"].replace("25.5.X", "25.5.1").replace("level: compatible", "level: broken")
    written(folder, {"cann/9.0.0.yaml": text})
    found = told(compared("deployer", deployer(KNOWN, "25.5.1"), folder))
    assert found["contradiction cann 9.0.0 25.5.1"] == {"level": ("broken", "recommended")}


def test_an_hdk_in_a_line_that_is_refused_contradicts(folder: Path) -> None:
    text = FILES["cann/9.0.0.yaml"].replace("level: compatible", "level: broken")
    written(folder, {"cann/9.0.0.yaml": text})
    found = compared("deployer", deployer(KNOWN, "25.5.1"), folder)
    (one,) = [one for one in found.of(Verdict.CONTRADICTION) if one.subject.kind == "cann"]
    assert (one.where, one.sources) == ("cann/9.0.0.yaml:8", ("release note of 9.0.0",))
    assert told(found)["contradiction cann 9.0.0 25.5.1"] == {"level": ("broken", "recommended")}


def test_releases_of_a_project(folder: Path) -> None:
    rows = "| v0.23.0 | v0.23.0 | >= 3.10, < 3.13 | 8.5.0 | 2.9.0 / 2.9.0 |\n| v0.24.0rc1 | v0.24.0 | >= 3.10 | 9.0.0 | 2.9.0 / 2.9.0 |"
    found = told(compared("vllm-ascend", POLICY + rows, folder))
    assert found["changed downstream vllm-ascend v0.23.0"]["cann"] == ("9.0.0", "8.5.0")
    assert "new downstream vllm-ascend v0.24.0rc1" in found
    assert "gone downstream vllm-ascend v0.20.0rc1" in found


@pytest.mark.parametrize(
    ("record", "known"),
    [
        ("torch_npu 2.9.0 and CANN 9.0.0", True),
        ("torch_npu 2.9.0.post2 and CANN 9.0.0", False),  # of another release
        ("torch_npu 2.9.0 and CANN 9.0.0.1", False),  # of another CANN
    ],
)
def test_a_contradiction_that_the_matrix_tells_of(folder: Path, record: str, known: bool) -> None:
    text = FILES["contradictions.yaml"].replace("firmware of something", record)
    written(folder, {"contradictions.yaml": text})
    found = compared("compatibility", HEAD + "| 2.9.0 | x | 2.9.0 | CANN 9.0.0 |\n", folder)
    assert [one.known for one in found.findings] == ["firmware-of-something" if known else None]
    assert bool(found.to_write) is not known


def test_notes_of_a_row_tell_of_a_contradiction(folder: Path) -> None:
    text = FILES["torch_npu/2.9.0.yaml"].replace(
        "pairing: official", "CONTRADICTION: a table says CANN 9.0.0"
    )
    written(folder, {"torch_npu/2.9.0.yaml": text})
    found = compared("compatibility", HEAD + "| 2.9.0 | x | 2.9.0 | CANN 9.0.0 |\n", folder)
    assert [one.known for one in found.findings] == ["notes"]
