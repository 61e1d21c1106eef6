"""The contract of `ascendenv diff`: inputs, exit codes, streams, and an answer to every kind of bad input."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ascendenv.cli.run import run
from ascendenv.errors import ExitCode

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "schemas" / "diff.schema.json").read_text())
REPORT = "[pip3] torch==2.9.0\n[pip3] torch-npu==2.9.0\nnpu-smi 25.2.0 Version: 25.2.0\n"
OTHER = "[pip3] torch==2.9.0\n[pip3] torch-npu==2.7.1\nnpu-smi 25.2.0 Version: 25.2.0\n"


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """This machine, collected once."""
    path = tmp_path_factory.mktemp("snapshot") / "here.json"
    assert run(["collect", "-o", str(path)]) == ExitCode.GOOD
    return path.read_bytes()


@pytest.fixture
def files(tmp_path: Path, snapshot: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.txt").write_text(REPORT)
    (tmp_path / "same.txt").write_text(REPORT)
    (tmp_path / "b.txt").write_text(OTHER)
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(REPORT.encode(), mtime=0))
    (tmp_path / "unrelated.txt").write_text("ASCEND_LAUNCH_BLOCKING=1\n")
    (tmp_path / "here.json").write_bytes(snapshot)
    (tmp_path / "here.json.gz").write_bytes(gzip.compress(snapshot, mtime=0))
    (tmp_path / "newer.json").write_text('{"schema_version": 99, "machine": {}}')
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 64)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["a.txt", "same.txt"], ExitCode.GOOD),
        (["a.txt", "b.txt"], ExitCode.FINDINGS),
        (["a.txt.gz", "b.txt"], ExitCode.FINDINGS),
        (["a.txt", "unrelated.txt"], ExitCode.NOTHING_CHECKED),
        (["here.json", "here.json.gz"], ExitCode.GOOD),
        ([".", "here.json"], ExitCode.GOOD),
        (["a.txt", "absent"], ExitCode.UNUSABLE_INPUT),
        (["a.txt", "empty"], ExitCode.NOTHING_CHECKED),
        (["a.txt", "binary"], ExitCode.UNUSABLE_INPUT),
        (["a.txt", "newer.json"], ExitCode.NOTHING_CHECKED),
        (["a.txt", "other.json"], ExitCode.UNUSABLE_INPUT),
        (["a.txt", "/"], ExitCode.UNUSABLE_INPUT),
        (["a.txt", "host:-oProxyCommand=x"], ExitCode.UNUSABLE_INPUT),
        (["a.txt", "host:$(touch x)"], ExitCode.UNUSABLE_INPUT),
        (["-", "-"], ExitCode.UNUSABLE_INPUT),
        (["a.txt"], ExitCode.UNUSABLE_INPUT),
        (["a.txt", "b.txt", "--pid", "1"], ExitCode.UNUSABLE_INPUT),
        (["a.txt", "b.txt", "--python", "/x"], ExitCode.UNUSABLE_INPUT),
    ],
)
def test_exit_codes(
    arguments: list[str], code: ExitCode, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["diff", *arguments]) == code
    captured = capsys.readouterr()

    assert "Traceback" not in captured.out + captured.err
    assert bool(captured.err) == (code in (ExitCode.UNUSABLE_INPUT, ExitCode.NOTHING_CHECKED))


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    run(["diff", *arguments, "--format", "json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_record_names_the_inputs_and_what_differs(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = document(capsys, "a.txt", "b.txt")

    jsonschema.validate(found, SCHEMA)
    assert (found["a"], found["b"]) == ("a.txt", "b.txt")
    assert found["different"] == [{"area": "versions", "name": "torch_npu", "a": "2.9.0", "b": "2.7.1"}]
    assert found["same"]["versions"] == 3


def test_a_snapshot_against_a_report(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "here.json", "b.txt")

    jsonschema.validate(found, SCHEMA)
    assert {"driver", "kernel"} <= {one["name"] for one in found["unknown"]}


def test_errors_are_one_json_document(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert document(capsys, "a.txt", "host:a b")["error"]["where"] == "a b"


@pytest.mark.parametrize("name", ["here.json", "here.json.gz", "b.txt", "a.txt.gz"])
def test_standard_input_is_known_by_its_content(
    name: str, files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((files / name).read_bytes())))

    found = document(capsys, "-", name)

    assert found["different"] == []
    assert sum(found["same"].values()) > 0
