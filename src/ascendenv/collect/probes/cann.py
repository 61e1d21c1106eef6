"""Every CANN on the machine: both layouts, under home folders and in site-packages, with the files that name versions."""

import glob
import os
from typing import Any, Dict, List, Sequence

from .record import list_folder, look_at, read_file

ROOTS = ("/usr/local/Ascend", "~/Ascend", "/opt/Ascend", "/home/*/Ascend")
INFO_FILES = (
    "ascend-toolkit/*/*-linux/ascend_toolkit_install.info",
    "ascend-toolkit/*/version.cfg",
    "ascend-toolkit/*/runtime/version.info",
    "ascend-toolkit/*/compiler/version.info",
    "ascend-toolkit/*/opp/version.info",
    "ascend-toolkit/*/opp_kernel/version.info",
    "ascend-toolkit/*/opp_kernel/ascend_install.info",
    "cann-*/*-linux/ascend_toolkit_install.info",
    "cann-*/*-linux/ascend_ops_install.info",
    "cann-*/share/info/*/version.info",
    "cann-*/version.cfg",
    "nnal/atb/*/version.info",
    "nnal/asdsip/*/version.info",
)
LINKS = ("ascend-toolkit/latest", "cann", "nnal/atb/latest", "ascend-toolkit/set_env.sh", "cann/set_env.sh")
KERNELS = (
    "ascend-toolkit/*/opp/built-in/op_impl/ai_core/tbe/kernel",
    "cann-*/opp/built-in/op_impl/ai_core/tbe/kernel",
)
ERROR_HEADERS = (
    "*/include/experiment/runtime/runtime/rt_error_codes.h",
    "*/include/acl/error_codes/rt_error_codes.h",
)


def collect_cann(environ: Dict[str, str], site_packages: Sequence[str]) -> Dict[str, Any]:
    """`{"roots", "files": {path: record}, "links": {path: look}, "kernels": {path: listing}, "nnal_abi": {path: listing}}`."""
    roots = find_roots(environ, site_packages)
    return {
        "roots": roots,
        "folders": {root: list_folder(root) for root in roots},
        "files": {path: read_file(path) for path in matching(roots, INFO_FILES)},
        "links": {
            path: look_at(path)
            for root in roots
            for path in (os.path.join(root, link) for link in LINKS)
            if os.path.lexists(path)
        },
        "kernels": {path: list_folder(path) for path in matching(roots, KERNELS)},
        "nnal_abi": {path: list_folder(path) for path in matching(roots, ("nnal/atb/*/atb",))},
        "error_headers": matching(roots, ERROR_HEADERS),
    }


def find_roots(environ: Dict[str, str], site_packages: Sequence[str]) -> List[str]:
    """Folders that hold CANN trees, those that the environment names included."""
    found = [path for root in ROOTS for path in sorted(glob.glob(os.path.expanduser(root)))]
    found += [os.path.join(folder, "ascend") for folder in site_packages]
    found += [
        above_tree(environ[name]) for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME") if environ.get(name)
    ]
    unique = []
    for path in found:
        if os.path.isdir(path) and path not in unique:
            unique.append(path)
    return unique


def above_tree(home: str) -> str:
    """The folder that holds the tree `home`: `/x` for `/x/cann-8.5.0` and for `/x/ascend-toolkit/latest`."""
    above = os.path.dirname(home.rstrip("/"))
    return os.path.dirname(above) if os.path.basename(above) == "ascend-toolkit" else above


def matching(roots: Sequence[str], patterns: Sequence[str]) -> List[str]:
    """The paths below `roots` that fit one of `patterns`; a folder of links (`latest`) is not walked twice."""
    paths = [
        path
        for root in roots
        for pattern in patterns
        for path in sorted(glob.glob(os.path.join(glob.escape(root), pattern)))
    ]
    return [path for path in paths if "/latest/" not in path]
