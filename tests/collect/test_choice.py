"""Which Python is the one in question: the rule, shims of version managers, and interpreters that do not answer."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from ascendenv.collect.probes.choice import Question, behind_shim, choose, is_ours
from ascendenv.collect.probes.system import System
from ascendenv.collect.script import probe_source

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = probe_source("interpreter")


def program(root: Path, path: str, script: str = "exit 0") -> Path:
    place = root / path[1:]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"#!/bin/sh\n{script}\n")
    place.chmod(0o755)
    return place


@pytest.fixture
def machine(tmp_path: Path) -> System:
    for path in (
        "/venv/bin/python",
        "/conda/bin/python",
        "/usr/bin/python3",
        "/usr/bin/python3.10",
        "/opt/py/bin/python3",
    ):
        program(tmp_path, path)
    return System(str(tmp_path), {})


@pytest.mark.parametrize(
    ("named", "environ", "executable", "chosen"),
    [
        ("/opt/py/bin/python3", {"VIRTUAL_ENV": "/venv"}, None, ("/opt/py/bin/python3", "--python")),
        ("python3.10", {"PATH": "/usr/bin"}, None, ("/usr/bin/python3.10", "--python")),
        ("python9", {"PATH": "/usr/bin"}, None, ("python9", "--python")),
        (None, {"VIRTUAL_ENV": "/venv"}, "/opt/py/bin/python3", ("/opt/py/bin/python3", "--pid")),
        (None, {"VIRTUAL_ENV": "/venv"}, "/usr/bin/bash", ("/venv/bin/python", "VIRTUAL_ENV")),
        (None, {"VIRTUAL_ENV": "/venv", "CONDA_PREFIX": "/conda"}, None, ("/venv/bin/python", "VIRTUAL_ENV")),
        (
            None,
            {"VIRTUAL_ENV": "/gone", "CONDA_PREFIX": "/conda"},
            None,
            ("/conda/bin/python", "CONDA_PREFIX"),
        ),
        (None, {"PATH": "/opt/py/bin:/usr/bin"}, None, ("/opt/py/bin/python3", "PATH")),
        (None, {}, None, ("/usr/bin/python3", "PATH")),
    ],
)
def test_the_rule_is_followed_in_its_order(
    machine: System,
    named: str | None,
    environ: dict[str, str],
    executable: str | None,
    chosen: tuple[str, str],
) -> None:
    assert choose(machine, named, environ, executable) == chosen


def test_without_any_python_it_is_ours(tmp_path: Path) -> None:
    assert choose(System(str(tmp_path), {}), None, {"PATH": "/nowhere"}, None) == (sys.executable, "ours")


@pytest.mark.parametrize(
    ("environ", "files", "chosen"),
    [
        ({"PYENV_VERSION": "3.10.13"}, {}, "/p/versions/3.10.13/bin/python3"),
        ({}, {"/p/version": "3.11.7\n"}, "/p/versions/3.11.7/bin/python3"),
        ({}, {"/p/version": "system\n3.11.7\n"}, "/p/versions/3.11.7/bin/python3"),
        ({"PYENV_VERSION": "system"}, {}, "/p/shims/python3"),
        ({}, {}, "/p/shims/python3"),
    ],
)
def test_behind_a_shim_stands_an_interpreter(
    tmp_path: Path,
    environ: dict[str, str],
    files: dict[str, str],
    chosen: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    for version in ("3.10.13", "3.11.7"):
        program(tmp_path, f"/p/versions/{version}/bin/python3")
    for path, text in files.items():
        (tmp_path / path[1:]).write_text(text)

    assert behind_shim(System(str(tmp_path), {}), "/p/shims/python3", environ) == chosen


def test_no_shim_is_left_as_it_is() -> None:
    assert behind_shim(System(), "/usr/bin/python3", {}) == "/usr/bin/python3"


def test_our_own_interpreter_is_not_started() -> None:
    assert is_ours(System(), sys.executable)

    record = Question(System(), sys.executable, {}, None, "raise SystemExit(1)").answer()

    assert (record["version"], record["chosen_by"]) == (".".join(map(str, sys.version_info[:3])), "--python")


def test_another_interpreter_describes_itself(tmp_path: Path) -> None:
    other = tmp_path / "python3"
    other.symlink_to(os.path.realpath(sys.executable))

    record = Question(System(), str(other), dict(os.environ), None, SOURCE).answer()

    assert "failed" not in record
    assert record["chosen_by"] == "--python"


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (
            "echo 'Traceback' >&2; echo 'ImportError: libpython3.10.so.1.0' >&2; exit 127",
            "ImportError: libpython3.10.so.1.0",
        ),
        ("echo no json", "no answer"),
        ("sleep 30", "timeout"),
    ],
)
def test_an_interpreter_that_does_not_answer_is_told_by_its_files(
    tmp_path: Path, script: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ascendenv.collect.probes.choice.INTERPRETER_SECONDS", 0.5)
    program(tmp_path, "/env/bin/python", script)
    site = tmp_path / "env/lib/python3.10/site-packages"
    (site / "torch-2.6.0.dist-info").mkdir(parents=True)
    (tmp_path / "env/pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.10.14\n")

    record = Question(System(str(tmp_path), {}), "/env/bin/python", {}, None, SOURCE).answer()

    assert (record["failed"], record["executable"]) == (why, "/env/bin/python")
    assert (record["version"], record["distributions"]) == ("3.10.14", [["torch", "2.6.0", str(site)]])


def test_an_interpreter_that_is_not_there_is_told(tmp_path: Path) -> None:
    record = Question(System(str(tmp_path), {}), "/no/python", {}, None, SOURCE).answer()

    assert record["failed"] == "not found"
    assert json.loads(json.dumps(record))["distributions"] == []
