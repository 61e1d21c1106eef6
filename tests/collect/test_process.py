"""A process: ours, and a running one with the libraries that it has really mapped."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ascendenv.collect.probes import process
from ascendenv.collect.probes.system import System

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LIMITS = (
    "Limit                     Soft Limit           Hard Limit           Units     \n"
    "Max locked memory         65536                65536                bytes     \n"
    "Max open files            unlimited            unlimited            files     \n"
)


@pytest.fixture
def running() -> Iterator[int]:
    child = subprocess.Popen(
        [sys.executable, "-c", "import ctypes, time; print('ready', flush=True); time.sleep(60)"],
        env={"ASCEND_RT_VISIBLE_DEVICES": "3", "PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    child.stdout.readline()
    yield child.pid
    child.kill()
    child.wait()
    child.stdout.close()


def test_our_process_has_environment_user_and_limits() -> None:
    record = process.collect_process(System("", {"A": "1"}), None)

    assert record["environ"] == {"A": "1"}
    assert record["uid"] == os.geteuid()
    assert set(record["limits"]) == set(process.LIMITS)
    assert record["cwd"]["path"] == os.getcwd()  # noqa: PTH109


def test_a_running_process_shows_what_it_has_mapped(running: int) -> None:
    record = process.collect_process(System(), running)

    assert record["environ"]["ASCEND_RT_VISIBLE_DEVICES"] == "3"
    assert any("libc" in path for path in record["mapped"])
    assert record["exe"] == os.path.realpath(sys.executable)
    assert record["uid"] == os.geteuid()
    assert record["other_namespace"] is False
    assert "sleep" in record["command"]


def test_a_process_that_is_not_there_says_so() -> None:
    record = process.collect_process(System(), 2**22 + 1)

    assert record["running"] is False
    assert record["environ_error"] == record["mapped_error"] == "No such file or directory"


def test_limits_of_a_process() -> None:
    assert process.limits(LIMITS) == {"RLIMIT_MEMLOCK": 65536, "RLIMIT_NOFILE": -1}


def test_only_libraries_are_kept_of_a_map(tmp_path: Path) -> None:
    (tmp_path / "proc/7").mkdir(parents=True)
    (tmp_path / "proc/7/maps").write_text(
        "7f00-7f01 r-xp 00000000 08:01 1 /usr/lib/libc.so.6\n7f01-7f02 r--p 00000000 08:01 1 /usr/lib/libc.so.6\n"
        "7f02-7f03 rw-p 00000000 00:00 0 [heap]\n7f03-7f04 r--p 0 08:01 2 /usr/share/locale.archive\n"
        "7f04-7f05 r-xp 0 08:01 3 /opt/x/libascendcl.so (deleted)\n"
    )

    assert process.mapped_libraries(System(str(tmp_path)), "/proc/7")["mapped"] == [
        "/opt/x/libascendcl.so (deleted)",
        "/usr/lib/libc.so.6",
    ]
