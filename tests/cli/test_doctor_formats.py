"""`doctor --format` and `-o`: each form is what it says, goes where it should, and is the same every time."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ascendenv.cli.run import run
from ascendenv.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "torch-mismatch"
ARGUMENTS = ["doctor", "--log", str(EXAMPLE / "error.log"), "--report", str(EXAMPLE / "report.txt")]
READERS: dict[str, Callable[[str], object]] = {
    "text": lambda text: text.index("TOR001"),
    "json": lambda text: json.loads(text)["findings"][0],
    "junit": lambda text: ET.fromstring(text).find(".//failure"),  # noqa: S314  (our own)
    "sarif": lambda text: json.loads(text)["runs"][0]["results"][0],
    "prometheus": lambda text: text.index("ascendenv_doctor_verdict"),
    "html": lambda text: text.index("<!DOCTYPE html>"),
}


@pytest.mark.parametrize("form", READERS)
def test_the_form_is_what_was_asked_for(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = run([*ARGUMENTS, "--format", form])
    shown = capsys.readouterr()

    assert code == ExitCode.FINDINGS
    assert READERS[form](shown.out) is not None
    assert shown.err == ""


@pytest.mark.parametrize("form", READERS)
def test_a_file_gets_the_same_and_standard_output_nothing(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run([*ARGUMENTS, "--format", form])
    printed = capsys.readouterr().out

    code = run([*ARGUMENTS, "--format", form, "-o", str(tmp_path / "new" / "answer")])

    assert code == ExitCode.FINDINGS
    assert capsys.readouterr().out == ""
    assert (tmp_path / "new" / "answer").read_text() == printed
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["answer"]


def test_a_place_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ARGUMENTS, "--format", "html", "-o", "/proc/answer.html"]) == ExitCode.UNUSABLE_INPUT
    assert "/proc/answer.html" in capsys.readouterr().err


def test_sarif_names_the_files_that_were_given(capsys: pytest.CaptureFixture[str]) -> None:
    run([*ARGUMENTS, "--format", "sarif"])
    (run_,) = json.loads(capsys.readouterr().out)["runs"]

    place = run_["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("docs/examples/torch-mismatch/error.log")


def test_junit_fails_where_the_exit_code_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ARGUMENTS, "--format", "junit", "--fail-on", "never"]) == ExitCode.GOOD
    assert ET.fromstring(capsys.readouterr().out).find(".//failure") is None  # noqa: S314  (our own)


def test_a_day_is_shown_only_when_given(capsys: pytest.CaptureFixture[str]) -> None:
    run([*ARGUMENTS, "--format", "html", "--at", "2026-11-29"])
    assert "2026-11-29" in capsys.readouterr().out
