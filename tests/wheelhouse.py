"""Real torch and torch_npu for slow tests, made once from the package index and kept in `build/test-cache`."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import sys
import zipfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["CACHE", "TORCH", "torch_npu_folder", "torch_python"]

CACHE = Path(__file__).resolve().parents[1] / "build" / "test-cache"
TORCH = "2.13.0"
"""The one torch that is installed; torch_npu comes in several releases beside it."""


def torch_python() -> Path:
    """An interpreter of this version that has torch (a CPU build) and numpy."""
    return _made(f"torch-{TORCH}", _install_torch) / "bin" / "python"


def torch_npu_folder(version: str) -> Path:
    """A folder for PYTHONPATH that holds torch_npu of that version and the packages that it imports."""
    return _made(f"torch_npu-{version}", lambda folder: _unpack_torch_npu(version, folder))


def _install_torch(folder: Path) -> None:
    _run(sys.executable, "-m", "venv", str(folder))
    _run(
        str(folder / "bin" / "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        f"torch=={TORCH}",
        "numpy",
        "PyYAML",
    )


def _unpack_torch_npu(version: str, folder: Path) -> None:
    wheels = folder / "wheels"
    _run(
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "-d",
        str(wheels),
        f"torch-npu=={version}",
    )
    (wheel,) = wheels.glob("torch_npu-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    shutil.rmtree(wheels)


def _made(name: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name, made now or earlier; another test process that makes it is waited for.

    It is made in the place where it stays, as an environment does not move; the mark beside it tells that it is whole.
    """
    folder, mark = CACHE / name, CACHE / f"{name}.whole"
    with _alone(CACHE / f"{name}.lock"):
        if not mark.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            make(folder)
            mark.touch()
    return folder


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
