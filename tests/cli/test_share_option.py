"""`doctor --share`: nothing that tells who and where leaves, all that a reader needs stays, equal things stay equal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from tests.report.test_record import SCHEMA

from ascendenv.cli.run import run
from ascendenv.errors import ExitCode

if TYPE_CHECKING:
    from pathlib import Path

LOG = """\
root@trainer-07:/home/alice/job# python train.py
USER=alice
HOSTNAME=trainer-07
MASTER_ADDR=10.1.2.3
export HF_TOKEN=hf_abcdefghijklmnopqrstuv
ImportError: /home/alice/venv/lib/python3.11/site-packages/torch_npu/lib/libtorch_npu.so: undefined symbol: _ZNK3c1010TensorImpl20is_contiguous_customENS_12MemoryFormatE
ImportError: /home/alice/venv/lib/libhccl.so: cannot open shared object file: No such file or directory
[pip3] torch==2.9.0
[pip3] torch-npu==2.7.1
"""
PERSONAL = ("alice", "trainer-07", "10.1.2.3", "hf_abcdef")


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = tmp_path / "alice.log"
    path.write_text(LOG)
    return path


def shared(log: Path, form: str, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    run(["doctor", "--log", str(log), "--share", "--format", form, *more])
    return capsys.readouterr().out


@pytest.mark.parametrize("form", ["json", "html", "sarif", "junit", "prometheus"])
def test_nothing_personal_leaves(form: str, log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shared(log, form, capsys)

    assert [name for name in PERSONAL if name in text] == []
    assert "torch-npu-torch-mismatch" in text


def test_the_record_is_whole_and_lists_what_was_replaced(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["doctor", "--log", str(log), "--format", "json"])
    plain = json.loads(capsys.readouterr().out)

    document: dict[str, Any] = json.loads(shared(log, "json", capsys))

    jsonschema.validate(document, SCHEMA)
    assert [one["id"] for one in document["findings"]] == [one["id"] for one in plain["findings"]]
    assert [one["sources"] for one in document["findings"]] == [one["sources"] for one in plain["findings"]]
    assert document["box"] == plain["box"]
    (user,) = (one for one in document["redaction"]["replaced"] if one["kind"] == "user")
    assert json.dumps(document["findings"]).count(user["pseudonym"]) == user["count"] > 1


def test_equal_things_are_equal_in_all_that_one_person_shares(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (json.loads(shared(log, "json", capsys))["redaction"] for _ in range(2))

    assert first == second


def test_a_shared_snapshot_keeps_its_pseudonyms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("USER", "alice")
    monkeypatch.setenv("ASCEND_HOME_PATH", "/home/alice/Ascend/latest")
    run(["collect", "--share", "-o", str(tmp_path / "box.json")])
    capsys.readouterr()
    user = next(
        one["pseudonym"]
        for one in json.loads((tmp_path / "box.json").read_text())["redaction"]["replaced"]
        if one["kind"] == "user"
    )

    run(["doctor", "--snapshot", str(tmp_path / "box.json"), "--share", "--format", "json"])
    document = json.loads(capsys.readouterr().out)

    assert user not in {one["pseudonym"] for one in document["redaction"]["replaced"]}


def test_text_for_the_screen_is_not_for_sharing(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--log", str(log), "--share"]) == ExitCode.UNUSABLE_INPUT
    assert "--format json" in capsys.readouterr().err
