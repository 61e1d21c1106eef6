"""Reads the few fields of an ELF file that the dynamic loader reads, on a memory map.

Only 64-bit little-endian files are read, which is what Ascend hosts (aarch64, x86_64) load. A lookup touches a few
pages, so a library of 434 MB costs as much as a small one. Layout: System V gABI chapter 5, GNU hash section
(https://flapenguin.me/elf-dt-gnu-hash), symbol versions (LSB Core 10.7).
"""

import functools
import math
import mmap
import os
import stat
import struct
from operator import mul
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, TypeVar, cast

ET_EXEC, ET_DYN = 2, 3
PT_LOAD, PT_DYNAMIC = 1, 2
DT_NEEDED, DT_HASH, DT_STRTAB, DT_SYMTAB, DT_SONAME, DT_RPATH, DT_RUNPATH = 1, 4, 5, 6, 14, 15, 29
DT_GNU_HASH = 0x6FFFFEF5
DT_VERDEF, DT_VERDEFNUM, DT_VERNEED, DT_VERNEEDNUM = 0x6FFFFFFC, 0x6FFFFFFD, 0x6FFFFFFE, 0x6FFFFFFF
SHT_DYNSYM = 11
HEADER_SIZE, SYMBOL_SIZE, SEGMENT_SIZE = 64, 24, 56
STB_GLOBAL, STB_WEAK, STB_GNU_UNIQUE = 1, 2, 10
EXPORTED = (STB_GLOBAL, STB_WEAK, STB_GNU_UNIQUE)
LIMIT = 1 << 20
"""No table of a sane library is longer."""
WORK = 1 << 26
"""Bytes of names that are read from one file at most; torch's largest library takes a twentieth of it."""
STEP = 64
"""What one step through a linked table costs of that."""

NUMBER, SYMBOL = struct.Struct("<I"), struct.Struct("<IBBH")

MACHINES = {62: "x86_64", 183: "aarch64"}
DAMAGE = (struct.error, IndexError, OverflowError)
WEIGHTS: Dict[int, Tuple[int, Tuple[int, ...]]] = {}
"""Start of the sum, and what each byte of a name counts, by the length of the name: faster than step by step."""
LONGEST_WEIGHED = 2048
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


GnuHash = NamedTuple(
    "GnuHash",
    [
        ("buckets", int),
        ("first", int),
        ("words", int),
        ("shift", int),
        ("bloom", int),
        ("heads", int),
        ("chain", int),
    ],
)


class Elf:
    """A shared object or program: what it needs, what it offers, and what it leaves undefined.

    Every method raises ElfInvalid where its tables are damaged or lead nowhere; creating one also OSError where the
    file cannot be opened.
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
        self.hash = self._read_gnu_hash()

    def _read_gnu_hash(self) -> Optional[GnuHash]:
        if DT_GNU_HASH not in self.tags:
            return None
        start = self._offset(self.tags[DT_GNU_HASH])
        buckets, first, words, shift = struct.unpack_from("<IIII", self.map, start)
        if not 0 < buckets < LIMIT or not 0 < words < LIMIT or words & (words - 1) or shift > 63:
            raise ElfInvalid("damaged hash table")
        bloom = start + 16
        heads = bloom + words * 8
        if heads + buckets * 4 > len(self.map):
            raise ElfInvalid("damaged hash table")
        return GnuHash(buckets, first, words, shift, bloom, heads, heads + buckets * 4)

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

    @guarded
    def undefined(self) -> List[bytes]:
        """The names that must be found in some other library; weak ones, which may be absent, are left out."""
        return list(self._undefined())

    def _undefined(self) -> Iterator[bytes]:
        table = self.map[self.symbols : self.symbols + self._undefined_count() * SYMBOL_SIZE]
        for name, info, _, section, _, _ in struct.iter_unpack(
            "<IBBHQQ", table[: len(table) // SYMBOL_SIZE * SYMBOL_SIZE]
        ):
            if section == 0 and name and info >> 4 == STB_GLOBAL:
                yield self._bytes(self.strings + name)

    def _undefined_count(self) -> int:
        """How many symbols to look at: with a GNU hash, undefined ones stand before the first hashed one."""
        if self.hash is not None and self.hash.first > 1:
            return min(self.hash.first, LIMIT)
        if DT_HASH in self.tags:
            _, count = struct.unpack_from("<II", self.map, self._offset(self.tags[DT_HASH]))
            return min(int(count), LIMIT)
        return min(self._symbol_count(), LIMIT)

    def _symbol_count(self) -> int:
        """The length of the symbol table by the section headers: a library that exports nothing has an empty hash."""
        (table,) = struct.unpack_from("<Q", self.map, 40)
        size, count = struct.unpack_from("<HH", self.map, 58)
        for index in range(count if table else 0):
            _, kind, _, _, _, length = struct.unpack_from("<IIQQQQ", self.map, table + index * size)
            if kind == SHT_DYNSYM:
                return int(length) // SYMBOL_SIZE
        return 0

    @guarded
    def absent(self, names: List[Tuple[bytes, int]]) -> List[Tuple[bytes, int]]:
        """Those of `names`, each with its `gnu_hash`, that the library does not export."""
        if self.hash is None:
            return [one for one in names if DT_HASH not in self.tags or not self._in_plain_hash(one[0])]
        view = memoryview(self.map)
        bloom = view[self.hash.bloom : self.hash.heads].cast("Q")
        heads = view[self.hash.heads : self.hash.chain].cast("I")
        mask, shift, buckets = self.hash.words - 1, self.hash.shift, self.hash.buckets
        left = []
        for one in names:
            hashed = one[1]
            word = bloom[hashed >> 6 & mask]
            may_be = word >> (hashed & 63) & word >> (hashed >> shift & 63) & 1
            if not may_be or not self._in_chain(self.hash, heads[hashed % buckets], one[0], hashed):
                left.append(one)
        return left

    def _in_chain(self, table: GnuHash, index: int, name: bytes, hashed: int) -> bool:
        if index < table.first:
            return False
        place = table.chain + (index - table.first) * 4
        for step in range(LIMIT):
            (link,) = NUMBER.unpack_from(self.map, place + step * 4)
            if link | 1 == hashed | 1 and self._is_defined(index + step, name):
                return True
            if link & 1:
                return False
            self._spend(STEP)
        return False

    def _in_plain_hash(self, name: bytes) -> bool:
        start = self._offset(self.tags[DT_HASH])
        buckets, count = struct.unpack_from("<II", self.map, start)
        if not buckets:
            return False
        (index,) = struct.unpack_from("<I", self.map, start + 8 + (plain_hash(name) % buckets) * 4)
        for _ in range(min(count, LIMIT)):
            if index == 0:
                return False
            if self._is_defined(index, name):
                return True
            (index,) = struct.unpack_from("<I", self.map, start + 8 + buckets * 4 + index * 4)
            self._spend(STEP)
        return False

    def _is_defined(self, index: int, name: bytes) -> bool:
        text, info, _, section = SYMBOL.unpack_from(self.map, self.symbols + index * SYMBOL_SIZE)
        place = self.strings + text
        return bool(
            section and info >> 4 in EXPORTED and self.map[place : place + len(name) + 1] == name + b"\0"
        )

    @guarded
    def required_versions(self) -> List[Tuple[str, str]]:
        """(library, version node) pairs that must exist, e.g. `("libc.so.6", "GLIBC_2.34")`; weak ones are left out."""
        return list(self._required_versions())

    def _required_versions(self) -> Iterator[Tuple[str, str]]:
        if DT_VERNEED not in self.tags:
            return
        place = self._offset(self.tags[DT_VERNEED])
        for _ in range(min(self.tags.get(DT_VERNEEDNUM, 0), LIMIT)):
            _, count, library, first, following = struct.unpack_from("<HHIII", self.map, place)
            node = place + first
            for _ in range(count):
                _, flags, _, name, step = struct.unpack_from("<IHHII", self.map, node)
                if not flags & 2:  # VER_FLG_WEAK
                    yield self._string(library), self._string(name)
                self._spend(STEP)
                node += step
            place += following

    @guarded
    def defined_versions(self) -> List[str]:
        """The version nodes that the library offers; empty when it has none, which satisfies every demand."""
        return list(self._defined_versions())

    def _defined_versions(self) -> Iterator[str]:
        if DT_VERDEF not in self.tags:
            return
        place = self._offset(self.tags[DT_VERDEF])
        for _ in range(min(self.tags.get(DT_VERDEFNUM, 0), LIMIT)):
            _, _, _, _, _, names, following = struct.unpack_from("<HHHHIII", self.map, place)
            (name,) = struct.unpack_from("<I", self.map, place + names)
            yield self._string(name)
            place += following

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


def gnu_hash(name: bytes) -> int:
    """The hash by which GNU tables are searched: from 5381 on, times 33 plus the next byte, cut to 32 bits."""
    size = len(name)
    if size > LONGEST_WEIGHED:
        value = 5381
        for byte in name:
            value = (value * 33 + byte) & 0xFFFFFFFF
        return value
    if size not in WEIGHTS:
        WEIGHTS[size] = _weights(size)
    start, weights = WEIGHTS[size]
    return (start + dot(name, weights)) & 0xFFFFFFFF


def _dot(first: Iterable[int], second: Iterable[int]) -> int:
    return sum(map(mul, first, second))


# Python 3.12 brings a faster one.
dot: Callable[[Iterable[int], Iterable[int]], int] = getattr(math, "sumprod", _dot)


def _weights(size: int) -> Tuple[int, Tuple[int, ...]]:
    powers = [pow(33, place, 1 << 32) for place in range(size, -1, -1)]
    return 5381 * powers[0], tuple(powers[1:])


def plain_hash(name: bytes) -> int:
    """The hash by which System V tables are searched."""
    value = 0
    for byte in name:
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high & 0xFFFFFFFF
    return value
