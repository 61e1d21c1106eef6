"""The copies of libstdc++ and libgomp that a process of this Python may meet; the first one that is loaded wins."""

import glob
import os
from typing import Any, Dict, List, Sequence

from .elf import Elf
from .elf_file import ElfInvalid
from .system import System

SYSTEM_FOLDERS = ("/usr/lib/{}-linux-gnu", "/lib/{}-linux-gnu", "/usr/lib64", "/lib64", "/usr/local/lib64")
IN_PACKAGES = (
    "torch/lib/libgomp*.so*",
    "torch.libs/libgomp*.so*",
    "torch_npu.libs/libgomp*.so*",
    "scikit_learn.libs/libgomp*.so*",
    "numpy.libs/libgomp*.so*",
)
NODES = ("GLIBCXX_", "CXXABI_")


def collect_runtimes(system: System, interpreter: Dict[str, Any], environ: Dict[str, str]) -> Dict[str, Any]:
    """`{"libstdc++": {path: {"GLIBCXX": "3.4.30", ...}}, "libgomp": [paths], "preload": LD_PRELOAD}`."""
    folders = search_folders(system, str(interpreter.get("prefix") or ""), environ)
    copies: Dict[str, Any] = {}
    for folder in folders:
        path = os.path.join(folder, "libstdc++.so.6")
        if system.exists(path) and os.path.realpath(system.at(path)) not in copies:
            copies[os.path.realpath(system.at(path))] = dict(newest_nodes(system.at(path)), path=path)
    gomp = [path for folder in folders for path in below(system, folder, ("libgomp.so.1",))]
    gomp += [path for folder in interpreter.get("path") or [] for path in below(system, folder, IN_PACKAGES)]
    return {
        "libstdc++": list(copies.values()),
        "libgomp": list(dict.fromkeys(gomp)),
        "preload": environ.get("LD_PRELOAD", ""),
    }


def search_folders(system: System, prefix: str, environ: Dict[str, str]) -> List[str]:
    """The folders in the order in which a process of this Python looks: LD_LIBRARY_PATH, its own, the system's."""
    machine = system.uname()["arch"]
    folders = [one for one in environ.get("LD_LIBRARY_PATH", "").split(":") if one]
    folders += [os.path.join(prefix, "lib")] if prefix else []
    folders += [one.format(machine) for one in SYSTEM_FOLDERS]
    return list(dict.fromkeys(folders))


def newest_nodes(path: str) -> Dict[str, str]:
    """The newest version of each kind of node that a libstdc++ defines."""
    try:
        defined = Elf(path).defined_versions()
    except (ElfInvalid, OSError) as error:
        return {"error": str(error)}
    newest: Dict[str, str] = {}
    for kind in NODES:
        numbers = [
            node[len(kind) :] for node in defined if node.startswith(kind) and node[len(kind)].isdigit()
        ]
        if numbers:
            newest[kind.strip("_")] = max(numbers, key=lambda text: [int(one) for one in text.split(".")])
    return newest


def below(system: System, folder: str, patterns: Sequence[str]) -> List[str]:
    """The files below `folder` that fit one of the patterns."""
    return [path for one in patterns for path in system.glob(os.path.join(glob.escape(folder), one))]
