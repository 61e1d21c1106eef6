"""A box is looked at while the checks are imported."""

from __future__ import annotations

import threading
import time

import pytest

from ascendenv.cli.background import Background
from ascendenv.cli.run import run
from ascendenv.errors import ExitCode


def test_the_result_is_that_of_the_call() -> None:
    assert Background(lambda: 7).result() == 7


def test_the_error_is_that_of_the_call() -> None:
    def fail() -> int:
        raise LookupError("gone")

    started = Background(fail)
    with pytest.raises(LookupError, match="gone"):
        started.result()


def test_the_caller_goes_on_at_once() -> None:
    reached = threading.Event()
    started = Background(lambda: reached.wait(10))
    reached.set()
    assert started.result() is True


def test_a_mistake_on_the_command_line_does_not_wait_for_the_box(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hung = threading.Event()
    monkeypatch.setattr("ascendenv.collect.local.collect", lambda *_, **__: hung.wait(30))
    started = time.monotonic()
    try:
        assert run(["doctor", "--select", "NOSUCH1"]) == ExitCode.UNUSABLE_INPUT
    finally:
        hung.set()
    assert time.monotonic() - started < 10
    assert "NOSUCH1" in capsys.readouterr().err
