"""What the real loader would complain about when torch_npu is imported, all of it at once, without loading anything."""

import glob
import os
from typing import Any, Dict, Iterable, List, Set, Tuple

from .elf import Elf
from .elf_file import ElfInvalid
from .hashing import gnu_hash
from .loader import Found, Loader

MISSING_SYMBOLS = 400
"""How many missing symbols are recorded; a wrong torch misses dozens, a wrong architecture thousands."""


def check_modules(
    loader: Loader, program: str, preloaded: Iterable[str], modules: Iterable[str]
) -> Dict[str, Any]:
    """The faults of the extension modules, imported in this order by `program`, which has `preloaded` in global scope.

    Returns `{"libraries": [{"name", "path", "needed_by", "how"}], "missing_libraries": [{"name", "needed_by"}],
    "damaged_libraries": [{"path", "needed_by", "reason"}], "missing_versions": [{"library", "node", "needed_by"}],
    "missing_symbols": [{"symbol", "needed_by"}], "missing_symbols_total": number, "unreadable": {path: reason}}`.
    Modules that Python loaded earlier from elsewhere are not known; a library that only they bring counts as missing.
    """
    everywhere = loader.load(program)
    known = {found.elf.path for found in everywhere}
    for path in preloaded:
        everywhere.extend(loader.load(path))
    libraries = list(everywhere)
    missing = _missing_symbols(everywhere[len(known) :], everywhere, loader)
    for module in modules:
        closure = loader.load(module)
        seen = {found.elf.path for found in libraries}
        new = [found for found in closure if found.elf.path not in seen]
        libraries.extend(new)
        missing.extend(_missing_symbols(new, closure + everywhere, loader))
    return {
        "libraries": [_library(found) for found in libraries],
        "missing_libraries": [{"name": one.name, "needed_by": one.needed_by} for one in loader.missing],
        "damaged_libraries": [
            {"path": one.path, "needed_by": one.needed_by, "reason": one.reason} for one in loader.damaged
        ],
        "missing_versions": _missing_versions(libraries, loader),
        "missing_symbols": missing[:MISSING_SYMBOLS],
        "missing_symbols_total": len(missing),
        "unreadable": dict(sorted(loader.unreadable.items())),
    }


def try_library(loader: Loader, path: str) -> Dict[str, Any]:
    """The faults of a library that torch_npu tries to load after its modules, and does without where that fails.

    Returns `{"missing_libraries": [{"name", "needed_by"}], "missing_symbols": [{"symbol", "needed_by"}]}` of that library
    and what comes with it. Call it when all modules were checked: what they lack is not told again.
    """
    known, missing = set(loader.by_file), len(loader.missing)
    closure = loader.load(path)
    new = [found for identity, found in loader.by_file.items() if identity not in known]
    everywhere = list(loader.by_file.values())
    return {
        "missing_libraries": [
            {"name": one.name, "needed_by": one.needed_by} for one in loader.missing[missing:]
        ],
        "missing_symbols": _missing_symbols(new, closure + everywhere, loader)[:MISSING_SYMBOLS],
    }


def _library(found: Found) -> Dict[str, str]:
    return {"name": found.name, "path": found.elf.path, "needed_by": found.needed_by, "how": found.how}


def _missing_versions(consumers: Iterable[Found], loader: Loader) -> List[Dict[str, str]]:
    offered: Dict[str, Set[str]] = {}
    faults = []
    for found in consumers:
        for library, node in _required(found.elf, loader):
            provider = loader.by_name.get(library)
            if provider is None:
                continue
            if library not in offered:
                offered[library] = set(_defined(provider.elf, loader))
            if offered[library] and node not in offered[library]:
                faults.append({"library": provider.elf.path, "node": node, "needed_by": found.elf.path})
    return faults


def _required(elf: Elf, loader: Loader) -> List[Tuple[str, str]]:
    try:
        return elf.required_versions()
    except ElfInvalid as error:
        loader.unreadable[elf.path] = str(error)
        return []


def _defined(elf: Elf, loader: Loader) -> List[str]:
    try:
        return elf.defined_versions()
    except ElfInvalid as error:
        loader.unreadable[elf.path] = str(error)
        return []


def _missing_symbols(
    consumers: Iterable[Found], scope: Iterable[Found], loader: Loader
) -> List[Dict[str, str]]:
    """The strong undefined symbols of `consumers` that no library of `scope` has, each with the first that needs it."""
    needed_by: Dict[bytes, str] = {}
    for found in consumers:
        for name in _undefined(found.elf, loader):
            needed_by.setdefault(name, found.elf.path)
    missing = [(name, gnu_hash(name)) for name in needed_by]
    providers = {found.elf.path: found.elf for found in scope}
    for elf in sorted(providers.values(), key=_size, reverse=True):
        missing = _absent(elf, missing, loader)
    return [{"symbol": name.decode("utf-8", "replace"), "needed_by": needed_by[name]} for name, _ in missing]


def _size(elf: Elf) -> int:
    """How much a library exports; asked first, the large ones leave little to ask the others."""
    return elf.hash.buckets if elf.hash is not None else 0


def _undefined(elf: Elf, loader: Loader) -> List[bytes]:
    try:
        return elf.undefined()
    except ElfInvalid as error:
        loader.unreadable[elf.path] = str(error)
        return []


def _absent(elf: Elf, names: List[Tuple[bytes, int]], loader: Loader) -> List[Tuple[bytes, int]]:
    try:
        return elf.absent(names)
    except ElfInvalid as error:
        loader.unreadable[elf.path] = str(error)
        return names


def extensions_of(site_packages: str, package: str) -> List[str]:
    """The compiled modules that importing `package` loads first, e.g. `torch_npu/_C.cpython-311-aarch64-linux-gnu.so`."""
    return sorted(glob.glob(os.path.join(glob.escape(os.path.join(site_packages, package)), "_C.*so")))


def plugins_of(site_packages: str) -> List[str]:
    """The libraries that `import torch_npu` tries to load: its operators on ATB, which need NNAL."""
    path = os.path.join(site_packages, "torch_npu", "lib", "libop_plugin_atb.so")
    return [path] if os.path.exists(path) else []


def preloads_of_torch(site_packages: str) -> List[str]:
    """The library that `import torch` loads for all that comes after it (its maths and threading libraries)."""
    path = os.path.join(site_packages, "torch", "lib", "libtorch_global_deps.so")
    return [path] if os.path.exists(path) else []
