"""Full disks, kills without warning, and two runs at once: nothing half-written has a final name, and the next run goes on."""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.fetch.builders import QUICK, lock_of, names_below, row, tree_of, wheel
from tests.fetch.runs import driver
from tests.fetch.server import Reply

from ascendenv.errors import HostFailed
from ascendenv.fetch.fetching import Order, fetch
from ascendenv.fetch.occupied import Occupied, occupy
from ascendenv.fetch.progress import Silent
from ascendenv.fetch.space import DiskFull, free, require, shown_size
from ascendenv.fetch.store import Store
from ascendenv.lock.lock_file import write_lock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.fetch.server import Server

    from ascendenv.lock.model import Lock

ROOT = Path(__file__).resolve().parents[2]
KILLER = Path(__file__).with_name("killer.py")
BODIES = [random.Random(number).randbytes(300_000) for number in range(3)]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small file system needs root")


def lock_on(server: Server, **reply: float) -> Lock:
    urls = [server.serve(f"/{number}", Reply(body, **reply)) for number, body in enumerate(BODIES)]  # type: ignore[arg-type]
    return lock_of(
        row(BODIES[0], urls[0], component="driver", name="driver", file="d.run"),
        row(BODIES[1], urls[1], file="t.run"),
        wheel(BODIES[2], urls[2]),
    )


def run(lock: Lock, root: Path) -> None:
    assert not fetch(Order(lock=lock, root=root, jobs=1, patience=QUICK), Silent()).failed


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system with room for 640 kB."""
    folder = tmp_path / "small"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=640k", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@as_root
@pytest.mark.root
def test_room_is_asked_for_before(server: Server, small: Path) -> None:
    with pytest.raises(DiskFull, match=r"are needed here and .* are free"):
        run(lock_on(server), small / "b")

    assert not server.requests
    assert names_below(small) <= {"b/.ascendenv.lock"}


@as_root
@pytest.mark.root
def test_a_disk_that_fills_up_in_the_middle_loses_nothing(
    server: Server, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = lock_on(server)
    run(lock, tmp_path / "whole")
    monkeypatch.setattr("ascendenv.fetch.parallel.require", lambda *_: None)

    with pytest.raises(DiskFull, match="the disk is full") as caught:
        run(lock, small / "b")

    assert "run this again" in str(caught.value.hint)
    store = Store(small / "b")
    assert len(list(store.objects())) == 2
    assert sum(store.begun(one.sha256, "") for one in lock.artefacts()) > 0
    subprocess.run(["mount", "-o", "remount,size=4m", str(small)], check=True)
    asked = len(server.requests)
    run(lock, small / "b")
    assert [one.headers.get("Range", "")[:6] for one in server.requests[asked:]] == ["bytes="]
    assert without_guard(small / "b") == without_guard(tmp_path / "whole")


def without_guard(root: Path) -> dict[str, bytes]:
    return {name: data for name, data in tree_of(root).items() if name != ".ascendenv.lock"}


def test_a_limit_on_the_size_of_files_is_survived(server: Server, tmp_path: Path) -> None:
    lock = lock_on(server)
    write_lock(tmp_path / "ascendenv.lock", lock)

    limited = subprocess.run(
        [sys.executable, "-m", "ascendenv", "fetch"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)),
    )
    between = list(Store(tmp_path / "bundle").objects())
    run(lock, tmp_path / "bundle")

    assert limited.returncode == 5
    assert "the disk is full" in limited.stderr
    assert "Traceback" not in limited.stderr
    assert between == []
    assert len(list(Store(tmp_path / "bundle").objects())) == 3


def killed_at_every_step(lock: Lock, folder: Path, *file: str) -> None:
    write_lock(folder / "ascendenv.lock", lock)
    arguments = [sys.executable, str(KILLER), str(folder / "ascendenv.lock"), str(folder / "runs"), *file]

    done = subprocess.run(
        arguments, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )

    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rounds) > 20
    assert [one["code"] for one in rounds] == [99] * (len(rounds) - 1) + [0]
    assert [one for one in rounds if one["wrong"] or one["again"]] == []
    assert {one["tree"] for one in rounds} == {rounds[-1]["tree"]}


@pytest.mark.slow
def test_a_fetch_that_is_killed_at_any_step_converges(server: Server, tmp_path: Path) -> None:
    """At every single step: each change of the disk, each block that arrives."""
    killed_at_every_step(lock_on(server, block=100_000), tmp_path)


@pytest.mark.slow
def test_adding_that_is_killed_at_any_step_converges(tmp_path: Path) -> None:
    name = "Ascend-hdk-910b-npu-driver_25.5.0_linux-aarch64.run"
    (tmp_path / name).write_bytes(driver())
    wanted = row(None, component="driver", name="driver", version="25.5.0", file=name, arch="aarch64")

    killed_at_every_step(lock_of(wanted), tmp_path, str(tmp_path / name))


def test_a_real_kill_9_converges(server: Server, tmp_path: Path) -> None:
    lock = lock_on(server, block=5000, pause=0.02)
    write_lock(tmp_path / "ascendenv.lock", lock)
    arguments = [sys.executable, "-m", "ascendenv", "fetch", "-o", str(tmp_path / "b")]

    child = subprocess.Popen(arguments, cwd=tmp_path, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    wait_for(lambda: has_bytes(tmp_path / "b"))
    child.send_signal(signal.SIGKILL)
    child.wait()
    begun = sum(Store(tmp_path / "b").begun(one.sha256, "") for one in lock.artefacts())
    lock = lock_on(server)
    server.requests.clear()
    run(lock, tmp_path / "b")
    run(lock, tmp_path / "whole")

    assert begun > 0
    assert any("Range" in one.headers for one in server.requests)
    assert without_guard(tmp_path / "b") == without_guard(tmp_path / "whole")


def test_ctrl_c_ends_it_at_once_and_keeps_what_is_there(server: Server, tmp_path: Path) -> None:
    lock = lock_on(server, block=2000, pause=0.05)
    write_lock(tmp_path / "ascendenv.lock", lock)
    child = subprocess.Popen(
        [sys.executable, "-m", "ascendenv", "fetch"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    wait_for(lambda: has_bytes(tmp_path / "bundle"))

    since = time.monotonic()
    child.send_signal(signal.SIGINT)
    _, told = child.communicate(timeout=10)

    assert child.returncode == 130
    assert time.monotonic() - since < 3
    assert b"Traceback" not in told
    assert sum(Store(tmp_path / "bundle").begun(one.sha256, "") for one in lock.artefacts()) > 0


def test_a_second_run_is_told_who_is_there_and_how_to_take_over(server: Server, tmp_path: Path) -> None:
    lock = lock_on(server, block=2000, pause=0.05)
    write_lock(tmp_path / "ascendenv.lock", lock)
    arguments = [sys.executable, "-m", "ascendenv", "fetch"]
    first = subprocess.Popen(arguments, cwd=tmp_path, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    wait_for(lambda: has_bytes(tmp_path / "bundle"))

    second = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, check=False)
    running = first.poll() is None
    first.kill()
    first.wait()
    with occupy(tmp_path / "bundle"):
        pass

    assert running
    assert second.returncode == 2
    assert f"with process {first.pid} on " in second.stderr
    assert "writes here since 20" in second.stderr
    assert f"`kill {first.pid}` on " in second.stderr


def test_the_guard_is_free_again_after_any_end(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), occupy(tmp_path):
        1 / 0  # noqa: B018
    with occupy(tmp_path), pytest.raises(Occupied), occupy(tmp_path):
        pass


@pytest.mark.parametrize("noted", [b"", b"{", b"[]", b'{"process": 1}', b"\xff"])
def test_a_guard_that_cannot_be_read_still_guards(tmp_path: Path, noted: bytes) -> None:
    with occupy(tmp_path):
        (tmp_path / ".ascendenv.lock").write_bytes(noted)
        with pytest.raises(Occupied, match="another run writes here"), occupy(tmp_path):
            pass


def test_a_file_system_without_locks_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with occupy(tmp_path):
        assert (tmp_path / ".ascendenv.lock").read_bytes()


def test_a_folder_that_cannot_be_made_is_told(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(HostFailed, match="cannot be read or written"):
        run(lock_on(server), tmp_path / "file" / "b")


def test_room_is_told_in_words(tmp_path: Path) -> None:
    with pytest.raises(DiskFull, match=r"1024\.0 TiB are needed"):
        require(tmp_path / "absent" / "deep", 1 << 50)
    require(tmp_path, 1)
    require(tmp_path, 0)
    assert free(tmp_path) > 0


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (1 << 20, "1.0 MiB"),
        (3 << 29, "1.5 GiB"),
        (1 << 60, "1048576.0 TiB"),
    ],
)
def test_sizes_are_told_in_words(count: int, text: str) -> None:
    assert shown_size(count) == text


def has_bytes(root: Path) -> bool:
    """Whether a download has begun."""
    return any(path.stat().st_size for path in root.rglob(".*.part"))


def wait_for(what: object, seconds: float = 20.0) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if callable(what) and what():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come to it")
