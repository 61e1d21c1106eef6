"""All faults of an extension module at once, against what `ldd -r` says one by one."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.collect.gcc import library, unresolved_by_ldd
from tests.collect.pythons import pythons

from ascendenv.collect.probes.elf import DT_HASH, Elf
from ascendenv.collect.probes.loader import Loader, read_cache
from ascendenv.collect.probes.symbols import (
    check_modules,
    extensions_of,
    plugins_of,
    preloads_of_torch,
    try_library,
)
from ascendenv.collect.script import collector_script

MACHINE = os.uname().machine
MACHINES = {"x86_64": 62, "aarch64": 183}
PYTHON = os.path.realpath(sys.executable)


def check(*modules: Path, preloaded: tuple[Path, ...] = (), library_path: str = "") -> dict[str, Any]:
    loader = Loader(MACHINE, library_path, read_cache())
    return check_modules(loader, PYTHON, map(str, preloaded), map(str, modules))


def symbols(record: dict[str, Any]) -> dict[str, str]:
    return {fault["symbol"]: Path(fault["needed_by"]).name for fault in record["missing_symbols"]}


def test_missing_symbols_are_all_named_with_who_needs_them(tmp_path: Path) -> None:
    base = library(
        tmp_path / "libbase.so",
        "int here(void) { return 1; } extern int lost(void); int f(void) { return lost(); }",
    )
    module = library(
        tmp_path / "module.so",
        "extern int here(void), gone, lost(void), also_gone(int); extern int perhaps(void) __attribute__((weak));"
        "int g(void) { return here() + gone + lost() + also_gone(1) + (perhaps ? perhaps() : 0); }",
        "-Wl,-rpath,$ORIGIN",
        needs=(base,),
    )
    record = check(module)

    assert symbols(record) == {"gone": "module.so", "also_gone": "module.so", "lost": "module.so"}
    assert record["missing_symbols_total"] == 3
    assert set(symbols(record)) == unresolved_by_ldd(str(module))
    assert record["missing_libraries"] == record["damaged_libraries"] == record["missing_versions"] == []
    assert {one["name"]: one["how"] for one in record["libraries"]}["libbase.so"] == "runpath"


def test_what_the_program_or_a_preloaded_library_has_is_not_missing(tmp_path: Path) -> None:
    module = library(tmp_path / "module.so", "extern int brought(void), Py_IsInitialized(void), malloc(int);"
                     "int f(void) { return brought() + Py_IsInitialized() + malloc(1); }")  # fmt: skip
    preloaded = library(tmp_path / "libpreloaded.so", "int brought(void) { return 1; }")

    assert symbols(check(module)) == {"brought": "module.so"}
    assert symbols(check(module, preloaded=(preloaded,))) == {}


def test_what_another_module_brings_is_of_no_use(tmp_path: Path) -> None:
    """Python loads a module for itself: its libraries serve others only when those name them."""
    first = library(tmp_path / "first.so", "int brought(void) { return 1; }")
    second = library(tmp_path / "second.so", "extern int brought(void); int f(void) { return brought(); }")
    named = library(
        tmp_path / "named.so", "extern int brought(void); int f(void) { return brought(); }", needs=(first,)
    )

    assert symbols(check(first, second)) == {"brought": "second.so"}
    assert symbols(check(first, named)) == {}


def test_a_missing_library_does_not_hide_missing_symbols(tmp_path: Path) -> None:
    absent = library(tmp_path / "libabsent.so")
    module = library(
        tmp_path / "module.so", "extern int gone(void); int f(void) { return gone(); }", needs=(absent,)
    )
    absent.unlink()
    record = check(module)

    assert record["missing_libraries"] == [{"name": "libabsent.so", "needed_by": str(module)}]
    assert symbols(record) == {"gone": "module.so"}


def test_a_damaged_library_is_named_with_the_reason(tmp_path: Path) -> None:
    needed = library(tmp_path / "libneeded.so")
    module = library(tmp_path / "module.so", "", "-Wl,-rpath,$ORIGIN", needs=(needed,))
    needed.write_bytes(needed.read_bytes()[:1000])
    record = check(module)

    assert record["damaged_libraries"] == [
        {"path": str(needed), "needed_by": str(module), "reason": "file too short"}
    ]
    assert record["missing_libraries"] == []


def test_a_missing_version_node_is_named(tmp_path: Path) -> None:
    def versioned(nodes: str, source: str) -> Path:
        script = tmp_path / "versions.map"
        script.write_text(nodes)
        return library(tmp_path / "libversioned.so", source, f"-Wl,--version-script={script}")

    both = "int one(void) { return 1; } int two(void) { return 2; }"
    needed = versioned("V_1.0 { global: one; local: *; }; V_1.1 { global: two; } V_1.0;", both)
    module = library(tmp_path / "module.so", "extern int one(void), two(void); int f(void) { return one() + two(); }",
                     "-Wl,-rpath,$ORIGIN", needs=(needed,))  # fmt: skip
    assert check(module)["missing_versions"] == []
    versioned("V_1.0 { global: one; two; local: *; };", both)
    fault = {"library": str(needed), "node": "V_1.1", "needed_by": str(module)}
    assert check(module)["missing_versions"] == [fault]
    library(needed, both)
    assert check(module)["missing_versions"] == [], "a library without versions satisfies every demand"


def test_a_provider_with_damaged_tables_is_told_and_the_rest_is_checked(tmp_path: Path) -> None:
    needed = library(tmp_path / "libneeded.so", "int here(void) { return 1; }", "-Wl,--hash-style=sysv")
    source = "extern int here(void); int f(void) { return here(); }"
    module = library(tmp_path / "module.so", source, "-Wl,-rpath,$ORIGIN", needs=(needed,))
    data = bytearray(needed.read_bytes())
    start, length = Elf(str(needed)).dynamic or (0, 0)
    place = next(
        one for one in range(start, start + length, 16) if data[one : one + 8] == bytes([DT_HASH, *[0] * 7])
    )
    data[place + 8 : place + 16] = (1 << 40).to_bytes(8, "little")
    needed.write_bytes(data)
    record = check(module)

    assert record["unreadable"] == {str(needed): "address outside of the file"}
    assert symbols(record) == {"here": "module.so"}


def test_a_plugin_is_tried_after_the_modules(tmp_path: Path) -> None:
    absent = library(tmp_path / "libatb.so")
    base = library(tmp_path / "libbase.so", "extern int lost(void); int here(void) { return lost(); }")
    module = library(tmp_path / "module.so", "", "-Wl,-rpath,$ORIGIN", needs=(base,))
    source = "extern int here(void), gone(void); int f(void) { return here() + gone(); }"
    plugin = library(tmp_path / "plugin.so", source, "-Wl,-rpath,$ORIGIN", needs=(base, absent))
    absent.unlink()
    loader = Loader(MACHINE, "", read_cache())
    record = check_modules(loader, PYTHON, [], [str(module)])

    assert symbols(record) == {"lost": "libbase.so"}
    assert try_library(loader, str(plugin)) == {
        "missing_libraries": [{"name": "libatb.so", "needed_by": str(plugin)}],
        "missing_symbols": [{"symbol": "gone", "needed_by": str(plugin)}],
    }
    assert try_library(loader, str(tmp_path / "none.so")) == {"missing_libraries": [], "missing_symbols": []}


def test_many_missing_symbols_are_counted_and_cut(tmp_path: Path) -> None:
    names = [f"missing_{number}" for number in range(900)]
    source = (
        "".join(f"extern int {name};" for name in names) + "int f(void) { return " + "+".join(names) + "; }"
    )
    record = check(library(tmp_path / "module.so", source))

    assert record["missing_symbols_total"] == 900
    assert len(record["missing_symbols"]) == 400


def test_a_library_that_needs_tens_of_thousands_of_others_does_not_keep_the_loader_busy(
    tmp_path: Path,
) -> None:
    path = tmp_path / "module.so"
    names = b"".join(b"libmissing%05d.so\0" % number for number in range(60_000))
    strings, length = 0x1000 + 16 * 60_003, 19
    needed = b"".join(struct.pack("<qQ", 1, number * length) for number in range(60_000))
    dynamic = struct.pack("<qQqQ", 5, strings, 6, strings) + needed + bytes(16)
    size = strings + len(names)
    header = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    header += struct.pack("<HHIQQQIHHHHHH", 3, MACHINES[MACHINE], 1, 0, 64, 0, 0, 64, 56, 2, 64, 0, 0)
    header += struct.pack("<IIQQQQQQ", 1, 7, 0, 0, 0, size, size, 4096)
    header += struct.pack("<IIQQQQQQ", 2, 6, 0x1000, 0x1000, 0x1000, len(dynamic), len(dynamic), 8)
    path.write_bytes(header.ljust(0x1000, b"\0") + dynamic + names)
    started = time.process_time()

    assert len(check(path)["missing_libraries"]) == 60_000
    assert time.process_time() - started < 10


def test_modules_are_found_by_the_names_that_python_takes(tmp_path: Path) -> None:
    folder = tmp_path / "[odd]" / "torch_npu"
    folder.mkdir(parents=True)
    for name in ("_C.cpython-311-aarch64-linux-gnu.so", "_C.abi3.so", "_C_extra.so", "_C.py"):
        (folder / name).touch()

    found = extensions_of(str(tmp_path / "[odd]"), "torch_npu")

    assert [Path(path).name for path in found] == ["_C.abi3.so", "_C.cpython-311-aarch64-linux-gnu.so"]
    assert preloads_of_torch(str(tmp_path)) == plugins_of(str(tmp_path)) == []


PROBE = """
loader = sys.modules["ascendenv_probes.loader"]
symbols = sys.modules["ascendenv_probes.symbols"]
made = loader.Loader(os.uname().machine, "", loader.read_cache())
print(json.dumps(symbols.check_modules(made, sys.argv[1], [], [sys.argv[2]]), sort_keys=True))
"""


@pytest.mark.parametrize("version", sorted(pythons()))
def test_the_bundled_script_finds_the_same_under_every_python(tmp_path: Path, version: str) -> None:
    absent = library(tmp_path / "libabsent.so")
    module = library(
        tmp_path / "module.so", "extern int gone(void); int f(void) { return gone(); }", needs=(absent,)
    )
    absent.unlink()
    bundled = re.sub(
        r"\nif __name__ ==.*", "\nimport os, json\n" + PROBE, collector_script(), flags=re.DOTALL
    )

    done = subprocess.run(
        [pythons()[version], "-", PYTHON, module], input=bundled, capture_output=True, text=True, check=False
    )

    assert done.stderr == ""
    assert json.loads(done.stdout) == check(module)
