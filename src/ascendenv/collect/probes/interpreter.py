"""The Python in question: its packages by their metadata, its paths and tags. Nothing of it is imported.

This module is also sent to the interpreter itself, so it stands alone.
"""

import json
import os
import platform
import sys
import sysconfig
from typing import Any, Dict, List, Optional, Tuple

Distribution = Tuple[str, str, str]

OF_INTEREST = (
    "torch",
    "torch-npu",
    "vllm",
    "vllm-ascend",
    "sglang",
    "sgl-kernel-npu",
    "triton",
    "triton-ascend",
)
"""Distributions whose requirements and origin tell who replaced whom."""
VERSION_FILES = ("torch/version.py", "torch_npu/version.py")
SHADOWS = ("torch", "torch_npu", "vllm", "vllm_ascend", "triton", "acl", "tbe", "numpy")
"""Modules that a folder of the same name in the working folder hides."""
METADATA_LIMIT = 256 * 1024


def describe_interpreter() -> Dict[str, Any]:
    """What the running interpreter is, as JSON-ready data."""
    record = describe_path(search_path())
    record.update(
        {
            "executable": sys.executable,
            "version": platform.python_version(),
            "implementation": platform.python_implementation(),
            "prefix": sys.prefix,
            "base_prefix": getattr(sys, "base_prefix", sys.prefix),
            "platform": sysconfig.get_platform(),
            "soabi": sysconfig.get_config_var("SOABI"),
            "user_site": bool(not sys.flags.no_user_site),
        }
    )
    return record


def search_path() -> List[str]:
    """`sys.path` without the folder of the script that asks."""
    asking = ("", os.path.dirname(os.path.abspath(sys.argv[0])))
    return sys.path[1:] if sys.path and sys.path[0] in asking else list(sys.path)


def describe_path(path: List[str]) -> Dict[str, Any]:
    """What lies in the folders of a search path: distributions, their requirements and origins, leftovers."""
    found, leftovers = scan(path)
    first: Dict[str, Tuple[str, str]] = {}
    for name, version, folder in found:
        first.setdefault(name, (version, folder))
    chosen = [name for name in OF_INTEREST if name in first]
    metadata = {name: first_metadata(name, *first[name]) for name in chosen}
    return {
        "path": path,
        "distributions": [list(one) for one in found],
        "leftovers": leftovers,
        "metadata_requires": {name: requirements(text) for name, (text, _) in metadata.items()},
        "origins": {name: origin for name, (_, origin) in metadata.items() if origin},
        "version_files": version_files(path),
        "autoload": autoload(found),
        "shadows": shadows("."),
    }


def scan(path: List[str]) -> Tuple[List[Distribution], List[str]]:
    """(name, version, folder) of every distribution on `path`, the first of a name first, and what pip left half-removed."""
    found: List[Distribution] = []
    leftovers: List[str] = []
    for folder in dict.fromkeys(path):
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for name in names:
            stem, suffix = os.path.splitext(name)
            if name.startswith("~"):
                leftovers.append(os.path.join(folder, name))
            elif suffix in (".dist-info", ".egg-info") and "-" in stem:
                package, _, version = stem.partition("-")
                found.append((package.replace("_", "-").lower(), version.split("-py")[0], folder))
    return found, leftovers


def first_metadata(name: str, version: str, folder: str) -> Tuple[str, str]:
    """The metadata text of a distribution, and where it was installed from when that was no index."""
    for stem in dict.fromkeys((name.replace("-", "_"), name)):
        base = os.path.join(folder, "{}-{}.dist-info".format(stem, version))
        text = read(os.path.join(base, "METADATA"))
        if text:
            return text, read(os.path.join(base, "direct_url.json")).strip()
    return "", ""


def requirements(metadata: str) -> List[str]:
    """The `Requires-Dist` lines without those of extras."""
    lines = [line[15:].strip() for line in metadata.splitlines() if line.startswith("Requires-Dist: ")]
    return [line for line in lines if "extra ==" not in line]


def version_files(path: List[str]) -> Dict[str, str]:
    """The text of the files in which torch and torch_npu say what they were built as, the first on the path each."""
    found = {}
    for name in VERSION_FILES:
        for folder in path:
            text = read(os.path.join(folder, name))
            if text:
                found[name] = text[:4096]
                break
    return found


def autoload(found: List[Distribution]) -> List[str]:
    """The distributions that torch loads by itself as a backend."""
    names = []
    for name, version, folder in found:
        if name.startswith(("torch", "intel-extension", "habana", "sail", "mindspeed")):
            base = os.path.join(folder, "{}-{}.dist-info".format(name.replace("-", "_"), version))
            if "[torch.backends]" in read(os.path.join(base, "entry_points.txt")):
                names.append(name)
    return names


def shadows(folder: str) -> List[str]:
    """Modules that the working folder would hide, because it is searched first by `python -c` and `python -m`."""
    try:
        names = set(os.listdir(folder))
    except OSError:
        return []
    return [name for name in SHADOWS if name in names or name + ".py" in names]


def read(path: str) -> str:
    """The beginning of a text file, empty where it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read(METADATA_LIMIT)
    except OSError:
        return ""


def describe_files(executable: str) -> Dict[str, Any]:
    """What the folders beside an interpreter tell when it does not answer: its packages, and its version by their place."""
    prefix = os.path.dirname(os.path.dirname(os.path.abspath(executable)))
    path: List[str] = []
    version: Optional[str] = None
    for library in ("lib", "lib64"):
        try:
            names = sorted(os.listdir(os.path.join(prefix, library)))
        except OSError:
            continue
        for name in names:
            site = os.path.join(prefix, library, name, "site-packages")
            if name.startswith("python3") and os.path.isdir(site):
                path.append(site)
                version = version or name[6:]
    for line in read(os.path.join(prefix, "pyvenv.cfg")).splitlines():
        key, _, value = line.partition("=")
        if key.strip() in ("version", "version_info"):
            version = ".".join(value.strip().split(".")[:3])
    record = describe_path(path)
    record.update({"executable": executable, "prefix": prefix, "version": version, "from_files": True})
    return record


if __name__ == "__main__":
    json.dump(describe_interpreter(), sys.stdout)
