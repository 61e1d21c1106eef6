"""Programs that are asked: they may hang, flood, leave children behind or not be there."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from ascendenv.collect.probes.command import CHUNK, OUTPUT_LIMIT, Command, Kept, run
from ascendenv.collect.probes.system import System

if TYPE_CHECKING:
    from pathlib import Path

HERE = System("", {"PATH": os.environ["PATH"]})


def shell(script: str, seconds: float = 5.0) -> dict[str, object]:
    return run(HERE, ["sh", "-c", script], seconds)


def test_an_answer_has_both_outputs_and_the_code() -> None:
    answer = shell("echo table; echo warning >&2; exit 187")

    assert (answer["rc"], answer["stdout"], answer["stderr"]) == (187, "table\n", "warning\n")


def test_a_program_that_hangs_is_ended_with_what_it_said() -> None:
    started = time.monotonic()

    answer = shell("echo first; sleep 60", 0.3)

    assert (answer["error"], answer["stdout"]) == ("timeout", "first\n")
    assert "rc" not in answer
    assert time.monotonic() - started < 5


def test_the_children_of_a_program_that_hangs_are_ended_too(tmp_path: Path) -> None:
    mark = tmp_path / "child"

    shell(f"(sleep 2; touch {mark}) & wait", 0.3)
    time.sleep(2.2)

    assert not mark.exists()


def test_a_child_that_holds_the_pipe_does_not_hold_us() -> None:
    started = time.monotonic()

    answer = shell("echo done; sleep 30 &", 10)

    assert (answer["rc"], answer["stdout"]) == (0, "done\n")
    assert time.monotonic() - started < 5


def test_an_output_without_end_is_cut_and_ended() -> None:
    answer = shell("yes 'Alarm on the card'", 0.5)

    assert answer["error"] == "timeout"
    assert len(str(answer["stdout"])) <= OUTPUT_LIMIT + 2 * CHUNK
    assert "[...]" in str(answer["stdout"])


@pytest.mark.parametrize(
    ("argv", "error"),
    [
        (["ascend-no-such-tool"], "not found"),
        (["/etc"], "is a directory"),
        (["/etc/passwd"], "Permission denied"),
    ],
)
def test_what_cannot_be_started_says_why(argv: list[str], error: str) -> None:
    answer = run(HERE, argv, 1)

    assert answer["argv"] == argv
    assert answer["error"] == error


def test_a_folder_in_the_place_of_a_program_is_told(tmp_path: Path) -> None:
    (tmp_path / "usr/local/sbin/npu-smi").mkdir(parents=True)

    assert run(System(str(tmp_path), {}), ["npu-smi", "info"], 1)["error"] == "is a directory"


def test_programs_run_side_by_side() -> None:
    started = time.monotonic()
    commands = [Command(HERE, ["sh", "-c", "sleep 0.4; echo x"], 5) for _ in range(4)]

    assert [command.answer()["stdout"] for command in commands] == ["x\n"] * 4
    assert time.monotonic() - started < 1.5


def test_an_answer_can_be_asked_for_twice() -> None:
    command = Command(HERE, ["sh", "-c", "echo x"], 5)

    assert command.answer() == command.answer()


def test_programs_speak_english() -> None:
    assert shell("echo $LC_ALL")["stdout"] == "C\n"


def test_beginning_and_end_are_kept() -> None:
    kept = Kept()
    for number in range(40):
        kept.add(f"[{number:02d}]".encode() * (OUTPUT_LIMIT // 80))

    text = kept.text()

    assert text.startswith("[00]")
    assert text.endswith("[39]")
    assert len(text) < OUTPUT_LIMIT * 1.1
