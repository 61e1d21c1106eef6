"""Finds libraries where the dynamic loader of glibc would find them (ld.so(8), "DESCRIPTION")."""

import os
import struct
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

from .elf import Elf, ElfInvalid

CACHE_MAGIC = b"glibc-ld.so.cache1.1"
CACHE_ENTRY = 24
DEFAULT_FOLDERS = (
    "/lib/{machine}-linux-gnu",
    "/usr/lib/{machine}-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib",
)

Found = NamedTuple("Found", [("elf", Elf), ("name", str), ("needed_by", str), ("how", str)])
"""A library that would be loaded, which one asked for it, and by which rule it was found."""

Missing = NamedTuple("Missing", [("name", str), ("needed_by", str)])


class Loader:
    """The libraries of one process, in the order in which they would be loaded.

    `library_path` is the value of LD_LIBRARY_PATH, `cache` the content of /etc/ld.so.cache as name -> paths.
    """

    def __init__(self, machine: str, library_path: str, cache: Dict[str, List[str]]) -> None:
        """An empty process on a machine of this architecture."""
        self.machine = machine
        self.library_path = library_path
        self.cache = cache
        self.by_name: Dict[str, Found] = {}
        self.missing: List[Missing] = []
        self.unreadable: Dict[str, str] = {}

    def load(self, path: str) -> List[Found]:
        """The closure of `path`: itself and all that it needs, breadth first; what is loaded already stays the same."""
        first = self._open(path, path, "", "named")
        if first is None:
            return []
        closure = [first]
        seen = {first.elf.path}
        parents: Dict[str, Tuple[Elf, ...]] = {first.elf.path: ()}
        for found in closure:  # grows while it is walked
            chain = (found.elf,) + parents[found.elf.path]
            for name in found.elf.needed:
                following = self._find(name, chain)
                if following is None:
                    self._miss(name, found.elf.path)
                elif following.elf.path not in seen:
                    seen.add(following.elf.path)
                    parents[following.elf.path] = chain
                    closure.append(following)
        return closure

    def _miss(self, name: str, needed_by: str) -> None:
        if all(one.name != name for one in self.missing):
            self.missing.append(Missing(name, needed_by))

    def _find(self, name: str, chain: Tuple[Elf, ...]) -> Optional[Found]:
        """`name` as the first of `chain` (the library that needs it, then who loaded that one, ...) would get it."""
        if name in self.by_name:
            return self.by_name[name]
        for how, path in self._candidates(name, chain):
            found = self._open(path, name, chain[0].path, how) if os.path.exists(path) else None
            if found is not None:
                return found
        return None

    def _candidates(self, name: str, chain: Tuple[Elf, ...]) -> Iterator[Tuple[str, str]]:
        """(rule, path) of the places where the loader looks, in its order."""
        if "/" in name:
            yield "path", name
            return
        needing = chain[0]
        if needing.runpath is None:
            for elf in chain:
                if elf.rpath is not None and elf.runpath is None:
                    for folder in expand(elf.rpath, elf.path):
                        yield "rpath", os.path.join(folder, name)
        for folder in split_path(self.library_path):
            yield "LD_LIBRARY_PATH", os.path.join(folder or ".", name)
        for folder in expand(needing.runpath or "", needing.path):
            yield "runpath", os.path.join(folder, name)
        for path in self.cache.get(name, []):
            yield "ld.so.cache", path
        for pattern in DEFAULT_FOLDERS:
            yield "default", os.path.join(pattern.format(machine=self.machine), name)

    def _open(self, path: str, name: str, needed_by: str, how: str) -> Optional[Found]:
        real = os.path.realpath(path)
        try:
            elf = Elf(real)
        except (ElfInvalid, OSError) as error:
            self.unreadable[path] = str(error)
            return None
        if elf.machine != self.machine:
            self.unreadable[path] = "built for " + elf.machine
            return None
        # $ORIGIN is the folder of the name that was opened, links in it not followed.
        elf.path = os.path.abspath(path)
        found = Found(elf, name, needed_by, how)
        self.by_name.setdefault(name, found)
        if elf.soname:
            self.by_name.setdefault(elf.soname, found)
        return found


def expand(folders: str, path: str) -> List[str]:
    """The folders of an RPATH or RUNPATH with $ORIGIN filled in."""
    origin = os.path.dirname(path)
    return [
        part.replace("${ORIGIN}", origin).replace("$ORIGIN", origin) for part in split_path(folders) if part
    ]


def split_path(value: str) -> List[str]:
    """The folders of a search path; the loader takes both colons and semicolons."""
    return value.replace(";", ":").split(":") if value else []


def read_cache(path: str = "/etc/ld.so.cache") -> Dict[str, List[str]]:
    """The loader's cache as name -> paths in its order; empty where there is none or it is of another format."""
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError:
        return {}
    start = data.find(CACHE_MAGIC)
    if start < 0:
        return {}
    try:
        return _parse_cache(data[start:])
    except (struct.error, ValueError):
        return {}


def _parse_cache(data: bytes) -> Dict[str, List[str]]:
    (count,) = struct.unpack_from("<I", data, len(CACHE_MAGIC))
    libraries: Dict[str, List[str]] = {}
    for index in range(min(count, 1 << 20)):
        _, key, value, _, _ = struct.unpack_from("<iIIIQ", data, 48 + index * CACHE_ENTRY)
        libraries.setdefault(_text(data, key), []).append(_text(data, value))
    return libraries


def _text(data: bytes, place: int) -> str:
    return data[place : data.index(b"\0", place)].decode("utf-8", "replace")
