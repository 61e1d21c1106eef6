"""`ascendenv matrix import` on the command line: words, records, exit codes, and what it never does unasked."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.sources.conftest import SAMPLES

from ascendenv.language import use_language

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAD = "| TorchNPU安装包版本 | GitCode分支 | PyTorch版本 | CANN版本 |\n|--|--|--|--|\n"
NEW = HEAD + "| 2.10.0 | v2.10.0-26.1.0 | 2.10.0 | CANN 9.0.0 |\n| 2.9.0 | x | 2.9.0 | CANN 9.0.0 |\n"


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    use_language("en")


@pytest.fixture
def document(tmp_path: Path) -> str:
    path = tmp_path / "COMPATIBILITY.md"
    path.write_text(NEW)
    return str(path)


def state(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_nothing_is_written_unasked(ascendenv: Any, folder: Path, document: str) -> None:
    before = state(folder)
    found = ascendenv("import", "compatibility", document, "--matrix", str(folder), "--at", "2026-11-29")
    assert found.code == 1
    assert state(folder) == before
    assert (
        found.out
        == f"""\
{document}: 2 statements, 0 of them stand in {folder} as they are.

New (2):
  torch 2.10.0
    document: {document}:3
      source: file COMPATIBILITY.md, read 2026-11-29
  torch_npu 2.10.0
    torch: 2.10.0
    product: 26.1.0
    basis: official
    cann: 9.0.0
    document: {document}:3
      source: file COMPATIBILITY.md, read 2026-11-29

Contradictions, with what stands followed until you decide (1):
  torch_npu 2.9.0
    cann: 8.5.0 -> 9.0.0
    stands: torch_npu/2.9.0.yaml:1
      source: Ascend/pytorch:COMPATIBILITY.en.md@9e73e70
      source: release note
    document: {document}:4
      source: file COMPATIBILITY.md, read 2026-11-29

Nothing was written; --write puts this into {folder}.
"""
    )


def test_written_with_source_and_day(ascendenv: Any, folder: Path, document: str) -> None:
    arguments = ("import", "compatibility", document, "--matrix", str(folder), "--write")
    found = ascendenv(*arguments, "--at", "2026-11-29", "--source", "Ascend/pytorch:COMPATIBILITY.md@abc")
    assert (found.code, found.err) == (0, "")
    assert f"Written in {folder}: torch.yaml, torch_npu/2.10.0.yaml, contradictions.yaml" in found.out
    row = (folder / "torch_npu/2.10.0.yaml").read_text()
    assert '- "Ascend/pytorch:COMPATIBILITY.md@abc, read 2026-11-29"' in row
    before = state(folder)
    again = ascendenv(*arguments, "--at", "2026-12-24")
    assert (again.code, again.err, state(folder)) == (0, "", before)
    assert "torch_npu 2.9.0: cann (torch-npu-2.9.0-cann)" in again.out


def test_a_file_is_a_poor_source(ascendenv: Any, folder: Path, document: str) -> None:
    found = ascendenv("import", "compatibility", document, "--matrix", str(folder), "--write")
    assert "--source says where it comes from" in found.err


def test_the_record(ascendenv: Any, folder: Path, document: str) -> None:
    arguments = (
        "import",
        "compatibility",
        document,
        "--matrix",
        str(folder),
        "--format",
        "json",
        "--at",
        "2026-11-29",
    )
    found = ascendenv(*arguments)
    source = "file COMPATIBILITY.md, read 2026-11-29"
    assert found.code == 1
    assert found.data == {
        "schema_version": 1,
        "kind": "compatibility",
        "document": document,
        "at": "2026-11-29",
        "matrix": str(folder),
        "read": 2,
        "agreed": 0,
        "new": [
            {
                "kind": "torch",
                "name": ["2.10.0"],
                "part": None,
                "differences": [],
                "row": {"source": [source]},
                "standing": None,
                "document": {"where": f"{document}:3", "sources": [source]},
                "known": None,
            },
            {
                "kind": "torch_npu",
                "name": ["2.10.0"],
                "part": None,
                "differences": [],
                "row": {
                    "torch": "2.10.0",
                    "product": "26.1.0",
                    "basis": "official",
                    "cann": ["9.0.0"],
                    "source": [source],
                },
                "standing": None,
                "document": {"where": f"{document}:3", "sources": [source]},
                "known": None,
            },
        ],
        "changed": [],
        "contradictions": [
            {
                "kind": "torch_npu",
                "name": ["2.9.0"],
                "part": None,
                "differences": [{"field": "cann", "before": ["8.5.0"], "after": ["9.0.0"]}],
                "row": None,
                "standing": {
                    "where": "torch_npu/2.9.0.yaml:1",
                    "sources": ["Ascend/pytorch:COMPATIBILITY.en.md@9e73e70", "release note"],
                },
                "document": {"where": f"{document}:4", "sources": [source]},
                "known": None,
            }
        ],
        "known_contradictions": [],
        "outdated": [],
        "gone": [],
        "skipped": [],
        "written": [],
    }
    assert ascendenv(*arguments, "--write").data["written"] == [
        "torch.yaml",
        "torch_npu/2.10.0.yaml",
        "contradictions.yaml",
    ]


@pytest.mark.parametrize("name", ["-", "file"])
def test_where_a_document_may_lie(
    ascendenv: Any, folder: Path, document: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(NEW.encode())))
    where = "-" if name == "-" else f"file://{document}"
    found = ascendenv("import", "compat", where, "--matrix", str(folder), "--format", "json")
    assert (found.code, found.data["read"]) == (1, 2)


def test_chinese(ascendenv: Any, folder: Path, document: str, tmp_path: Path) -> None:
    found = ascendenv("import", "compatibility", document, "--matrix", str(folder), "--lang", "zh")
    assert "新增 (2):" in found.out
    assert "矛盾" in found.out
    refused = ascendenv("import", "support", document, "--lang", "zh")
    assert "没有包含列" in refused.err


def test_control_characters_of_a_document_are_not_printed(
    ascendenv: Any, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "tags.json"
    path.write_text(json.dumps(["\x1b[31mred", "9.0.0-910b-ubuntu22.04-py3.11"]))
    found = ascendenv("import", "images", str(path), "--matrix", str(folder))
    assert "\x1b" not in found.out
    assert "red" in found.out


def test_many_parts_of_one_row_are_counted(ascendenv: Any) -> None:
    found = ascendenv("import", "index", str(SAMPLES / "torch-npu.json"))
    assert "No longer listed, left alone (60):" in found.out
    assert "and 50 more of them" in found.out


def test_without_a_checkout_there_is_nothing_to_write_to(
    ascendenv: Any, document: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("ascendenv.resources.data_folder", lambda _: str(tmp_path / "_data" / "matrix"))
    found = ascendenv("import", "compatibility", document, "--write")
    assert (found.code, "--matrix DIR" in found.err) == (2, True)
    shown = ascendenv("import", "compatibility", document)
    assert "the shipped matrix" in shown.out


def test_a_folder_that_cannot_be_written(
    ascendenv: Any, folder: Path, document: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("ascendenv.sources.writing.write_whole", refuse)
    found = ascendenv("import", "compatibility", document, "--matrix", str(folder), "--write")
    assert (found.code, "Permission denied" in found.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--matrix", "/nowhere"), "there is no such folder"),
        (("--at", "tomorrow"), "write it as 2026-11-29"),
    ],
)
def test_wrong_options(ascendenv: Any, document: str, arguments: tuple[str, ...], words: str) -> None:
    found = ascendenv("import", "compatibility", document, *arguments)
    assert (found.code, words in found.err) == (2, True)


def test_a_matrix_with_mistakes_is_not_touched(ascendenv: Any, folder: Path, document: str) -> None:
    path = folder / "cann/9.0.0.yaml"
    path.write_text(path.read_text().replace('version: "9.0.0"', "version: 9.0.0"))
    before = state(folder)
    found = ascendenv("import", "compatibility", document, "--matrix", str(folder), "--write")
    assert (found.code, "cann/9.0.0.yaml:2" in found.err) == (2, True)
    assert state(folder) == before


def test_help_needs_nothing(ascendenv: Any) -> None:
    found = ascendenv("import", "--help")
    assert found.code == 0
    for kind in ("compatibility", "support", "deployer", "images", "vllm-ascend", "version-info", "index"):
        assert kind in found.out


def test_start_up_stays_light() -> None:
    script = "import sys, ascendenv.cli.matrix; print([m for m in ('yaml', 'pydantic', 'requests', 'ascendenv.sources.comparison') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
