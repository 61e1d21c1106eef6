"""The ELF reader on libraries that gcc makes, on damaged ones, and on files that are made to keep a reader busy."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.collect.gcc import library, program

from ascendenv.collect.probes.elf import Elf
from ascendenv.collect.probes.elf_file import ElfForeign, ElfInvalid
from ascendenv.collect.probes.hashing import gnu_hash, plain_hash

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """
int shared_value = 1;
int exported(void) { return shared_value; }
__attribute__((weak)) int weakly(void) { return 2; }
static int hidden_helper(void) { return 3; }
extern int elsewhere(int), elsewhere_too;
extern int perhaps(void) __attribute__((weak));
int caller(void) { return elsewhere(elsewhere_too) + hidden_helper() + (perhaps ? perhaps() : 0); }
"""
STYLES = ["gnu", "sysv", "both"]


def exports(elf: Elf, *names: bytes) -> set[bytes]:
    absent = elf.absent([(name, gnu_hash(name)) for name in names])
    return set(names) - {name for name, _ in absent}


@pytest.fixture(scope="module", params=STYLES)
def plain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Elf:
    folder = tmp_path_factory.mktemp("elf")
    return Elf(str(library(folder / "libplain.so.1", SOURCE, f"-Wl,--hash-style={request.param}")))


def test_what_a_library_exports(plain: Elf) -> None:
    assert exports(plain, b"exported", b"weakly", b"shared_value", b"caller") == {
        b"exported",
        b"weakly",
        b"shared_value",
        b"caller",
    }


@pytest.mark.parametrize(
    "name", [b"hidden_helper", b"elsewhere", b"perhaps", b"absent", b"", b"export", b"x" * 5000]
)
def test_what_it_does_not_export(plain: Elf, name: bytes) -> None:
    assert exports(plain, name) == set()


def test_what_it_leaves_undefined_weak_ones_left_out(plain: Elf) -> None:
    assert set(plain.undefined()) == {b"elsewhere", b"elsewhere_too"}


def test_a_library_that_exports_nothing_has_undefined_symbols_all_the_same(tmp_path: Path) -> None:
    source = "extern int f(void); __attribute__((constructor)) static void g(void) { f(); }"
    for style in STYLES:
        path = library(tmp_path / f"lib{style}.so", source, f"-Wl,--hash-style={style}")
        assert Elf(str(path)).undefined() == [b"f"]


def test_names_and_search_paths(tmp_path: Path) -> None:
    first, second = library(tmp_path / "libfirst.so"), library(tmp_path / "libsecond.so")
    old = library(
        tmp_path / "libold.so", "", "-Wl,-rpath,$ORIGIN/x:/y,--disable-new-dtags", needs=(first, second)
    )
    new = library(tmp_path / "libnew.so", "", "-Wl,-rpath,/z,--enable-new-dtags,-soname,libother.so.2")

    elf = Elf(str(old))
    assert (elf.needed, elf.soname) == (["libfirst.so", "libsecond.so"], "libold.so")
    assert (elf.rpath, elf.runpath) == ("$ORIGIN/x:/y", None)
    elf = Elf(str(new))
    assert (elf.rpath, elf.runpath, elf.soname, elf.needed) == (None, "/z", "libother.so.2", [])
    assert elf.machine == os.uname().machine


def test_version_nodes(tmp_path: Path) -> None:
    script = tmp_path / "versions.map"
    script.write_text("V_1.0 { global: one; local: *; }; V_1.1 { global: two; } V_1.0;")
    source = "int one(void) { return 1; } int two(void) { return 2; }"
    versioned = library(tmp_path / "libversioned.so", source, f"-Wl,--version-script={script}")
    user = library(
        tmp_path / "libuser.so",
        "extern int one(void), two(void); int f(void) { return one() + two(); }",
        needs=(versioned,),
    )
    elf = Elf(str(versioned))
    assert elf.defined_versions() == ["libversioned.so", "V_1.0", "V_1.1"]
    assert elf.required_versions() == []
    elf = Elf(str(user))
    assert sorted(elf.required_versions()) == [("libversioned.so", "V_1.0"), ("libversioned.so", "V_1.1")]
    assert elf.defined_versions() == []


def test_a_program_is_read_like_a_library(tmp_path: Path) -> None:
    elf = Elf(str(program(tmp_path / "program", "int main(void) { return 0; }")))
    assert elf.needed == ["libc.so.6"]
    assert any(node.startswith("GLIBC_") for _, node in elf.required_versions())


HEADER = b"\x7fELF\x02\x01\x01" + bytes(9)
BROKEN = [
    (b"", ElfInvalid, "file too short"),
    (b"\x7fELF", ElfInvalid, "file too short"),
    (b"INPUT(/lib/libc.so.6)", ElfInvalid, "file too short"),
    (b"/* GNU ld script */" + b" " * 64, ElfInvalid, "invalid ELF header"),
    (b"\x7fELF\x01\x01\x01" + bytes(80), ElfForeign, "not 64-bit"),
    (b"\x7fELF\x02\x02\x01" + bytes(80), ElfForeign, "not 64-bit"),
    (HEADER + struct.pack("<HH", 1, 62) + bytes(80), ElfInvalid, "neither shared object nor program"),
    (HEADER + struct.pack("<HH", 3, 62) + bytes(80), ElfInvalid, "segments of another size"),
]


@pytest.mark.parametrize(("data", "kind", "words"), BROKEN)
def test_what_is_no_library_says_so(tmp_path: Path, data: bytes, kind: type[ElfInvalid], words: str) -> None:
    path = tmp_path / "libx.so"
    path.write_bytes(data)
    with pytest.raises(ElfInvalid, match=words) as caught:
        Elf(str(path))
    assert type(caught.value) is kind


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "libpipe.so")
    for path in (tmp_path / "libpipe.so", tmp_path, "/dev/zero"):
        with pytest.raises(ElfInvalid, match="no regular file"):
            Elf(str(path))
    with pytest.raises(FileNotFoundError):
        Elf(str(tmp_path / "absent.so"))


def touch_everything(path: Path) -> None:
    elf = Elf(str(path))
    elf.absent([(name, gnu_hash(name)) for name in (b"exported", b"caller", b"nothing", b"")])
    elf.undefined()
    elf.required_versions()
    elf.defined_versions()
    elf.close()


@pytest.fixture(scope="module")
def bytes_of_library(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The same library with each kind of hash table, and with version nodes."""
    folder = tmp_path_factory.mktemp("whole")
    script = folder / "versions.map"
    script.write_text("V_1 { global: exported; caller; local: *; };")
    every = folder / "every.map"
    every.write_text("W_1 { global: *; };")
    offered = "int elsewhere(int a) { return a; } int elsewhere_too;"
    provider = library(folder / "libelsewhere.so", offered, f"-Wl,--version-script={every}")
    options = [f"-Wl,--hash-style={style},--version-script={script}" for style in STYLES]
    paths = [folder / f"lib{style}.so" for style in STYLES]
    return [
        library(path, SOURCE, option, needs=(provider,)).read_bytes()
        for path, option in zip(paths, options, strict=True)
    ]


@given(data=st.binary(max_size=400))
@settings(deadline=1000, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_refused_or_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "libany.so"
    for content in (data, HEADER + struct.pack("<HH", 3, 62) + data):
        path.write_bytes(content)
        try:
            touch_everything(path)
        except ElfInvalid:
            continue


INTERESTING = st.one_of(
    st.integers(0, 2**64 - 1),
    st.sampled_from([0, 1, 2**16 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1, 0x6FFFFEF5, 0x6FFFFFFE]),
)


@given(
    which=st.integers(0, 2),
    changes=st.lists(
        st.tuples(st.floats(0, 1), st.sampled_from([1, 2, 4, 8]), INTERESTING), min_size=1, max_size=6
    ),
    keep=st.one_of(st.just(1.0), st.floats(0, 1)),
)
@settings(deadline=3000, max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_library_is_refused_or_read(
    bytes_of_library: list[bytes],
    tmp_path: Path,
    which: int,
    changes: list[tuple[float, int, int]],
    keep: float,
) -> None:
    data = bytearray(bytes_of_library[which])
    tables = min(len(data), 0x1000)  # headers and dynamic symbols lie there: most changes should hit them
    for where, width, value in changes:
        place = int(where * (tables if value % 4 else len(data) - 8))
        data[place : place + width] = (value % (1 << 8 * width)).to_bytes(width, "little")
    path = tmp_path / "libdamaged.so"
    path.write_bytes(bytes(data[: int(len(data) * keep)]))
    try:
        touch_everything(path)
    except ElfInvalid:
        return


def hostile(tags: dict[int, int], body: bytes) -> bytes:
    """A library whose dynamic section says `tags` and whose tables are `body`, which lies at address 0x1000."""
    dynamic = b"".join(struct.pack("<qQ", tag, value) for tag, value in tags.items()) + bytes(16)
    size = 0x1000 + len(body)
    header = HEADER + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 2, 64, 0, 0)
    segments = struct.pack("<IIQQQQQQ", 1, 7, 0, 0, 0, size, size, 4096)
    segments += struct.pack("<IIQQQQQQ", 2, 6, 0x800, 0x800, 0x800, len(dynamic), len(dynamic), 8)
    start = (header + segments).ljust(0x800, b"\0") + dynamic
    return start.ljust(0x1000, b"\0") + body


LONG = b"a" * (1 << 19) + b"\0"
HOSTILE = {
    "every symbol has a name of half a megabyte": hostile(
        {5: 0x1000, 6: 0x1000 + len(LONG), 4: 0x1000 + len(LONG) + 24 * 50_000},
        LONG + struct.pack("<IBBHQQ", 1, 0x10, 0, 0, 0, 0) * 50_000 + struct.pack("<II", 1, 50_000),
    ),
    "a hash chain that never ends": hostile(
        {5: 0x1000, 6: 0x1000, 4: 0x2000}, bytes(0x1000) + struct.pack("<IIII", 1, 1 << 20, 1, 0) + struct.pack("<I", 1) * 8
    ),
    "version records that point at themselves": hostile(
        {5: 0x1000, 6: 0x1000, 0x6FFFFFFE: 0x1100, 0x6FFFFFFF: 1 << 40},
        bytes(0x100) + struct.pack("<HHIII", 1, 65535, 0, 16, 0) + struct.pack("<IHHII", 0, 0, 0, 0, 0),
    ),
    "version definitions that point at themselves": hostile(
        {5: 0x1000, 6: 0x1000, 0x6FFFFFFC: 0x1100, 0x6FFFFFFD: 1 << 40}, bytes(0x100) + bytes(0x40)
    ),
    "a bloom filter larger than the file": hostile(
        {5: 0x1000, 6: 0x1000, 0x6FFFFEF5: 0x1000}, struct.pack("<IIII", 1, 1, 1 << 19, 1) + bytes(64)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_library_does_not_keep_the_reader_busy(tmp_path: Path, name: str) -> None:
    path = tmp_path / "libhostile.so"
    path.write_bytes(HOSTILE[name])
    script = "import sys; from tests.collect.test_elf import *; touch_everything(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", script, path], timeout=20, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 or "ElfInvalid" in done.stderr


@given(st.binary(max_size=3000))
def test_the_hash_is_the_one_of_the_format(name: bytes) -> None:
    value = 5381
    for byte in name:
        value = (value * 33 + byte) % 2**32
    assert gnu_hash(name) == value


@pytest.mark.parametrize(
    ("name", "value"), [(b"", 0), (b"printf", 0x077905A6), (b"exit", 0x0006CF04), (b"syscall", 0x0B09985C)]
)
def test_the_plain_hash_is_the_one_of_the_format(name: bytes, value: int) -> None:
    assert plain_hash(name) == value
