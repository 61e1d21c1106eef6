"""The symbols of an ELF file: what it leaves undefined, what it exports, and the versions of both.

Layout: System V gABI chapter 5, GNU hash section (https://flapenguin.me/elf-dt-gnu-hash), symbol versions (LSB Core 10.7).
"""

import struct
from typing import Iterator, List, NamedTuple, Optional, Tuple

from .elf_file import LIMIT, STEP, ElfFile, ElfInvalid, guarded
from .hashing import plain_hash

DT_HASH, DT_GNU_HASH = 4, 0x6FFFFEF5
DT_VERDEF, DT_VERDEFNUM, DT_VERNEED, DT_VERNEEDNUM = 0x6FFFFFFC, 0x6FFFFFFD, 0x6FFFFFFE, 0x6FFFFFFF
SHT_DYNSYM = 11
SYMBOL_SIZE = 24
STB_GLOBAL, STB_WEAK, STB_GNU_UNIQUE = 1, 2, 10
EXPORTED = (STB_GLOBAL, STB_WEAK, STB_GNU_UNIQUE)
NUMBER, SYMBOL = struct.Struct("<I"), struct.Struct("<IBBH")

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


class Elf(ElfFile):
    """A shared object or program with its symbols."""

    @guarded
    def _read_dynamic(self) -> None:
        super()._read_dynamic()
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
