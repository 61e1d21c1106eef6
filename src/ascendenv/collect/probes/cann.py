"""Every CANN on the machine: both layouts, under home folders and in site-packages, with the files that name versions."""

import glob
import os
from typing import Any, Dict, Iterable, List, Sequence

from .attempt import attempt
from .system import System

ROOTS = ("/usr/local/Ascend", "~/Ascend", "/opt/Ascend")
HOMES = ("/home/*/Ascend", "/root/Ascend")
HOME_SECONDS = 1.0
"""Home folders may lie on a network that does not answer."""
INFO_FILES = (
    "ascend-toolkit/*/*-linux/ascend_*_install.info",
    "ascend-toolkit/*/version.cfg",
    "ascend-toolkit/*/*/version.info",
    "ascend-toolkit/*/opp_kernel/ascend_install.info",
    "cann-*/*-linux/ascend_*_install.info",
    "cann-*/share/info/*/version.info",
    "cann-*/version.cfg",
    "nnae/*/*-linux/ascend_*_install.info",
    "nnrt/*/*-linux/ascend_*_install.info",
    "nnal/atb/*/version.info",
    "nnal/asdsip/*/version.info",
)
LINKS = (
    "ascend-toolkit/latest",
    "ascend-toolkit/latest/runtime",
    "ascend-toolkit/latest/compiler",
    "cann",
    "nnal/atb/latest",
    "ascend-toolkit/set_env.sh",
    "cann/set_env.sh",
    "nnal/atb/set_env.sh",
)
KERNELS = (
    "ascend-toolkit/*/opp/built-in/op_impl/ai_core/tbe/kernel",
    "ascend-toolkit/*/opp_kernel/built-in/op_impl/ai_core/tbe/kernel",
    "cann-*/opp/built-in/op_impl/ai_core/tbe/kernel",
)
PLATFORMS = (
    "ascend-toolkit/*/*-linux/data/platform_config",
    "ascend-toolkit/*/compiler/data/platform_config",
    "cann-*/*-linux/data/platform_config",
)
ERROR_FILES = (
    "ascend-toolkit/*/*-linux/include/acl/error_codes/rt_error_codes.h",
    "ascend-toolkit/*/runtime/include/external/acl/error_codes/rt_error_codes.h",
    "ascend-toolkit/*/include/acl/error_codes/rt_error_codes.h",
    "ascend-toolkit/*/*-linux/conf/error_manager/error_code.json",
    "ascend-toolkit/*/conf/error_manager/error_code.json",
    "cann-*/*-linux/include/acl/error_codes/rt_error_codes.h",
    "cann-*/include/acl/error_codes/rt_error_codes.h",
    "cann-*/*-linux/conf/error_manager/error_code.json",
    "cann-*/conf/error_manager/error_code.json",
)
EVIDENCE_TOOLS = (
    "toolbox/latest/Ascend-DMI/bin/ascend-dmi",
    "ascend-toolkit/latest/tools/ascend_system_advisor/asys/asys",
    "cann/tools/ascend_system_advisor/asys/asys",
    "cann/bin/asys",
)
HOME_VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_OPP_PATH")
LIST_VARIABLES = ("LD_LIBRARY_PATH", "PYTHONPATH", "PATH")
MOST_FILES = 400


def collect_cann(system: System, environ: Dict[str, str], site_packages: Sequence[str]) -> Dict[str, Any]:
    """Roots and, below them, record files, links, kernels for each chip, NNAL trees for each C++ ABI, error tables, tools."""
    roots = find_roots(system, environ, site_packages)
    links = [os.path.join(root, link) for root in roots for link in LINKS]
    return {
        "roots": roots,
        "folders": {root: system.names(root) for root in roots},
        "trees": {
            path: system.names(path) for path in matching(system, roots, ("ascend-toolkit", "nnal/atb"))
        },
        "files": {path: system.read(path) for path in matching(system, roots, INFO_FILES)[:MOST_FILES]},
        "links": {path: system.look(path) for path in links if system.is_link(path) or system.exists(path)},
        "kernels": {path: system.names(path) for path in matching(system, roots, KERNELS)},
        "platforms": {path: system.names(path) for path in matching(system, roots, PLATFORMS)},
        "nnal_abi": {path: system.names(path) for path in matching(system, roots, ("nnal/atb/*/atb",))},
        "error_files": matching(system, roots, ERROR_FILES),
        "tools": evidence_tools(system, roots),
    }


def find_roots(system: System, environ: Dict[str, str], site_packages: Sequence[str]) -> List[str]:
    """Folders that hold CANN trees: the usual ones, those of home folders, and all that the environment names."""
    found = [system.expand(root) for root in ROOTS]
    found += attempt(lambda: {"roots": in_homes(system)}, HOME_SECONDS).get("roots", [])
    found += [os.path.join(folder, "ascend") for folder in site_packages]
    found += named_roots(environ)
    return [path for path in dict.fromkeys(found) if system.is_folder(path)]


def in_homes(system: System) -> List[str]:
    """The Ascend folders of all users whose homes can be seen."""
    return [path for pattern in HOMES for path in system.glob(pattern)]


def named_roots(environ: Dict[str, str]) -> Iterable[str]:
    """The roots of the trees that the variables of a process point into, in their order."""
    paths = [environ.get(name, "") for name in HOME_VARIABLES]
    paths += [path for name in LIST_VARIABLES for path in environ.get(name, "").split(":")]
    return dict.fromkeys(root for root in map(root_of, paths) if root)


def root_of(path: str) -> str:
    """The folder that holds the tree `path` lies in: `/x` for `/x/cann-8.5.0/lib64`; empty for a path in no tree."""
    parts = path.split("/")
    for place, part in reversed(list(enumerate(parts))):
        if place and (part in ("ascend-toolkit", "nnae", "nnrt", "cann") or part.startswith("cann-")):
            return "/".join(parts[:place]) or "/"
    return ""


def evidence_tools(system: System, roots: Sequence[str]) -> List[str]:
    """The programs of the vendor that test the hardware, where they are installed; they are not run."""
    on_path = [system.program(name) for name in ("ascend-dmi", "asys")]
    found = [path for path in on_path if path] + matching(system, roots, EVIDENCE_TOOLS, links=True)
    return list(dict.fromkeys(found))


def matching(system: System, roots: Sequence[str], patterns: Sequence[str], links: bool = False) -> List[str]:
    """The paths below `roots` that fit one of `patterns`; a folder of links (`latest`) is not walked unless asked for."""
    found = []
    for root in roots:
        for pattern in patterns:
            if "*" in pattern:
                found += system.glob(os.path.join(glob.escape(root), pattern))
            elif system.exists(os.path.join(root, pattern)):
                found.append(os.path.join(root, pattern))
    return [path for path in dict.fromkeys(found) if links or "/latest/" not in path]
