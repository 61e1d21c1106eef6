"""Looks at files, folders and nodes below a root: recorded as what was read, or why it could not be."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from ascendenv.collect.probes import system as module
from ascendenv.collect.probes.system import System, try_open

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("etc", "usr/local/Ascend/cann-8.5.0", "opt", "dev"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc/os-release").write_text('ID="ubuntu"\n')
    (tmp_path / "usr/local/Ascend/cann").symlink_to("cann-8.5.0")
    (tmp_path / "usr/local/Ascend/cann-8.5.0/set_env.sh").write_text("export X=1\n")
    (tmp_path / "opt/Ascend").symlink_to("/usr/local/Ascend")
    (tmp_path / "opt/nothing").symlink_to("/usr/local/absent")
    (tmp_path / "opt/loop").symlink_to("loop")
    (tmp_path / "opt/out").symlink_to("../../../../../../etc/os-release")
    return tmp_path


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/etc/os-release", 'ID="ubuntu"\n'),
        ("/usr/local/Ascend/cann/set_env.sh", "export X=1\n"),
        ("/opt/Ascend/cann/set_env.sh", "export X=1\n"),
        ("/opt/out", 'ID="ubuntu"\n'),
    ],
)
def test_links_are_followed_inside_the_root_only(root: Path, path: str, text: str) -> None:
    assert System(str(root)).text(path) == text


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/etc/absent", "No such file or directory"),
        ("/etc", "Is a directory"),
        ("/opt/loop", "Too many levels of symbolic links"),
        ("/opt/loop/below", "Too many levels of symbolic links"),
        ("/etc/os-release/below", "Not a directory"),
    ],
)
def test_what_cannot_be_read_says_why(root: Path, path: str, error: str) -> None:
    assert System(str(root)).read(path) == {"error": error}


def test_of_a_long_file_the_end_is_kept(root: Path) -> None:
    (root / "long").write_text("first\n" + "x" * 100 + "\nlast\n")

    record = System(str(root)).read("/long", limit=6)

    assert (record["text"], record["cut"]) == ("\nlast\n", 106)


def test_a_pipe_in_the_place_of_a_file_does_not_stop_the_look(root: Path) -> None:
    os.mkfifo(root / "pipe")

    assert System(str(root)).text("/pipe") == ""


def test_bytes_that_are_no_text_are_replaced(root: Path) -> None:
    (root / "odd").write_bytes(b"\xff\xfe driver \x80")

    assert "driver" in System(str(root)).text("/odd")


@pytest.mark.parametrize(
    ("path", "look"),
    [
        ("/usr/local/Ascend/cann", {"link": "cann-8.5.0", "broken": False, "kind": "d"}),
        ("/opt/nothing", {"link": "/usr/local/absent", "broken": True, "kind": "l"}),
        ("/opt/loop", {"link": "loop", "broken": True, "kind": "l"}),
        ("/etc/os-release", {"kind": "-"}),
    ],
)
def test_a_look_tells_kind_and_link(root: Path, path: str, look: dict[str, object]) -> None:
    record = System(str(root)).look(path)

    assert {key: record.get(key) for key in look} == look
    assert ("link" in record) == ("link" in look)


def test_patterns_find_paths_of_the_machine(root: Path) -> None:
    found = System(str(root)).glob("/usr/local/Ascend/cann-*/set_env.sh")

    assert found == ["/usr/local/Ascend/cann-8.5.0/set_env.sh"]


def test_an_unreadable_folder_is_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> list[str]:
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr(os, "listdir", refuse)

    assert System(str(root)).names("/usr/local/Ascend") == {"error": "Permission denied"}


def test_a_program_is_found_beyond_a_short_path(root: Path) -> None:
    program = root / "usr/local/sbin/npu-smi"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)

    assert System(str(root), {"PATH": "/usr/bin"}).program("npu-smi") == "/usr/local/sbin/npu-smi"
    assert System(str(root), {}).program("hccn_tool") is None


def test_a_node_that_is_refused_names_the_error(tmp_path: Path) -> None:
    closed = tmp_path / "davinci0"
    closed.touch(mode=0o000)

    assert try_open(str(tmp_path / "absent")) == "ENOENT"
    if os.geteuid():
        assert System().may_open(str(closed)) == "EACCES"
    assert stat.S_IMODE(closed.stat().st_mode) == 0


def test_a_card_is_not_opened_where_it_may_be(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The first container that opens a davinci node owns the card: a look must not."""
    node = tmp_path / "davinci0"
    node.touch()
    monkeypatch.setattr(module, "try_open", lambda here: pytest.fail(f"{here} was opened"))

    assert System().may_open(str(node)) == "ok"


@pytest.mark.parametrize("path", ["~", "~/Ascend", "/x/~"])
def test_the_home_folder_is_that_of_the_asking_process(path: str) -> None:
    expanded = System("", {"HOME": "/home/me"}).expand(path)

    assert expanded == path if path.startswith("/") else expanded.startswith("/home/me")


def test_this_machine_has_a_kernel_and_an_account() -> None:
    system = System()

    assert system.uname()["kernel"] == os.uname().release
    assert system.user()["uid"] == os.geteuid()
    assert system.limit("RLIMIT_NOFILE") is not None
    assert system.limit("RLIMIT_OF_NO_SYSTEM") is None
    assert system.space("/absent") is None
