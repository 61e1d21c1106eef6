"""Real faults while a lock is written: a full disk, a limit, a kill, a second run. Nothing is lost or half-written."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.lock.stacks import LOCK, STACK, with_file

from ascendenv.errors import HostFailed
from ascendenv.lock.lock_file import read_lock
from ascendenv.lock.model import Lock
from ascendenv.lock.pip_files import folder_of, pip_files
from ascendenv.lock.writing import only_writer, stale_files, write_all

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OTHER = Lock(stacks=(with_file(STACK, "python", "numpy", version="1.26.5", sha256="0" * 64),))
WRITER = """
import sys, time
from pathlib import Path
from ascendenv.lock.lock_file import read_lock
from ascendenv.lock.writing import only_writer, write_all
path, other = Path(sys.argv[1]), read_lock(sys.argv[2])
mine = read_lock(path)
print("ready", flush=True)
while True:
    with only_writer(path):
        write_all(path, other)
        write_all(path, mine)
"""
HOLDER = """
import sys, time
from pathlib import Path
from ascendenv.lock.writing import only_writer
with only_writer(Path(sys.argv[1])):
    print("ready", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "ascendenv.lock"
    write_all(path, LOCK)
    return path


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(one.relative_to(folder)): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()
    }


def test_the_lock_and_the_files_beside_it_are_written(path: Path) -> None:
    assert read_lock(path) == LOCK
    assert sorted(one.name for one in folder_of(path).iterdir()) == [
        f"{stack}-{arch}.{kind}.txt"
        for stack in ("canary", "prod")
        for arch in ("aarch64", "x86_64")
        for kind in ("constraints", "requirements")
    ]
    assert stale_files(path, LOCK) == []


def test_what_pip_reads_has_versions_and_hashes_of_its_architecture() -> None:
    texts = pip_files(Lock(stacks=(STACK,)))

    requirements = texts["prod-x86_64.requirements.txt"]
    assert f"torch==2.9.0+cpu \\\n    --hash=sha256:{'a' * 64}\n" in requirements
    assert f"numpy==1.26.4 \\\n    --hash=sha256:{'c' * 64}\n" in requirements
    assert "torch==2.9.0\n" in texts["prod-aarch64.constraints.txt"]
    assert "http" not in requirements


def test_what_stands_is_not_written_again(path: Path) -> None:
    before = path.stat().st_mtime_ns

    assert write_all(path, LOCK) == []
    assert path.stat().st_mtime_ns == before


def test_files_of_a_stack_that_is_gone_go_too(path: Path) -> None:
    write_all(path, Lock(stacks=(STACK,)))

    assert not list(folder_of(path).glob("canary*"))
    assert stale_files(path, LOCK) == [
        folder_of(path) / f"canary-{arch}.{kind}.txt"
        for arch in ("aarch64", "x86_64")
        for kind in ("requirements", "constraints")
    ]


def test_a_file_that_pip_reads_and_that_was_edited_is_stale(path: Path) -> None:
    edited = folder_of(path) / "prod-x86_64.constraints.txt"
    edited.write_text("numpy==2\n")

    assert stale_files(path, LOCK) == [edited]


@pytest.fixture
def small_files() -> Iterator[None]:
    """No file of this process may grow beyond 2 kB, as on a disk that is full at that moment."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    signal.signal(signal.SIGXFSZ, handler)


def test_a_limit_in_the_middle_of_a_file_leaves_the_old_one(path: Path, small_files: None) -> None:
    before = tree(path.parent)

    with pytest.raises(
        HostFailed, match="cannot be written: File too large; what stood there stands"
    ) as caught:
        write_all(path, OTHER)

    assert tree(path.parent) == before
    assert caught.value.where == str(path)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 200 kB of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(folder)]
    if os.getuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("needs root and the right to mount a tmpfs")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.root
def test_a_full_disk_is_seen_before_anything_is_written(small_disk: Path) -> None:
    path = small_disk / "ascendenv.lock"
    write_all(path, LOCK)
    before = tree(small_disk)
    free = os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize
    (small_disk / "filler").write_bytes(bytes(free - 8192))

    with pytest.raises(HostFailed, match="there is no room"):
        write_all(path, OTHER)

    (small_disk / "filler").unlink()
    assert tree(small_disk) == before


@pytest.mark.root
def test_a_disk_that_fills_in_the_middle_leaves_the_old_lock(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check before is blinded, as another program may take the room after it."""
    path = small_disk / "ascendenv.lock"
    write_all(path, LOCK)
    before = tree(small_disk)
    free = os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize
    (small_disk / "filler").write_bytes(bytes(free))
    monkeypatch.setattr("ascendenv.lock.writing._refuse_full_disk", lambda *_: None)

    with pytest.raises(HostFailed, match="No space left on device"):
        write_all(path, OTHER)

    (small_disk / "filler").unlink()
    assert tree(small_disk) == before


@pytest.mark.parametrize("patience", [0.002, 0.005, 0.011, 0.017, 0.03, 0.05])
def test_a_killed_run_leaves_the_old_lock_or_the_new_one(path: Path, patience: float, tmp_path: Path) -> None:
    other = tmp_path / "other" / "ascendenv.lock"
    write_all(other, OTHER)
    child = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(other)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    with child.stdout as stream:
        assert stream.readline() == "ready\n"
        time.sleep(patience)
        child.send_signal(signal.SIGKILL)
        child.wait()

    found = read_lock(path)
    assert found in (LOCK, OTHER)

    with only_writer(path):  # the next run goes on, and takes away what the killed one left
        write_all(path, LOCK)
    assert stale_files(path, LOCK) == []
    assert not list(path.parent.rglob(".*"))


def test_a_second_run_is_told_who_writes(path: Path) -> None:
    before = tree(path.parent)
    child = subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    with child.stdout as stream:
        assert stream.readline() == "ready\n"

        with (
            pytest.raises(HostFailed, match="another run of ascendenv is writing here") as caught,
            only_writer(path),
        ):
            pytest.fail("two writers")  # pragma: no cover

        child.kill()
        child.wait()
    assert f"(process {child.pid})" in str(caught.value)
    with only_writer(path):  # the kernel let go with the process
        pass
    assert tree(path.parent) == before


def test_many_runs_at_once_leave_one_whole_lock(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "ascendenv.lock"
    write_all(other, OTHER)
    children = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER.replace("while True", "for _ in range(20)"), str(path), str(other)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(3)
    ]
    while any(child.poll() is None for child in children):
        assert read_lock(path) in (LOCK, OTHER)

    assert stale_files(path, read_lock(path)) == []


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(HostFailed, match="the folder cannot be opened: No such file"),
        only_writer(tmp_path / "none" / "ascendenv.lock"),
    ):
        pytest.fail("no folder")  # pragma: no cover


def test_no_file_of_another_program_is_swept_away(path: Path) -> None:
    foreign = path.parent / ".ascendenv.lock.swp"
    foreign.write_text("an editor's")

    with only_writer(path):
        write_all(path, Lock(stacks=(replace(STACK, name="x"),)))

    assert foreign.exists()
