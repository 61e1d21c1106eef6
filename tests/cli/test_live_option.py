"""`doctor --live`: when it may be asked for, and that nothing runs without it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import jsonschema
import pytest
from tests.report.test_record import SCHEMA

from ascendenv.cli.run import run
from ascendenv.errors import ExitCode

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "arguments",
    [
        ["--live-device", "cpu"],
        ["--live-seconds", "5"],
        ["--live", "--live-device", "cuda:0"],
        ["--live", "--live-seconds", "0"],
        ["--live", "--log", "x.log"],
    ],
)
def test_what_makes_no_sense_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", *arguments]) == ExitCode.UNUSABLE_INPUT
    assert capsys.readouterr().err


def test_the_answer_tells_what_the_probe_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("raise ImportError('no such thing')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    code = run(["doctor", "--live", "--python", sys.executable, "--format", "json"])
    captured = capsys.readouterr()
    document = json.loads(captured.out)

    jsonschema.validate(document, SCHEMA)
    assert code == ExitCode.FINDINGS
    assert document["live"]["steps"][0]["errors"][0]["text"] == "no such thing"
    assert document["findings"][0]["id"] == "LIV001"
    assert sys.executable in captured.err


def test_without_it_nothing_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text(f"open({str(tmp_path / 'imported')!r}, 'w')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    run(["doctor", "--python", sys.executable, "--format", "json"])

    assert "live" not in json.loads(capsys.readouterr().out)
    assert not (tmp_path / "imported").exists()
