"""How long a lock takes: resolving over the whole matrix, and one stack from warm caches.

    python -m tests.bench.bench_lock

The index is one on loopback, so that the network has no say; uv's cache is warm after the first run. Exit 1 where a bar
is missed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from tests.lock.conftest import WHEELS
from tests.lock.index import index_in, serving

from ascendenv.lock.clash import clash
from ascendenv.lock.resolve import Target, best, least_change
from ascendenv.lock.spec import StackWishes
from ascendenv.matrix.store import shipped_matrix
from ascendenv.versions import VersionRange, pep440, vendor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascendenv.matrix.model import Matrix

RUNS = 5
RESOLVE, LOCK = 0.1, 2.0
"""The bars in seconds."""
SPEC = """\
[sources]
index = "{simple}"
torch_index = "{cpu}"
[stack]
chip = "910B3"
arch = ["aarch64", "x86_64"]
cann = "8.5.0"
torch_npu = "2.9.0"
python = "3.11"
pip = ["accelerate"]
"""
LOCKED = {
    "driver": vendor("25.5.0"),
    "firmware": vendor("7.8.0.5.216"),
    "cann": vendor("8.5.0"),
    "torch": pep440("2.9.0"),
    "torch_npu": pep440("2.9.0"),
    "python": pep440("3.11"),
}


def seconds(work: Callable[[], object]) -> float:
    """The median of some runs, each timed alone."""
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return median(taken)


def resolving(matrix: Matrix) -> Iterator[tuple[str, Callable[[], object]]]:
    """The questions a lock puts to the matrix, the hardest ones last."""
    free = Target.of(StackWishes(chip="910B3", arch=("aarch64", "x86_64")))
    clashing = Target.of(
        StackWishes(
            chip="910B3",
            arch=("aarch64", "x86_64"),
            cann=VersionRange(">=9.2", "vendor"),
            driver=VersionRange("25.0.RC1", "vendor"),
            torch=VersionRange(">=2.6,<2.7", "pep440"),
            python=VersionRange(">=3.9", "pep440"),
        )
    )
    yield "best set of all", lambda: best(matrix, free)
    yield "least change", lambda: least_change(matrix, free, LOCKED)
    for name in ("driver", "cann", "torch", "torch_npu", "python"):
        yield f"upgrade {name}", lambda name=name: least_change(matrix, free, LOCKED, [name])  # type: ignore[misc]
    yield "smallest clash of four wishes", lambda: clash(matrix, clashing, "x")


@contextmanager
def project() -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder with wishes, and an environment with a cache of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        index_in(folder / "index", WHEELS)
        with serving(folder / "index") as index:
            (folder / "ascendenv.toml").write_text(SPEC.format(simple=index.simple, cpu=index.cpu))
            yield folder, {**os.environ, "UV_CACHE_DIR": str(folder / "cache")}


def lock_in(folder: Path, environment: dict[str, str], *arguments: str) -> None:
    """One run of the command as a user starts it."""
    command = [sys.executable, "-m", "ascendenv", "lock", *arguments]
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)


def main() -> int:
    """Print the table; 1 where a bar is missed."""
    missed = False
    matrix = shipped_matrix()
    for name, work in resolving(matrix):
        taken = seconds(work)
        missed = missed or taken > RESOLVE
        print(f"{name:<42} {1000 * taken:8.1f} ms   (bar {1000 * RESOLVE:.0f} ms)")
    with project() as (folder, environment):
        lock_in(folder, environment)

        def anew() -> None:
            (folder / "ascendenv.lock").unlink()
            lock_in(folder, environment)

        runs = (
            ("lock of one stack, both architectures, anew", anew),
            ("lock --upgrade", lambda: lock_in(folder, environment, "--upgrade")),
            ("lock that stands", lambda: lock_in(folder, environment)),
            ("lock --check", lambda: lock_in(folder, environment, "--check")),
            ("lock --explain", lambda: lock_in(folder, environment, "--explain")),
        )
        for name, work in runs:
            taken = seconds(work)
            missed = missed or taken > LOCK
            print(f"{name:<42} {taken:8.2f} s    (bar {LOCK:.0f} s)")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
