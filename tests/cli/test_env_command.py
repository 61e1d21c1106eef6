"""`ascendenv env` as users type it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascendenv.cli.run import run
from ascendenv.errors import ExitCode
from ascendenv.lock.lock_file import read_lock


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["HCCL_CONNECT_TIMEOUT"], "from 120 to 7200"),
        (["task_queue_enable"], "one of 0, 1, 2"),
        (["HCCL_CONNECT_TIMEOUT", "--lang", "zh"], "取值"),
        (["PYTORCH_NPU_ALLOC_CONF"], "PYTORCH_ALLOC_CONF"),
        (["ASCEND_SLOG_PRINT_TO_STDOUT"], "ASCEND_LOG_PRINT_TO_STDOUT"),
    ],
)
def test_a_variable_is_explained(words: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["env", "explain", *words]) == ExitCode.GOOD
    assert expected in capsys.readouterr().out


def test_an_explanation_is_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    run(["env", "explain", "TASK_QUEUE_ENABLE", "--format", "json"])

    record = json.loads(capsys.readouterr().out)
    assert (record["schema_version"], record["component"], record["default"]) == (1, "torch_npu", "1")


def test_a_slip_is_answered_with_the_nearest_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["env", "explain", "HCCL_CONECT_TIMEOUT"]) == ExitCode.UNUSABLE_INPUT
    assert "HCCL_CONNECT_TIMEOUT" in capsys.readouterr().err


LOCK = str(Path(__file__).resolve().parents[1] / "golden" / "lock" / "ascendenv.lock")


def locked(words: list[str]) -> list[str]:
    stack = read_lock(LOCK).stacks[0]
    return [*words, "--lock", LOCK, "--stack", stack.name, "--arch", stack.arch[0]]


@pytest.mark.parametrize("form", ["sh", "bash", "fish", "dotenv", "systemd", "docker", "k8s"])
def test_a_lock_is_rendered(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = locked(["env", "render", "--for", form, "--profile", "debug", "--set", "SITE=a b"])

    assert run(words) == ExitCode.GOOD
    out = capsys.readouterr().out
    assert "ASCEND_LAUNCH_BLOCKING" in out
    assert "a b" in out


def test_a_shell_is_activated(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(locked(["env", "activate"])) == ExitCode.GOOD
    assert "ascendenv_deactivate() {" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--profile", "trainning"], "training"),
        (["--set", "SITE"], "NAME=VALUE"),
        (["--for", "docker", "--set", "SITE=a\nb"], "SITE"),
    ],
)
def test_a_wrong_wish_is_refused(words: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*locked(["env", "render"]), *words]) == ExitCode.UNUSABLE_INPUT
    assert named in capsys.readouterr().err


REPORT = """\
ASCEND_HOME_PATH=/usr/local/Ascend/cann-9.0.0
ASCEND_OPP_PATH=/usr/local/Ascend/cann-9.0.0/opp
ASCEND_RT_VISIBLE_DEVICES={devices}
TASK_QUEUE_ENABLE=1
"""


@pytest.mark.parametrize(
    ("devices", "code", "shown"),
    [("0,1", ExitCode.GOOD, "nothing is wrong"), ("1,0", ExitCode.FINDINGS, "does not ascend")],
)
def test_a_report_is_checked(
    devices: str, code: int, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "env.txt").write_text(REPORT.format(devices=devices))

    assert run(["env", "check", "--report", str(tmp_path / "env.txt")]) == code
    assert shown in capsys.readouterr().out


def test_this_shell_is_checked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("HCCL_CONNECT_TIMEOUT", "soon")

    assert run(["env", "check", "--format", "json"]) == ExitCode.FINDINGS
    found = json.loads(capsys.readouterr().out)["problems"]
    assert ("wrong-typed", "HCCL_CONNECT_TIMEOUT") in [(one["kind"], one["name"]) for one in found]


def test_two_reports_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, devices in (("a", "0,1"), ("b", "2,3")):
        (tmp_path / name).write_text(REPORT.format(devices=devices))

    words = ["env", "diff", str(tmp_path / "a"), str(tmp_path / "b"), "--format", "json"]
    assert run(words) == ExitCode.FINDINGS
    (found,) = json.loads(capsys.readouterr().out)["differences"]
    assert (found["name"], found["first"], found["second"]) == ("ASCEND_RT_VISIBLE_DEVICES", "0,1", "2,3")


def test_profiles_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(locked(["env", "diff", "profile:training", "profile:training"])) == ExitCode.GOOD
    assert run(locked(["env", "diff", "profile:training", "profile:debug"])) == ExitCode.FINDINGS
    out = capsys.readouterr().out
    assert "ASCEND_LAUNCH_BLOCKING:\n  - not set\n  + '1'" in out


def test_a_wrong_process_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["env", "diff", ".", "pid:me"]) == ExitCode.UNUSABLE_INPUT
    assert "process id" in capsys.readouterr().err
