"""Reads the few fields of an ELF file that the dynamic loader reads, on a memory map.

Only 64-bit little-endian files are read, which is what Ascend hosts (aarch64, x86_64) load. A lookup touches a few
pages, so a library of 434 MB costs as much as a small one. Layout: System V gABI chapter 5, GNU hash section
(https://flapenguin.me/elf-dt-gnu-hash), symbol versions (LSB Core 10.7).
"""

import mmap
import struct
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

PT_LOAD, PT_DYNAMIC = 1, 2
DT_NEEDED, DT_HASH, DT_STRTAB, DT_SYMTAB, DT_SONAME, DT_RPATH, DT_RUNPATH = 1, 4, 5, 6, 14, 15, 29
DT_GNU_HASH = 0x6FFFFEF5
DT_VERDEF, DT_VERDEFNUM, DT_VERNEED, DT_VERNEEDNUM = 0x6FFFFFFC, 0x6FFFFFFD, 0x6FFFFFFE, 0x6FFFFFFF
SYMBOL_SIZE = 24
STB_GLOBAL = 1
LIMIT = 1 << 20
"""No table of a sane library is longer; a hostile file must not keep us busy."""

MACHINES = {62: "x86_64", 183: "aarch64"}


class ElfInvalid(ValueError):
    """The file is no ELF file that the loader of an Ascend host would take."""


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

    Raises ElfInvalid for anything that cannot be read, OSError where the file cannot be opened.
    """

    def __init__(self, path: str) -> None:
        """Map the file and read its dynamic section."""
        self.path = path
        with open(path, "rb") as stream:
            try:
                self.map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
            except ValueError:
                raise ElfInvalid("empty file")
        try:
            self._read_header()
            self._read_dynamic()
        except (struct.error, IndexError, OverflowError, UnicodeDecodeError):
            raise ElfInvalid("truncated or damaged")

    def _read_header(self) -> None:
        if self.map[:4] != b"\x7fELF":
            raise ElfInvalid("no ELF file")
        if self.map[4:6] != b"\x02\x01":
            raise ElfInvalid("not 64-bit little-endian")
        (machine,) = struct.unpack_from("<H", self.map, 18)
        self.machine = MACHINES.get(machine, str(machine))
        (table,) = struct.unpack_from("<Q", self.map, 32)
        size, count = struct.unpack_from("<HH", self.map, 54)
        self.segments: List[Tuple[int, int, int]] = []
        self.dynamic: Optional[Tuple[int, int]] = None
        for index in range(count):
            kind, _, offset, address, _, length = struct.unpack_from(
                "<IIQQQQ", self.map, table + index * size
            )
            if kind == PT_LOAD:
                self.segments.append((address, offset, length))
            elif kind == PT_DYNAMIC:
                self.dynamic = (offset, length)

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
            self.tags.setdefault(tag, value)
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
        if not 0 < buckets < LIMIT or not 0 < words < LIMIT or shift > 63:
            raise ElfInvalid("damaged hash table")
        bloom = start + 16
        heads = bloom + words * 8
        return GnuHash(buckets, first, words, shift, bloom, heads, heads + buckets * 4)

    def _offset(self, address: int) -> int:
        for start, offset, length in self.segments:
            if start <= address < start + length:
                return address - start + offset
        raise ElfInvalid("address outside of the file")

    def _bytes(self, place: int) -> bytes:
        end = self.map.find(b"\0", place, place + LIMIT)
        if end < 0:
            raise ElfInvalid("string without end")
        return self.map[place:end]

    def _string(self, index: int) -> str:
        return self._bytes(self.strings + index).decode("utf-8", "replace")

    def _tagged(self, tag: int) -> Optional[str]:
        return self._string(self.tags[tag]) if tag in self.tags else None

    def undefined(self) -> List[bytes]:
        """The names that must be found in some other library; weak ones, which may be absent, are left out."""
        try:
            return list(self._undefined())
        except (struct.error, IndexError):
            raise ElfInvalid("truncated symbol table")

    def _undefined(self) -> Iterator[bytes]:
        table = self.map[self.symbols : self.symbols + self._undefined_count() * SYMBOL_SIZE]
        for name, info, _, section, _, _ in struct.iter_unpack(
            "<IBBHQQ", table[: len(table) // SYMBOL_SIZE * SYMBOL_SIZE]
        ):
            if section == 0 and name and info >> 4 == STB_GLOBAL:
                yield self._bytes(self.strings + name)

    def _undefined_count(self) -> int:
        """How many symbols to look at: with a GNU hash, undefined ones stand before the first hashed one."""
        if self.hash is not None:
            return min(self.hash.first, LIMIT)
        if DT_HASH in self.tags:
            _, count = struct.unpack_from("<II", self.map, self._offset(self.tags[DT_HASH]))
            return min(int(count), LIMIT)
        return 0

    def defines(self, name: bytes, hashed: int) -> bool:
        """Whether the library exports `name`, whose `gnu_hash` is `hashed`."""
        try:
            if self.hash is not None:
                return self._in_gnu_hash(self.hash, name, hashed)
            return DT_HASH in self.tags and self._in_plain_hash(name)
        except (struct.error, IndexError):
            return False

    def _in_gnu_hash(self, table: GnuHash, name: bytes, hashed: int) -> bool:
        (word,) = struct.unpack_from("<Q", self.map, table.bloom + ((hashed >> 6) % table.words) * 8)
        if not (word >> (hashed & 63)) & (word >> ((hashed >> table.shift) & 63)) & 1:
            return False
        (index,) = struct.unpack_from("<I", self.map, table.heads + (hashed % table.buckets) * 4)
        if index < table.first:
            return False
        for place in range(index, index + LIMIT):
            (link,) = struct.unpack_from("<I", self.map, table.chain + (place - table.first) * 4)
            if link | 1 == hashed | 1 and self._is_defined(place, name):
                return True
            if link & 1:
                return False
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
        return False

    def _is_defined(self, index: int, name: bytes) -> bool:
        text, _, _, section = struct.unpack_from("<IBBH", self.map, self.symbols + index * SYMBOL_SIZE)
        place = self.strings + text
        return bool(section) and self.map[place : place + len(name) + 1] == name + b"\0"

    def required_versions(self) -> List[Tuple[str, str]]:
        """(library, version node) pairs that must exist, e.g. `("libc.so.6", "GLIBC_2.34")`; weak ones are left out."""
        try:
            return list(self._required_versions())
        except (struct.error, IndexError):
            raise ElfInvalid("truncated version table")

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
                node += step
            place += following

    def defined_versions(self) -> List[str]:
        """The version nodes that the library offers; empty when it has none, which satisfies every demand."""
        try:
            return list(self._defined_versions())
        except (struct.error, IndexError):
            raise ElfInvalid("truncated version table")

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


def gnu_hash(name: bytes) -> int:
    """The hash by which GNU tables are searched."""
    value = 5381
    for byte in name:
        value = (value * 33 + byte) & 0xFFFFFFFF
    return value


def plain_hash(name: bytes) -> int:
    """The hash by which System V tables are searched."""
    value = 0
    for byte in name:
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high & 0xFFFFFFFF
    return value
