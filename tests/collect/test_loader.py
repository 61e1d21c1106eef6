"""The model of the dynamic loader against the real one: `ldd` of this machine is asked for the same files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.collect.gcc import library, program, resolved_by_ldd

from ascendenv.collect.probes.loader import Loader, expand, read_cache

MACHINE = os.uname().machine
MAIN = "int main(void) { return 0; }"


def load(path: Path | str, library_path: str = "") -> Loader:
    loader = Loader(MACHINE, library_path, read_cache())
    loader.load(str(path))
    return loader


def resolved(loader: Loader) -> dict[str, str | None]:
    """name -> path as `ldd` prints it."""
    found: dict[str, str | None] = {
        name: one.elf.path for name, one in loader.by_name.items() if "/" not in name
    }
    return found | {one.name: None for one in loader.missing}


def agree(path: Path, library_path: str = "") -> None:
    """Both loaders find each name at the same place, links resolved."""
    environment = {"LD_LIBRARY_PATH": library_path} if library_path else {}
    real = resolved_by_ldd(path, **environment)
    ours = resolved(load(path, library_path))
    assert {name: _real(ours.get(name, "?")) for name in real} == {
        name: _real(place) for name, place in real.items()
    }


def _real(path: str | None) -> str | None:
    return None if path is None else os.path.realpath(path)


FOLDERS = ("rpath", "runpath", "variable", "origin")


@pytest.fixture
def places(tmp_path: Path) -> Path:
    """libdep.so in a folder for each rule, so that the path tells which rule found it."""
    for name in FOLDERS:
        library(tmp_path / name / "libdep.so", f'char found_in[] = "{name}";')
    return tmp_path


ORDERS = [
    # name, link options, LD_LIBRARY_PATH, the rule that wins
    ("an RPATH stands before the variable", "-Wl,--disable-new-dtags,-rpath,{0}/rpath", "{0}/variable", "rpath"),
    ("the variable stands before a RUNPATH", "-Wl,--enable-new-dtags,-rpath,{0}/runpath", "{0}/variable", "variable"),
    ("a RUNPATH is found without the variable", "-Wl,--enable-new-dtags,-rpath,{0}/runpath", "", "runpath"),
    ("an RPATH is found without the variable", "-Wl,--disable-new-dtags,-rpath,{0}/rpath", "", "rpath"),
    ("$ORIGIN is the program's folder", "-Wl,--enable-new-dtags,-rpath,$ORIGIN/../origin", "", "origin"),
    ("${ORIGIN} as well", "-Wl,--disable-new-dtags,-rpath,${{ORIGIN}}/../origin", "{0}/variable", "origin"),
    ("the first folder that has it", "-Wl,--enable-new-dtags,-rpath,{0}/none:{0}/runpath:{0}/origin", "", "runpath"),
    ("colons and semicolons", "-Wl,--enable-new-dtags,-rpath,{0}/runpath", "{0}/none;{0}/variable:{0}/origin", "variable"),
    ("a folder that is not there", "-Wl,--enable-new-dtags,-rpath,{0}/none", "{0}/none:/nowhere", None),
    ("no rule at all", "-Wl,--enable-new-dtags", "", None),
    ("$ORIGIN in the variable", "-Wl,--enable-new-dtags", "$ORIGIN/../variable", "variable"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "variable", "wins"), [row[1:] for row in ORDERS], ids=[row[0] for row in ORDERS]
)
def test_the_order_of_the_rules(places: Path, options: str, variable: str, wins: str | None) -> None:
    path = program(
        places / "bin" / "program", MAIN, options.format(places), needs=(places / "origin" / "libdep.so",)
    )
    library_path = variable.format(places)

    found = resolved(load(path, library_path))["libdep.so"]

    assert (None if found is None else Path(found).parent.name) == wins
    agree(path, library_path)


def test_the_rpath_of_whoever_loaded_the_library_counts(places: Path) -> None:
    middle = library(places / "mid" / "libmiddle.so", "", needs=(places / "rpath" / "libdep.so",))
    by_rpath = f"-Wl,--disable-new-dtags,-rpath,{places}/mid:{places}/rpath"
    by_runpath = f"-Wl,--enable-new-dtags,-rpath,{places}/mid:{places}/rpath"
    old = program(places / "old", MAIN, by_rpath, needs=(middle,))
    new = program(places / "new", MAIN, by_runpath, needs=(middle,))

    assert resolved(load(old))["libdep.so"] == f"{places}/rpath/libdep.so"
    assert resolved(load(new))["libdep.so"] is None
    agree(old)
    agree(new)


def test_a_library_with_a_runpath_does_not_ask_its_loaders(places: Path) -> None:
    middle = library(places / "mid" / "libmiddle.so", "", f"-Wl,--enable-new-dtags,-rpath,{places}/none",
                     needs=(places / "rpath" / "libdep.so",))  # fmt: skip
    options = f"-Wl,--disable-new-dtags,-rpath,{places}/mid:{places}/rpath"
    path = program(places / "program", MAIN, options, needs=(middle,))

    assert resolved(load(path))["libdep.so"] is None
    agree(path)


def test_the_rpath_of_the_program_counts_for_modules_loaded_later(places: Path) -> None:
    """So a conda Python finds the C++ library of its own environment for every module."""
    path = program(places / "program", MAIN, f"-Wl,--disable-new-dtags,-rpath,{places}/rpath")
    module = library(places / "module.so", "", needs=(places / "variable" / "libdep.so",))
    loader = load(path, f"{places}/variable")
    loader.load(str(module))

    assert resolved(loader)["libdep.so"] == f"{places}/rpath/libdep.so"


def test_a_library_that_is_loaded_already_is_taken_by_its_soname(places: Path) -> None:
    early = library(places / "early" / "libanything.so", "", "-Wl,-soname,libdep.so")
    module = library(
        places / "module.so", "", f"-Wl,-rpath,{places}/rpath", needs=(places / "rpath" / "libdep.so",)
    )
    loader = load(early)
    loader.load(str(module))

    assert resolved(loader)["libdep.so"] == str(early)
    assert not loader.missing


def test_one_file_under_two_names_is_one_library(places: Path) -> None:
    first = places / "rpath" / "libdep.so"
    link = places / "links" / "libdep.so"
    link.parent.mkdir()
    link.symlink_to(first)
    loader = load(first)

    assert [found.elf.path for found in loader.load(str(link))] == [str(first)]


def test_origin_is_the_folder_of_the_link(places: Path) -> None:
    library(places / "links" / "libown.so")
    needed = library(places / "real" / "libown.so")
    real = library(places / "real" / "libuser.so", "", "-Wl,-rpath,$ORIGIN", needs=(needed,))
    needed.unlink()
    link = places / "links" / "libuser.so"
    link.symlink_to(real)
    path = program(places / "program", MAIN, f"-Wl,--enable-new-dtags,-rpath,{places}/links", needs=(real,))

    assert resolved(load(path))["libown.so"] == f"{places}/links/libown.so"
    agree(path)


def for_other_machine(path: Path, target: Path) -> Path:
    data = bytearray(path.read_bytes())
    data[18:20] = (183 if MACHINE == "x86_64" else 62).to_bytes(2, "little")
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(data)
    return target


def test_a_library_for_another_machine_is_skipped_and_told(places: Path) -> None:
    foreign = for_other_machine(places / "rpath" / "libdep.so", places / "foreign" / "libdep.so")
    path = program(places / "program", MAIN, needs=(places / "rpath" / "libdep.so",))
    library_path = f"{places}/foreign:{places}/variable"
    loader = load(path, library_path)

    assert resolved(loader)["libdep.so"] == f"{places}/variable/libdep.so"
    assert loader.unreadable == {str(foreign): f"built for {'aarch64' if MACHINE == 'x86_64' else 'x86_64'}"}
    agree(path, library_path)


@pytest.mark.parametrize("content", [b"", b"GROUP ( /lib/libdep.so )" + b" " * 99, b"half"])
def test_the_loader_stops_at_a_damaged_library(places: Path, content: bytes) -> None:
    damaged = places / "damaged" / "libdep.so"
    damaged.parent.mkdir()
    damaged.write_bytes(content)
    path = program(places / "program", MAIN, needs=(places / "rpath" / "libdep.so",))
    library_path = f"{damaged.parent}:{places}/variable"
    loader = load(path, library_path)

    assert [one.path for one in loader.damaged] == [str(damaged)]
    assert not loader.missing
    assert "libdep.so" not in resolved(loader)
    real = subprocess.run(
        [path], env={"LD_LIBRARY_PATH": library_path}, capture_output=True, text=True, check=False
    )
    assert f"{damaged}: {loader.damaged[0].reason}" in real.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_library_that_may_not_be_read_is_told(places: Path) -> None:
    (places / "rpath" / "libdep.so").chmod(0)
    path = program(places / "program", MAIN, needs=(places / "variable" / "libdep.so",))
    loader = load(path, f"{places}/rpath:{places}/variable")

    assert resolved(loader)["libdep.so"] == f"{places}/variable/libdep.so"
    assert loader.unreadable == {f"{places}/rpath/libdep.so": "Permission denied"}


def test_missing_libraries_are_told_once_with_the_first_that_needs_them(places: Path) -> None:
    first = library(places / "a" / "libfirst.so", "", needs=(places / "rpath" / "libdep.so",))
    second = library(places / "a" / "libsecond.so", "", needs=(places / "rpath" / "libdep.so",))
    path = program(
        places / "program", MAIN, f"-Wl,--enable-new-dtags,-rpath,{places}/a", needs=(first, second)
    )

    assert load(path).missing == [("libdep.so", str(first))]
    agree(path)


def test_circles_and_broken_links_end(places: Path) -> None:
    first = library(places / "a" / "libfirst.so")
    second = library(places / "a" / "libsecond.so", "", needs=(first,))
    first = library(places / "a" / "libfirst.so", "", needs=(second,))
    (places / "a" / "libdep.so").symlink_to("libdep.so")
    path = program(
        places / "program",
        MAIN,
        f"-Wl,--disable-new-dtags,-rpath,{places}/a",
        needs=(first, places / "rpath" / "libdep.so"),
    )

    found = resolved(load(path))

    assert (found["libsecond.so"], found["libdep.so"]) == (str(second), None)


def test_a_preloaded_name_without_a_slash_is_searched_for(places: Path) -> None:
    loader = load(sys.executable, f"{places}/variable")

    assert [found.elf.path for found in loader.load("libdep.so")] == [f"{places}/variable/libdep.so"]
    assert loader.load("libnowhere.so") == []


EXPANSIONS = [
    ("", []),
    ("/a:/b", ["/a", "/b"]),
    ("/a;/b", ["/a", "/b"]),
    (":/a:", [".", "/a", "."]),
    ("$ORIGIN/../lib:${ORIGIN}", ["/opt/x/../lib", "/opt/x"]),
    ("/p/$PLATFORM", [f"/p/{MACHINE}"]),
    ("/p/$LIB", [f"/p/lib/{MACHINE}-linux-gnu", "/p/lib64"]),
]


@pytest.mark.parametrize(("folders", "expected"), EXPANSIONS)
def test_tokens_in_search_paths(folders: str, expected: list[str]) -> None:
    assert expand(folders, "/opt/x/libx.so", MACHINE) == expected


def ldconfig() -> str | None:
    return shutil.which("ldconfig", path="/usr/sbin:/sbin:/usr/bin")


@pytest.mark.skipif(ldconfig() is None, reason="no ldconfig here")
@pytest.mark.parametrize("form", ["new", "compat"])
def test_the_cache_is_read_as_ldconfig_reads_it(places: Path, tmp_path: Path, form: str) -> None:
    configuration, cache = tmp_path / "ld.so.conf", tmp_path / "cache"
    configuration.write_text(f"{places}/variable\n{places}/rpath\n")
    for_other_machine(places / "origin" / "libdep.so", places / "origin" / "libdep.so")
    command = [str(ldconfig()), "-X", "-C", str(cache), "-c", form, "-f", str(configuration)]
    subprocess.run(command, check=True, capture_output=True)
    printed = subprocess.run(
        [str(ldconfig()), "-p", "-C", cache], capture_output=True, text=True, check=True
    ).stdout
    expected: dict[str, list[str]] = {}
    kind = {"x86_64": "libc6,x86-64", "aarch64": "libc6,AArch64"}[MACHINE]
    for line in printed.splitlines()[1:]:
        name, rest, path = line.strip().partition(" (")[0], line.partition(" (")[2], line.partition(" => ")[2]
        if rest.startswith((kind + ")", kind + ", OS")):
            expected.setdefault(name, []).append(path)

    found = read_cache(str(cache), MACHINE)

    assert found["libdep.so"] == [f"{places}/variable/libdep.so", f"{places}/rpath/libdep.so"]
    assert {name: paths for name, paths in found.items() if name in expected} == expected
    assert "libdep.so" not in read_cache(str(cache), "aarch64" if MACHINE == "x86_64" else "x86_64")


@pytest.mark.parametrize("data", [b"", b"ld.so-1.7.0\0\0\0\0\0", b"glibc-ld.so.cache1.1", b"glibc-ld.so.cache1.1\xff\xff\xff\xff" + bytes(99)])  # fmt: skip
def test_a_cache_that_cannot_be_read_is_empty(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "cache").write_bytes(data)

    assert read_cache(str(tmp_path / "cache")) == {}
    assert read_cache(str(tmp_path / "absent")) == {}


@given(data=st.binary(max_size=300))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_a_cache_or_none(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "cache").write_bytes(b"glibc-ld.so.cache1.1" + data)
    read_cache(str(tmp_path / "cache"))


def real_libraries() -> list[str]:
    """Programs and libraries of this machine, thirty in all, the same ones every time."""
    folders = (f"/usr/lib/{MACHINE}-linux-gnu", "/usr/lib64")
    found = [path for folder in folders for path in sorted(Path(folder).glob("*.so.*")) if path.is_file()]
    files = [os.path.realpath(sys.executable), *map(str, found[:: max(1, len(found) // 28)])]
    return [path for path in files if Path(path).read_bytes()[:4] == b"\x7fELF"]


@pytest.mark.parametrize("path", real_libraries())
def test_real_files_are_resolved_as_ldd_resolves_them(path: str) -> None:
    agree(Path(path))
