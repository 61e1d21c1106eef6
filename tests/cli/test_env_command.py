"""`ascendenv env` as users type it."""

from __future__ import annotations

import json

import pytest

from ascendenv.cli.run import run
from ascendenv.errors import ExitCode


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
