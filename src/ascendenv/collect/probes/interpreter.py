"""The Python in question: its packages by their metadata, its paths and tags. Nothing of it is imported."""

import json
import os
import platform
import sys
import sysconfig
from typing import Any, Dict, List, Optional, Tuple

Distribution = Tuple[str, str, str]


def describe_interpreter() -> Dict[str, Any]:
    """What the running interpreter is, as JSON-ready data."""
    return {
        "executable": sys.executable,
        "version": platform.python_version(),
        "implementation": platform.python_implementation(),
        "prefix": sys.prefix,
        "base_prefix": getattr(sys, "base_prefix", sys.prefix),
        "path": list(sys.path),
        "platform": sysconfig.get_platform(),
        "soabi": sysconfig.get_config_var("SOABI"),
        "distributions": [list(one) for one in distributions(sys.path)],
        "metadata_requires": requirements(sys.path, ("torch_npu", "torch-npu")),
    }


def distributions(path: List[str]) -> List[Distribution]:
    """(name, version, folder) of every distribution on `path`, the first of a name first, read from the folder names."""
    found = []
    for folder in dict.fromkeys(path):
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for name in names:
            stem, suffix = os.path.splitext(name)
            if suffix in (".dist-info", ".egg-info") and "-" in stem:
                package, _, version = stem.partition("-")
                found.append((package.replace("_", "-").lower(), version.split("-py")[0], folder))
    return found


def requirements(path: List[str], names: Tuple[str, ...]) -> Dict[str, List[str]]:
    """The `Requires-Dist` lines of the distributions called `names`."""
    found: Dict[str, List[str]] = {}
    for name, version, folder in distributions(path):
        if name in {one.replace("_", "-") for one in names} and name not in found:
            text = _metadata(folder, name, version)
            found[name] = [
                line[15:].strip() for line in text.splitlines() if line.startswith("Requires-Dist: ")
            ]
    return found


def _metadata(folder: str, name: str, version: str) -> str:
    for stem in (name.replace("-", "_"), name):
        path = os.path.join(folder, "{}-{}.dist-info".format(stem, version), "METADATA")
        try:
            with open(path, encoding="utf-8", errors="replace") as stream:
                return stream.read()
        except OSError:
            continue
    return ""


def choose_interpreter(named: Optional[str], environ: Dict[str, str]) -> Tuple[str, str]:
    """(path, rule): the named one, else that of VIRTUAL_ENV, CONDA_PREFIX, python3 on PATH, else the running one."""
    if named:
        return named, "--python"
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        path = os.path.join(environ.get(variable, ""), "bin", "python")
        if environ.get(variable) and os.access(path, os.X_OK):
            return path, variable
    for folder in environ.get("PATH", "").split(os.pathsep):
        path = os.path.join(folder or ".", "python3")
        if os.access(path, os.X_OK) and not os.path.isdir(path):
            return path, "PATH"
    return sys.executable, "ours"


if __name__ == "__main__":
    json.dump(describe_interpreter(), sys.stdout)
