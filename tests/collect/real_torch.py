"""Real torch and torch_npu wheels, kept in build/test-cache between runs: one torch, several torch_npu beside it.

The first run installs torch (a minute) and fetches some 45 MB for each torch_npu.
"""

from __future__ import annotations

import fcntl
import functools
import json
import subprocess
import sys
import tempfile
import venv
import zipfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.stub_cann import build_stubs

from ascendenv.signals.exports import needed_by
from ascendenv.versions import pep440

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["TORCH", "package_of", "python_with_torch", "stubs_for", "torch_package"]

TORCH = "2.13.0"
CACHE = Path(__file__).resolve().parents[2] / "build" / "test-cache"


@functools.lru_cache(maxsize=1)
def python_with_torch() -> Path:
    """The interpreter of an environment with torch's CPU build and what torch_npu imports; skips where there is none."""
    home = CACHE / f"torch-{TORCH}-py{sys.version_info.minor}"
    python = home / "bin" / "python"
    with _alone():
        if not (home / "complete").exists():
            _skip_unless_small(f"torch=={TORCH}")
            venv.create(home, with_pip=True, clear=True)
            _run(
                str(python), "-m", "pip", "install", "-q", f"torch=={TORCH}", "numpy", "pyyaml", "setuptools"
            )
            (home / "complete").touch()
    return python


def torch_package() -> Path:
    """The folder of the package torch in that environment."""
    return next((python_with_torch().parents[1] / "lib").glob("python3*/site-packages/torch"))


@functools.lru_cache(maxsize=16)
def package_of(version: str) -> Path:
    """The folder that holds the package torch_npu of that version, as its wheel brings it."""
    home = CACHE / f"torch_npu-{version}-py{sys.version_info.minor}"
    with _alone():
        if not (home / "complete").exists():
            with tempfile.TemporaryDirectory() as folder:
                command = ("download", "-q", "--no-deps", "--only-binary=:all:", "-d", folder)
                _run(sys.executable, "-m", "pip", *command, f"torch-npu=={version}")
                with zipfile.ZipFile(next(Path(folder).iterdir())) as wheel:
                    wheel.extractall(home)
            (home / "complete").touch()
    return home


@functools.lru_cache(maxsize=16)
def stubs_for(version: str) -> Path:
    """The folder of stand-in CANN libraries for that torch_npu, complete."""
    needs = needed_by(pep440(version))
    package, torch = package_of(version) / "torch_npu", torch_package()
    folder = CACHE / f"stubs-{version}-py{sys.version_info.minor}"
    with _alone():
        return build_stubs(folder, package, torch, looked_up=needs.looked_up if needs else ())


def _skip_unless_small(requirement: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        _run(sys.executable, "-m", "pip", "install", "-q", "--dry-run", "--ignore-installed", "--no-deps",
             "--report", str(report), requirement)  # fmt: skip
        (row,) = json.loads(report.read_text())["install"]
    if "cpu" not in row["metadata"]["version"]:
        pytest.skip(f"the package index here has no CPU build of {requirement}")


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        pytest.skip(f"cannot be had here: {last}")


@contextmanager
def _alone() -> Iterator[None]:
    """While the cache is looked at and filled, others wait."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
