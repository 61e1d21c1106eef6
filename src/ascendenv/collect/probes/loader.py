"""Finds libraries where the dynamic loader of glibc would find them (ld.so(8), "DESCRIPTION"; elf/dl-load.c)."""

import os
import struct
from typing import Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from .elf import Elf
from .elf_file import ElfForeign, ElfInvalid

CACHE_MAGIC = b"glibc-ld.so.cache1.1"
CACHE_HEADER, CACHE_ENTRY = 48, 24
CACHE_ARCH = {"x86_64": 0x0300, "aarch64": 0x0A00}
"""The second byte of an entry's flags; entries of other architectures are for other loaders."""
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

Damaged = NamedTuple("Damaged", [("path", str), ("needed_by", str), ("reason", str)])
"""A file at which the loader stops with an error, although another one with that name may stand further on."""


class Loader:
    """The libraries of one process, in the order in which they would be loaded.

    `library_path` is the value of LD_LIBRARY_PATH, `cache` the content of /etc/ld.so.cache as name -> paths. What
    is loaded first is taken for the program, whose RPATH counts for all that is loaded later.
    """

    def __init__(self, machine: str, library_path: str, cache: Dict[str, List[str]]) -> None:
        """An empty process on a machine of this architecture."""
        self.machine = machine
        self.library_path = library_path
        self.cache = cache
        self.program: Optional[Elf] = None
        self.by_name: Dict[str, Found] = {}
        self.by_file: Dict[Tuple[int, int], Found] = {}
        self.missing: List[Missing] = []
        self.damaged: List[Damaged] = []
        self.stopped_at: Set[str] = set()
        self.unreadable: Dict[str, str] = {}

    def load(self, path: str) -> List[Found]:
        """The closure of `path`: itself and all that it needs, breadth first; what is loaded already stays the same.

        A name without a slash (as in LD_PRELOAD) is searched for like one that a library needs.
        """
        own: Tuple[Elf, ...] = () if self.program is None else (self.program,)
        first = self._open(path, path, "", "named") if "/" in path else self._find(path, own)
        if first is None:
            return []
        if self.program is None:
            self.program = first.elf
        return self._close_over(first, own)

    def _close_over(self, first: Found, own: Tuple[Elf, ...]) -> List[Found]:
        closure = [first]
        seen = {first.elf.path}
        parents = {first.elf.path: own}
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
        if name not in self.stopped_at:
            self.stopped_at.add(name)
            self.missing.append(Missing(name, needed_by))

    def _find(self, name: str, chain: Tuple[Elf, ...]) -> Optional[Found]:
        """`name` as the first of `chain` (the library that needs it, then who loaded that one, ...) would get it."""
        if name in self.by_name or name in self.stopped_at:
            return self.by_name.get(name)
        needed_by = chain[0].path if chain else ""
        known = len(self.damaged)
        for how, path in self._candidates(name, chain):
            found = self._open(path, name, needed_by, how) if os.path.exists(path) else None
            if found is not None:
                return found
            if len(self.damaged) > known:
                return None
        return None

    def _candidates(self, name: str, chain: Tuple[Elf, ...]) -> Iterator[Tuple[str, str]]:
        """(rule, path) of the places where the loader looks, in its order."""
        if "/" in name:
            yield "path", name
            return
        runpath = chain[0].runpath if chain else None
        if runpath is None:
            for elf in chain:
                if elf.rpath is not None and elf.runpath is None:
                    yield from _places("rpath", name, self._expand(elf.rpath, elf.path))
        program = self.program.path if self.program is not None else ""
        yield from _places("LD_LIBRARY_PATH", name, self._expand(self.library_path, program))
        if runpath is not None:
            yield from _places("runpath", name, self._expand(runpath, chain[0].path))
        for path in self.cache.get(name, []):
            yield "ld.so.cache", path
        yield from _places("default", name, [one.format(machine=self.machine) for one in DEFAULT_FOLDERS])

    def _expand(self, folders: str, path: str) -> List[str]:
        return expand(folders, path, self.machine)

    def _open(self, path: str, name: str, needed_by: str, how: str) -> Optional[Found]:
        try:
            status = os.stat(path)
            identity = (status.st_dev, status.st_ino)
            found = self.by_file.get(identity) or Found(self._read(path), name, needed_by, how)
        except ElfForeign as error:
            self.unreadable[path] = str(error)
            return None
        except ElfInvalid as error:
            self.stopped_at.add(name)
            self.damaged.append(Damaged(path, needed_by, str(error)))
            return None
        except OSError as error:
            self.unreadable[path] = error.strerror or str(error)
            return None
        self.by_file[identity] = found
        self.by_name.setdefault(name, found)
        if found.elf.soname:
            self.by_name.setdefault(found.elf.soname, found)
        return found

    def _read(self, path: str) -> Elf:
        elf = Elf(path)
        if elf.machine != self.machine:
            elf.close()
            raise ElfForeign("built for " + elf.machine)
        # $ORIGIN is the folder of the name that was opened, links in it not followed.
        elf.path = os.path.abspath(path)
        return elf


def expand(folders: str, path: str, machine: str) -> List[str]:
    """The folders of a search path with $ORIGIN (of `path`), $LIB and $PLATFORM filled in; an empty one is `.`."""
    # $LIB differs between families of systems; the folder of the other one does not exist.
    libraries = ("lib/{}-linux-gnu".format(machine), "lib64")
    found: List[str] = []
    for part in split_path(folders):
        whole = _filled(_filled(part, "ORIGIN", os.path.dirname(path)), "PLATFORM", machine)
        found.extend(_filled(whole, "LIB", one) or "." for one in libraries[: 1 + ("LIB" in whole)])
    return found


def _filled(text: str, token: str, value: str) -> str:
    return text.replace("${" + token + "}", value).replace("$" + token, value)


def split_path(value: str) -> List[str]:
    """The folders of a search path; the loader takes both colons and semicolons."""
    return value.replace(";", ":").split(":") if value else []


def _places(how: str, name: str, folders: List[str]) -> Iterator[Tuple[str, str]]:
    for folder in folders:
        yield how, os.path.join(folder, name)


def read_cache(path: str = "/etc/ld.so.cache", machine: Optional[str] = None) -> Dict[str, List[str]]:
    """The loader's cache as name -> paths in its order, for this machine's architecture unless one is named.

    Empty where there is no cache or it cannot be read.
    """
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError:
        return {}
    start = data.find(CACHE_MAGIC)
    if start < 0:
        return {}
    try:
        return _parse_cache(data[start:], CACHE_ARCH.get(machine or os.uname().machine, 0))
    except (struct.error, ValueError):
        return {}


def _parse_cache(data: bytes, arch: int) -> Dict[str, List[str]]:
    (count,) = struct.unpack_from("<I", data, len(CACHE_MAGIC))
    libraries: Dict[str, List[str]] = {}
    special: Dict[str, List[str]] = {}
    for index in range(min(count, len(data) // CACHE_ENTRY)):
        flags, key, value, _, capabilities = struct.unpack_from(
            "<iIIIQ", data, CACHE_HEADER + index * CACHE_ENTRY
        )
        if flags & 0xFF00 == arch:
            # Builds for newer processors stand first and are skipped on others; they export the same.
            kind = special if capabilities else libraries
            kind.setdefault(_text(data, key), []).append(_text(data, value))
    for name, paths in special.items():
        libraries.setdefault(name, []).extend(paths)
    return libraries


def _text(data: bytes, place: int) -> str:
    return data[place : data.index(b"\0", place)].decode("utf-8", "replace")
