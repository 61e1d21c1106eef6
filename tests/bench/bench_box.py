"""How long `ascendenv doctor` takes on a machine, beside what else one would run there, all in one run.

    python -m tests.bench.bench_box

The machine is a simulated one (tests/boxes): eight 910B with driver and CANN, and a real torch 2.13.0 with torch_npu
2.13.0 on stand-in CANN libraries (tests/collect/real_torch.py; the first run fetches them). Its npu-smi answers at
once; what a real one takes comes on top, less the time in which the checks are imported. Medians of whole processes,
taken in turns, files in the page cache; the last columns are the most memory and the ratio to the doctor.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from tests.boxes.box import Cann
from tests.boxes.named import HEALTHY_910B
from tests.boxes.pretended import build, environment_of
from tests.collect.real_torch import package_of, python_with_torch, stubs_for, torch_package

TORCH_NPU = "2.13.0"
BOX = replace(HEALTHY_910B, cann=(Cann("9.0.0"),), driver="26.0.rc1", firmware="8.0.0.0")
RUNS = 9
MOST_SECONDS = 0.3
MOST_MEGABYTES = 100
ON_BOX = """
import os, sys
from ascendenv.collect.probes import main
from ascendenv.collect.probes.system import System

root, outside, *arguments = sys.argv[1:]


class Box(System):
    def at(self, path, follow=True):
        return path if path.startswith(outside) else super().at(path, follow)


main.System = lambda: Box(root, dict(os.environ))
from ascendenv.cli.run import run

sys.exit(run(arguments))
"""
MEASURE = """
import os, sys, time

started = time.perf_counter()
child = os.fork()
if child == 0:
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.execv(sys.argv[1], sys.argv[1:])
usage = os.wait4(child, 0)[2]
print(time.perf_counter() - started, usage.ru_maxrss, file=sys.stderr)
"""
TYPER = """
import typer

app = typer.Typer()


@app.command()
def main(version: bool = False) -> None:
    print("1.0")


app()
"""


@dataclass
class Timed:
    """One command line: its environment, and what its runs took."""

    command: list[str]
    environment: dict[str, str]
    seconds: list[float] = field(default_factory=list)
    megabytes: int = 0

    def run(self) -> None:
        # A child counts the memory of whoever forked it, so a small process starts the one that is measured.
        done = subprocess.run(
            [sys.executable, "-S", "-c", MEASURE, *self.command],
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        seconds, kilobytes = done.stderr.split()[-2:]
        self.seconds.append(float(seconds))
        self.megabytes = max(self.megabytes, int(kilobytes) // 1024)

    @property
    def median(self) -> float:
        return statistics.median(self.seconds[1:])


def main() -> int:
    """Print the table; 1 where the doctor is slower than half the import of torch_npu or needs too much memory."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "box")
        build(BOX, root)
        rows = {**_own(root), **_with_torch(root)}
        for _ in range(RUNS + 1):
            for row in rows.values():
                row.run()
    doctor = next(iter(rows.values()))
    print(f"{'':44}{'median':>9}{'fastest':>9}{'memory':>9}{'ratio':>8}")
    for name, row in rows.items():
        print(
            f"{name:44}{row.median * 1e3:6.0f} ms{min(row.seconds) * 1e3:6.0f} ms{row.megabytes:6} MB"
            f"{row.median / doctor.median:7.2f}x"
        )
    return _judged(rows)


def _own(root: Path) -> dict[str, Timed]:
    plain = {**os.environ, **environment_of(BOX)}
    command = [sys.executable, "-c", ON_BOX, str(root), "/nowhere"]
    return {
        "doctor on 8 x 910B, no torch": Timed([*command, "doctor"], plain),
        "doctor on this machine": Timed([sys.executable, "-m", "ascendenv", "doctor"], dict(os.environ)),
        "ascendenv --version": Timed([sys.executable, "-m", "ascendenv", "--version"], dict(os.environ)),
        "a bare typer program": Timed([sys.executable, "-c", TYPER, "--version"], dict(os.environ)),
        "python -c pass": Timed([sys.executable, "-c", "pass"], dict(os.environ)),
    }


def _with_torch(root: Path) -> dict[str, Timed]:
    try:
        python, stubs, package = python_with_torch(), stubs_for(TORCH_NPU), package_of(TORCH_NPU)
    except pytest.skip.Exception as reason:
        print(f"without torch: {reason}")
        return {}
    environment = {
        **os.environ,
        "PYTHONPATH": str(package),
        "LD_LIBRARY_PATH": f"{stubs}:{torch_package()}/lib",
    }
    on_box = {**environment, **environment_of(BOX), "PYTHONPATH": str(package)}
    on_box["LD_LIBRARY_PATH"] = f"{environment['LD_LIBRARY_PATH']}:{on_box['LD_LIBRARY_PATH']}"
    outside = str(Path(__file__).resolve().parents[2] / "build")
    command = [sys.executable, "-c", ON_BOX, str(root), outside, "doctor", "--python", str(python)]
    return {
        "doctor on 8 x 910B, torch and torch_npu": Timed(command, on_box),
        "python -m torch.utils.collect_env": Timed(
            [str(python), "-m", "torch.utils.collect_env"], environment
        ),
        "import torch, torch_npu": Timed([str(python), "-c", "import torch, torch_npu"], environment),
    }


def _judged(rows: dict[str, Timed]) -> int:
    doctors = {name: row for name, row in rows.items() if name.startswith("doctor")}
    slowest = max(row.median for row in doctors.values())
    most = max(row.megabytes for row in doctors.values())
    print(f"slowest doctor: {slowest * 1e3:.0f} ms (wanted: {MOST_SECONDS * 1e3:.0f}), {most} MB")
    imported = rows.get("import torch, torch_npu")
    too_slow = imported is not None and slowest > imported.median / 2
    return 1 if too_slow or most > MOST_MEGABYTES else 0


if __name__ == "__main__":
    sys.exit(main())
