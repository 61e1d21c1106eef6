"""The collector as one script: `ssh node python3 - < script | ascendenv doctor --snapshot -` with any Python from 3.6 on."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.collect.pythons import pythons

from ascendenv.collect.script import MODULES, collector_script

PROBES = Path(__file__).resolve().parents[2] / "src" / "ascendenv" / "collect" / "probes"
SECTIONS = {
    "process", "machine", "storage", "devices", "kernel", "interpreter", "driver", "network", "cann", "runtimes", "symbols",
}  # fmt: skip
WATCH = """
import os, sys
written = []
def watch(event, arguments):
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        if not str(arguments[0]).startswith("/dev/"):
            written.append(str(arguments[0]))
    elif event in ("os.mkdir", "os.remove", "os.rename", "os.chmod", "os.chown", "os.symlink", "os.rmdir", "os.utime"):
        written.append(event + str(arguments))
sys.addaudithook(watch)
"""


def run(
    python: str, *, environ: dict[str, str] | None = None, arguments: tuple[str, ...] = ()
) -> dict[str, Any]:
    """What the script prints when it comes over standard input, as with ssh."""
    answer = subprocess.run(
        [python, "-W", "error", "-", *arguments],
        input=collector_script().encode(),
        capture_output=True,
        env=environ,
        timeout=60,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr.decode()
    assert not answer.stderr
    record: dict[str, Any] = json.loads(answer.stdout)
    return record


@pytest.mark.parametrize("version", pythons())
def test_the_script_runs_in_an_empty_environment(version: str) -> None:
    record = run(pythons()[version], environ={})

    assert record["collector_python"].startswith(f"{version}.")
    assert set(record) >= SECTIONS
    assert [name for name in SECTIONS if "failed" in record[name] and name != "interpreter"] == []
    assert record["process"]["environ"].keys() <= {"LC_CTYPE", "__CF_USER_TEXT_ENCODING"}


@pytest.mark.parametrize("version", pythons())
def test_the_doctor_reads_what_the_script_prints(version: str, tmp_path: Path) -> None:
    script = tmp_path / "collect.py"
    script.write_text(collector_script())
    pipe = (
        f"{pythons()[version]} - < {script} | {sys.executable} -m ascendenv doctor --snapshot - --format json"
    )

    answer = subprocess.run(["sh", "-c", pipe], capture_output=True, text=True, timeout=60, check=False)

    document = json.loads(answer.stdout)
    assert "error" not in document
    assert document["box"]["python"] is not None


def test_the_script_writes_nothing(tmp_path: Path) -> None:
    check = "\nprint(written, file=sys.stderr)\n"
    script = collector_script().replace("sys.exit(sys.modules", "(sys.modules")

    answer = subprocess.run(
        [sys.executable, "-"],
        input=WATCH + script + check,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
        check=True,
    )

    assert answer.stderr.strip() == "[]"
    assert list(tmp_path.iterdir()) == []


def test_the_interpreter_in_question_can_be_named() -> None:
    record = run(sys.executable, arguments=("--python", sys.executable))

    assert record["interpreter"]["chosen_by"] == "--python"


def test_a_running_process_can_be_named() -> None:
    record = run(sys.executable, arguments=("--pid", str(os.getpid())))

    assert record["process"]["pid"] == os.getpid()
    assert record["interpreter"]["chosen_by"] == "--pid"


def test_every_probe_is_part_of_the_script() -> None:
    assert set(MODULES) == {path.stem for path in PROBES.glob("*.py")} - {"__init__"}


@pytest.mark.parametrize("name", MODULES)
def test_modules_come_after_those_that_they_import(name: str) -> None:
    tree = ast.parse((PROBES / f"{name}.py").read_text())
    imported = {
        str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 1
    }

    assert imported <= set(MODULES[: MODULES.index(name)])


def test_the_interpreter_module_stands_alone() -> None:
    tree = ast.parse((PROBES / "interpreter.py").read_text())

    assert not [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]


def test_an_undecodable_environment_travels(tmp_path: Path) -> None:
    environ = {**os.environb, b"ODD": b"\xff\xfe\x1b[31m"}
    answer = subprocess.run(
        [sys.executable, "-"],
        input=collector_script().encode(),
        capture_output=True,
        env=environ,
        timeout=60,
        check=True,
    )
    snapshot = tmp_path / "snapshot.json"
    snapshot.write_bytes(answer.stdout)

    told = subprocess.run(
        [sys.executable, "-m", "ascendenv", "doctor", "--snapshot", str(snapshot)],
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert told.returncode in (0, 1, 4)
    assert b"\x1b" not in told.stdout
