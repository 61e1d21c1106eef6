"""What the real loader would complain about when torch_npu is imported, all of it at once, without loading anything."""

import glob
import os
from typing import Any, Dict, Iterable, List, Set, Tuple

from .elf import Elf, ElfInvalid, gnu_hash
from .loader import Found, Loader

MISSING_SYMBOLS = 400
"""How many missing symbols are recorded; a wrong torch misses dozens, a wrong architecture thousands."""


def check_extension(
    loader: Loader, program: str, preloaded: Iterable[str], roots: Iterable[str]
) -> Dict[str, Any]:
    """The faults of the extension modules `roots` in a process of `program` that has loaded `preloaded` before.

    Returns `{"libraries": [{"name", "path", "needed_by", "how"}], "missing_libraries": [{"name", "needed_by"}],
    "missing_versions": [{"library", "node", "needed_by"}], "missing_symbols": [{"symbol", "needed_by"}],
    "unreadable": {path: reason}}`.
    """
    base = loader.load(program) + [found for path in preloaded for found in loader.load(path)]
    known = {found.elf.path for found in base}
    closure: List[Found] = []
    for root in roots:
        closure.extend(
            found for found in loader.load(root) if found.elf.path not in {one.elf.path for one in closure}
        )
    own = [found for found in closure if found.elf.path not in known]
    return {
        "libraries": [_library(found) for found in own],
        "missing_libraries": [{"name": one.name, "needed_by": one.needed_by} for one in loader.missing],
        "missing_versions": _missing_versions(own, loader),
        "missing_symbols": _missing_symbols(own, _unique(own + closure + base)),
        "unreadable": dict(sorted(loader.unreadable.items())),
    }


def _library(found: Found) -> Dict[str, str]:
    return {"name": found.name, "path": found.elf.path, "needed_by": found.needed_by, "how": found.how}


def _unique(found: Iterable[Found]) -> List[Elf]:
    by_path: Dict[str, Elf] = {}
    for one in found:
        by_path.setdefault(one.elf.path, one.elf)
    return list(by_path.values())


def _missing_versions(consumers: Iterable[Found], loader: Loader) -> List[Dict[str, str]]:
    offered: Dict[str, Set[str]] = {}
    faults = []
    for found in consumers:
        for library, node in _required(found.elf):
            provider = loader.by_name.get(library)
            if provider is None:
                continue
            if library not in offered:
                offered[library] = set(_defined(provider.elf))
            if offered[library] and node not in offered[library]:
                faults.append({"library": provider.elf.path, "node": node, "needed_by": found.elf.path})
    return faults


def _required(elf: Elf) -> List[Tuple[str, str]]:
    try:
        return elf.required_versions()
    except ElfInvalid:
        return []


def _defined(elf: Elf) -> List[str]:
    try:
        return elf.defined_versions()
    except ElfInvalid:
        return []


def _missing_symbols(consumers: Iterable[Found], providers: List[Elf]) -> List[Dict[str, str]]:
    faults: List[Dict[str, str]] = []
    judged: Dict[bytes, bool] = {}
    for found in consumers:
        try:
            names = found.elf.undefined()
        except ElfInvalid:
            continue
        for name in names:
            if name not in judged:
                hashed = gnu_hash(name)
                judged[name] = any(elf.defines(name, hashed) for elf in providers)
            if not judged[name] and len(faults) < MISSING_SYMBOLS:
                faults.append({"symbol": name.decode("ascii", "replace"), "needed_by": found.elf.path})
    return faults


def extensions_of(site_packages: str, package: str) -> List[str]:
    """The compiled modules that importing `package` loads first, e.g. `torch_npu/_C.cpython-311-aarch64-linux-gnu.so`."""
    return sorted(glob.glob(os.path.join(glob.escape(os.path.join(site_packages, package)), "_C*.so")))
