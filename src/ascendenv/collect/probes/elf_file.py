"""Maps an ELF file and reads its header and its dynamic section, as far as the dynamic loader does.

Only 64-bit little-endian files are read, which is what Ascend hosts (aarch64, x86_64) load. A lookup touches a few
pages, so a library of 434 MB costs as much as a small one. Layout: System V gABI, chapters 4 and 5.
"""

import functools
import mmap
import os
import stat
import struct
from typing import Any, Callable, Dict, List, Optional, Tuple, TypeVar, cast

ET_EXEC, ET_DYN = 2, 3
PT_LOAD, PT_DYNAMIC = 1, 2
DT_NEEDED, DT_STRTAB, DT_SYMTAB, DT_SONAME, DT_RPATH, DT_RUNPATH = 1, 5, 6, 14, 15, 29
HEADER_SIZE, SEGMENT_SIZE = 64, 56
LIMIT = 1 << 20
"""No table of a sane library is longer."""
WORK = 1 << 26
"""Bytes of names that are read from one file at most; torch's largest library takes a twentieth of it."""
STEP = 64
"""What one step through a linked table costs of that."""

MACHINES = {62: "x86_64", 183: "aarch64"}
DAMAGE = (struct.error, IndexError, OverflowError)
Method = TypeVar("Method", bound=Callable[..., Any])


class ElfInvalid(ValueError):
    """The file is no ELF file that the loader of an Ascend host would take: it stops there with an error."""


class ElfForeign(ElfInvalid):
    """The file is for another kind of processor: the loader looks further."""


def guarded(method: Method) -> Method:
    """The method with every way in which a damaged table makes itself felt turned into ElfInvalid."""

    @functools.wraps(method)
    def wrapper(*arguments: Any) -> Any:
        try:
            return method(*arguments)
        except DAMAGE:
            raise ElfInvalid("truncated or damaged")

    return cast(Method, wrapper)


class ElfFile:
    """What a shared object or program is and needs.

    Every method of this class and its children raises ElfInvalid where a table is damaged or leads nowhere; creating one
    also OSError where the file cannot be opened.
    """

    def __init__(self, path: str) -> None:
        """Map the file and read its dynamic section."""
        self.path = path
        self.work = WORK
        self.map = _map(path)
        try:
            self._read_header()
            self._read_dynamic()
        except ElfInvalid:
            self.map.close()
            raise

    @guarded
    def _read_header(self) -> None:
        if len(self.map) < HEADER_SIZE:
            raise ElfInvalid("file too short")
        if self.map[:4] != b"\x7fELF":
            raise ElfInvalid("invalid ELF header")
        if self.map[4:6] != b"\x02\x01":
            raise ElfForeign("not 64-bit little-endian")
        kind, machine = struct.unpack_from("<HH", self.map, 16)
        self.machine = MACHINES.get(machine, "machine {}".format(machine))
        if kind not in (ET_EXEC, ET_DYN):
            raise ElfInvalid("neither shared object nor program")
        (table,) = struct.unpack_from("<Q", self.map, 32)
        size, count = struct.unpack_from("<HH", self.map, 54)
        if size != SEGMENT_SIZE:
            raise ElfInvalid("segments of another size")
        self.segments: List[Tuple[int, int, int]] = []
        self.dynamic: Optional[Tuple[int, int]] = None
        for index in range(count):
            kind, _, offset, address, _, length = struct.unpack_from(
                "<IIQQQQ", self.map, table + index * SEGMENT_SIZE
            )
            if kind == PT_LOAD:
                if offset + length > len(self.map):
                    raise ElfInvalid("file too short")
                self.segments.append((address, offset, length))
            elif kind == PT_DYNAMIC:
                self.dynamic = (offset, length)

    @guarded
    def _read_dynamic(self) -> None:
        self.tags: Dict[int, int] = {}
        names = []
        offset, length = self.dynamic or (0, 0)
        for place in range(offset, offset + min(length, LIMIT), 16):
            tag, value = struct.unpack_from("<qQ", self.map, place)
            if tag == 0:
                break
            if tag == DT_NEEDED:
                names.append(value)
            self.tags[tag] = value
        self.strings = self._offset(self.tags[DT_STRTAB]) if DT_STRTAB in self.tags else 0
        self.symbols = self._offset(self.tags[DT_SYMTAB]) if DT_SYMTAB in self.tags else 0
        self.needed = [self._string(value) for value in names]
        self.soname = self._tagged(DT_SONAME)
        self.rpath = self._tagged(DT_RPATH)
        self.runpath = self._tagged(DT_RUNPATH)

    def _offset(self, address: int) -> int:
        for start, offset, length in self.segments:
            if start <= address < start + length:
                return address - start + offset
        raise ElfInvalid("address outside of the file")

    def _spend(self, amount: int) -> None:
        """Count work on this file, so that one which is made to keep readers busy is given up."""
        self.work -= amount
        if self.work < 0:
            raise ElfInvalid("tables without end")

    def _bytes(self, place: int) -> bytes:
        end = self.map.find(b"\0", place, place + LIMIT)
        if end < 0:
            raise ElfInvalid("string without end")
        self._spend(end - place + STEP)
        return self.map[place:end]

    def _string(self, index: int) -> str:
        return self._bytes(self.strings + index).decode("utf-8", "replace")

    def _tagged(self, tag: int) -> Optional[str]:
        return self._string(self.tags[tag]) if tag in self.tags else None

    def close(self) -> None:
        """Give the memory map back."""
        self.map.close()


def _map(path: str) -> mmap.mmap:
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise ElfInvalid("no regular file")  # opening a pipe would wait for ever
    with open(path, "rb") as stream:
        try:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            raise ElfInvalid("file too short")
