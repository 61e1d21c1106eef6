"""Puts all probes together: one snapshot of one machine as JSON-ready data.

`python3 - < script` prints it. A probe that fails or hangs is recorded as failed; the others still run.
"""

import json
import os
import sys
import time
from typing import Any, Dict, List, Optional

from .attempt import attempt
from .cann import collect_cann
from .choice import Question
from .command import Command
from .devices import collect_devices
from .driver import collect_driver, start_npu_smi
from .kernel import DMESG_SECONDS, collect_kernel
from .loader import Loader, read_cache
from .machine import collect_machine
from .network import collect_network
from .process import collect_process
from .runtimes import collect_runtimes
from .storage import collect_storage
from .symbols import check_modules, extensions_of, plugins_of, preloads_of_torch, try_library
from .system import System

SCHEMA_VERSION = 1
TOOLS = ("gcc", "g++", "clang", "cmake", "ldd")
TOOL_SECONDS = 2.0
LONG_SECONDS = 20.0
"""The limit of probes that wait for programs, which have limits of their own."""


def collect(
    interpreter_source: str,
    python: Optional[str] = None,
    pid: Optional[int] = None,
    system: Optional[System] = None,
    tools: bool = False,
) -> Dict[str, Any]:
    """The snapshot. `python` names the interpreter in question, `pid` a process whose environment counts.

    `interpreter_source` is the text of the module `interpreter`, which another interpreter is asked to run; with
    `tools` compilers are asked for their versions, too.
    """
    started = time.time()
    system = system or System()
    table = start_npu_smi(system)
    log = Command(system, ["dmesg"], DMESG_SECONDS)
    compilers = {name: Command(system, [name, "--version"], TOOL_SECONDS) for name in TOOLS if tools}
    process = attempt(lambda: collect_process(system, pid))
    environ = process.get("environ") or system.environ
    question = Question(system, python, environ, process.get("exe"), interpreter_source)
    snapshot: Dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "collector_python": sys.version.split()[0],
        "process": process,
        "machine": attempt(lambda: collect_machine(system)),
        "storage": attempt(lambda: collect_storage(system)),
        "devices": attempt(lambda: collect_devices(system)),
        "kernel": attempt(lambda: collect_kernel(system, log)),
        "interpreter": attempt(question.answer, LONG_SECONDS),
    }
    snapshot.update(about_software(system, snapshot["interpreter"], environ))
    nodes = list(snapshot["devices"].get("nodes") or {})
    snapshot["driver"] = attempt(lambda: collect_driver(system, table), LONG_SECONDS)
    snapshot["network"] = attempt(lambda: collect_network(system, nodes))
    snapshot["tools"] = {name: command.answer() for name, command in compilers.items()}
    snapshot["seconds"] = round(time.time() - started, 3)
    return snapshot


def about_software(system: System, interpreter: Dict[str, Any], environ: Dict[str, str]) -> Dict[str, Any]:
    """The sections on what runs on the driver: CANN, the C++ run-time libraries, and what the loader would say."""
    return {
        "cann": attempt(lambda: collect_cann(system, environ, interpreter.get("path") or [])),
        "runtimes": attempt(lambda: collect_runtimes(system, interpreter, environ)),
        "symbols": attempt(lambda: check_symbols(interpreter, environ)),
    }


def check_symbols(interpreter: Dict[str, Any], environ: Dict[str, str]) -> Dict[str, Any]:
    """The loader's view of torch and torch_npu in that interpreter; `{"absent": ...}` where torch_npu is not there."""
    homes = package_homes(interpreter.get("path") or [], ("torch", "torch_npu"))
    if "torch_npu" not in homes:
        return {"absent": "torch_npu"}
    loader = Loader(os.uname().machine, environ.get("LD_LIBRARY_PATH", ""), read_cache())
    preloaded = environ.get("LD_PRELOAD", "").replace(":", " ").split()
    modules = extensions_of(homes["torch_npu"], "torch_npu")
    if "torch" in homes:
        preloaded += preloads_of_torch(homes["torch"])
        modules = extensions_of(homes["torch"], "torch") + modules
    record = check_modules(loader, os.path.realpath(interpreter["executable"]), preloaded, modules)
    record["tried"] = {path: try_library(loader, path) for path in plugins_of(homes["torch_npu"])}
    record["homes"] = homes
    return record


def package_homes(path: List[str], names: "tuple[str, ...]") -> Dict[str, str]:
    """For each package of `names` the first folder of `path` that holds it."""
    homes = {}
    for name in names:
        for folder in path:
            if os.path.isdir(os.path.join(folder or ".", name)):
                homes[name] = folder or "."
                break
    return homes


def main(arguments: List[str], interpreter_source: str) -> int:
    """Print the snapshot as JSON."""
    import argparse

    parser = argparse.ArgumentParser(
        description="Collect what tells why an Ascend machine is broken; changes nothing."
    )
    parser.add_argument("--python", help="the interpreter to look into")
    parser.add_argument("--pid", type=int, help="a running process whose environment and libraries count")
    options = parser.parse_args(arguments)
    json.dump(collect(interpreter_source, options.python, options.pid), sys.stdout, sort_keys=True)
    sys.stdout.write("\n")
    return 0
