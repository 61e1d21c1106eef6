"""How fast the symbol check is, beside `ldd -r` and the real import, all in one run.

    python -m tests.bench.bench_symbols

torch 2.13.0 with torch_npu 2.13.0 on stand-in CANN libraries (see tests/collect/real_torch.py; the first run fetches
them). Medians of five runs of a whole process each, files in the page cache; the last column is peak memory.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

from tests.collect.real_torch import package_of, python_with_torch, stubs_for, torch_package

VERSION = "2.13.0"
RUNS = 5
CHECK = """
import os, sys, time
from ascendenv.collect.probes.loader import Loader, read_cache
from ascendenv.collect.probes.symbols import check_modules, extensions_of, preloads_of_torch
python, torch, torch_npu = sys.argv[1:]
start = time.perf_counter()
modules = extensions_of(torch, "torch") + extensions_of(torch_npu, "torch_npu")
loader = Loader(os.uname().machine, os.environ["LD_LIBRARY_PATH"], read_cache())
record = check_modules(loader, os.path.realpath(python), preloads_of_torch(torch), modules)
assert not record["missing_symbols"] and not record["missing_libraries"]
print(time.perf_counter() - start)
"""


@dataclass(frozen=True)
class Measured:
    """Seconds of a whole process, seconds it reports of itself, and its peak memory in MB."""

    seconds: float
    inside: float | None
    memory: int


def main() -> int:
    """Print the table; 1 when the check takes more than a tenth of the import."""
    stubs, torch, torch_npu = stubs_for(VERSION), torch_package(), package_of(VERSION)
    environment = {
        **os.environ,
        "PYTHONPATH": str(torch_npu),
        "LD_LIBRARY_PATH": f"{stubs}:{torch}/lib",
        "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",
    }
    python, module = str(python_with_torch()), str(next((torch_npu / "torch_npu").glob("_C.*so")))
    rows = {
        "static check": _measured([sys.executable, "-c", CHECK, python, str(torch.parent), str(torch_npu)], environment),
        "ldd -r": _measured(["ldd", "-r", module], environment),
        "import torch": _measured([python, "-c", "import torch"], environment),
        "import torch, torch_npu": _measured([python, "-c", "import torch, torch_npu"], environment),
    }  # fmt: skip
    first = rows["static check"]
    print(f"{'':26}{'process':>10}{'inside':>10}{'ratio':>9}{'memory':>10}")
    for name, row in rows.items():
        inside = f"{row.inside * 1e3:7.0f} ms" if row.inside is not None else ""
        print(
            f"{name:26}{row.seconds * 1e3:7.0f} ms{inside:>10}{row.seconds / first.seconds:8.1f}x{row.memory:7} MB"
        )
    fast_enough = first.seconds <= rows["import torch, torch_npu"].seconds / 10
    print("the check is", "within" if fast_enough else "OVER", "a tenth of the import")
    return 0 if fast_enough else 1


def _measured(command: list[str], environment: dict[str, str]) -> Measured:
    seconds, inside, memory = [], [], 0
    for _ in range(RUNS + 1):
        start = time.perf_counter()
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as child:
            output = child.stdout.read().decode() if child.stdout else ""
            _, _, usage = os.wait4(child.pid, 0)
            child.returncode = 0
        seconds.append(time.perf_counter() - start)
        memory = max(memory, usage.ru_maxrss // 1024)
        if command[1:3] == ["-c", CHECK]:
            inside.append(float(output))
    return Measured(statistics.median(seconds[1:]), statistics.median(inside[1:]) if inside else None, memory)


if __name__ == "__main__":
    sys.exit(main())
