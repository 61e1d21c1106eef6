"""`ascendenv collect`: files written whole and for their owner only, shared ones without names."""

from __future__ import annotations

import json
import stat
from typing import TYPE_CHECKING

import pytest

from ascendenv.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HF_TOKEN", "hf_verysecretverysecret")
    monkeypatch.setenv("USER", "alice77")


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["collect", *arguments])
    return int(ended.value.code or 0)


def test_a_snapshot_is_written_for_its_owner_only(tmp_path: Path) -> None:
    target = tmp_path / "snapshot.json"

    assert run("-o", str(target)) == 0

    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert json.loads(target.read_text())["schema_version"] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["snapshot.json"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()

    assert run("-o", str(tmp_path / "file" / "snapshot.json")) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_standard_output_is_one_document(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run() == 0

    assert json.loads(capfdbinary.readouterr().out)["process"]["environ"]["USER"] == "alice77"


def test_what_is_shared_names_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "snapshot.json"

    assert run("--share", "-o", str(target)) == 0

    text = target.read_text()
    assert "alice77" not in text
    assert "verysecret" not in text
    assert json.loads(text)["redaction"]["replaced"]
    assert "user" in capsys.readouterr().err


def test_two_files_of_one_operator_use_the_same_names(tmp_path: Path) -> None:
    for name in ("a", "b"):
        run("--share", "-o", str(tmp_path / name))

    first, second = (json.loads((tmp_path / name).read_text()) for name in ("a", "b"))
    assert first["process"]["environ"]["USER"] == second["process"]["environ"]["USER"]
    assert stat.S_IMODE((tmp_path / "state" / "ascendenv" / "share.key").stat().st_mode) == 0o600


def test_the_block_for_a_bug_form_is_redacted(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run("--github") == 0

    text = capfdbinary.readouterr().out.decode()
    assert text.startswith("<details>")
    assert "verysecret" not in text


def test_the_script_is_printed_whole(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run("--print-script") == 0

    compile(capfdbinary.readouterr().out, "script", "exec")
