"""Puts all probes together: one snapshot of one machine as JSON-ready data.

`python3 - < script` prints it. A probe that fails is recorded as failed; the others still run.
"""

import argparse
import json
import os
import sys
import time
import traceback
from typing import Any, Callable, Dict, List, Optional

from .cann import collect_cann
from .devices import collect_devices
from .interpreter import choose_interpreter, describe_interpreter
from .loader import Loader, read_cache
from .machine import collect_machine
from .process import collect_process
from .record import run
from .symbols import check_extension, extensions_of

SCHEMA_VERSION = 1
NPU_SMI_SECONDS = 8.0
INTERPRETER_SECONDS = 10.0
LOADER_VARIABLES = ("LD_LIBRARY_PATH", "LD_PRELOAD")


def collect(
    interpreter_source: str, python: Optional[str] = None, pid: Optional[int] = None
) -> Dict[str, Any]:
    """The snapshot. `python` names the interpreter in question, `pid` a process whose environment counts.

    `interpreter_source` is the text of the module `interpreter`, which another interpreter is asked to run.
    """
    started = time.time()
    snapshot: Dict[str, Any] = {"schema_version": SCHEMA_VERSION, "collector_python": sys.version.split()[0]}
    snapshot["process"] = attempt(lambda: collect_process(pid))
    environ = snapshot["process"].get("environ") or dict(os.environ)
    snapshot["machine"] = attempt(collect_machine)
    snapshot["devices"] = attempt(lambda: collect_devices(NPU_SMI_SECONDS))
    snapshot["interpreter"] = attempt(lambda: ask_interpreter(python, environ, interpreter_source))
    path = snapshot["interpreter"].get("path") or []
    snapshot["cann"] = attempt(lambda: collect_cann(environ, path))
    snapshot["symbols"] = attempt(lambda: check_symbols(snapshot["interpreter"], environ))
    snapshot["seconds"] = round(time.time() - started, 3)
    return snapshot


def attempt(probe: Callable[[], Dict[str, Any]]) -> Dict[str, Any]:
    """The probe's record, or `{"failed": "..."}`: one broken corner of a machine must not hide the rest."""
    try:
        return probe()
    except Exception:  # noqa: BLE001
        return {"failed": traceback.format_exc().strip().splitlines()[-1]}


def ask_interpreter(named: Optional[str], environ: Dict[str, str], source: str) -> Dict[str, Any]:
    """The description of the interpreter in question, and the rule by which it was chosen."""
    path, rule = choose_interpreter(named, environ)
    if path == sys.executable:
        record = describe_interpreter()
    else:
        answer = run([path, "-c", source], INTERPRETER_SECONDS, environ)
        try:
            record = json.loads(answer.get("stdout", ""))
        except ValueError:
            reason = (
                answer.get("error") or (answer.get("stderr", "").strip().splitlines() or ["no answer"])[-1]
            )
            record = {"executable": path, "failed": reason}
    record["chosen_by"] = rule
    return record


def check_symbols(interpreter: Dict[str, Any], environ: Dict[str, str]) -> Dict[str, Any]:
    """The loader's view of torch and torch_npu in that interpreter; `{"absent": ...}` where torch_npu is not there."""
    homes = package_homes(interpreter.get("path") or [], ("torch", "torch_npu"))
    if "torch_npu" not in homes:
        return {"absent": "torch_npu"}
    loader = Loader(os.uname().machine, environ.get("LD_LIBRARY_PATH", ""), read_cache())
    preloaded = environ.get("LD_PRELOAD", "").replace(":", " ").split()
    if "torch" in homes:
        preloaded += extensions_of(homes["torch"], "torch")
    record = check_extension(
        loader,
        os.path.realpath(interpreter["executable"]),
        preloaded,
        extensions_of(homes["torch_npu"], "torch_npu"),
    )
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
    parser = argparse.ArgumentParser(
        description="Collect what tells why an Ascend machine is broken; changes nothing."
    )
    parser.add_argument("--python", help="the interpreter to look into")
    parser.add_argument("--pid", type=int, help="a running process whose environment and libraries count")
    options = parser.parse_args(arguments)
    json.dump(collect(interpreter_source, options.python, options.pid), sys.stdout, sort_keys=True)
    sys.stdout.write("\n")
    return 0
