"""Another machine over ssh. The program that stands in for ssh runs the command on this machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from ascendenv.collect.remote import collect_from
from ascendenv.errors import HostFailed, UnusableInput

if TYPE_CHECKING:
    from pathlib import Path

ANSWERS = f"""#!/bin/sh
echo "$@" > "$0.asked"
exec {sys.executable} -
"""
REFUSES = """#!/bin/sh
echo "node1: Permission denied (publickey)." >&2
exit 255
"""
BABBLES = """#!/bin/sh
echo "Welcome to node1"
"""


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return tmp_path / "ssh"


def install(ssh: Path, text: str) -> None:
    ssh.write_text(text)
    ssh.chmod(0o755)


def test_the_script_travels_and_the_snapshot_comes_back(ssh: Path) -> None:
    install(ssh, ANSWERS)

    snapshot = collect_from("admin@node1")

    assert snapshot.part("machine", "uname")
    asked = ssh.with_name("ssh.asked").read_text().split()
    assert asked[-4:] == ["--", "admin@node1", "python3", "-"]
    assert "BatchMode=yes" in asked
    assert not [word for word in asked if "StrictHostKeyChecking" in word]


@pytest.mark.parametrize(("program", "reason"), [(REFUSES, "Permission denied")])
def test_a_machine_that_refuses_is_told(program: str, reason: str, ssh: Path) -> None:
    install(ssh, program)

    with pytest.raises(HostFailed, match=reason):
        collect_from("node1")


def test_an_answer_that_is_no_snapshot_is_told(ssh: Path) -> None:
    install(ssh, BABBLES)

    with pytest.raises(UnusableInput, match="no snapshot"):
        collect_from("node1")


def test_without_ssh_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(HostFailed, match="not installed"):
        collect_from("node1")


@pytest.mark.parametrize("host", ["", "-oProxyCommand=x", "a b", "a;b", "$(x)", "a\nb"])
def test_what_is_no_host_name_is_refused(host: str) -> None:
    with pytest.raises(UnusableInput):
        collect_from(host)
