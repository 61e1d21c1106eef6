"""The builder of the symbol tables on two tiny wheels of each project, made here."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING

import pytest
from scripts.library_names import Names, exported_by, names_in, read_wheel
from scripts.symbol_files import Build, ranges, write_tables
from scripts.wheels import Wheel, WheelMissing
from tests.collect.gcc import library

from ascendenv.collect.probes.elf import Elf
from ascendenv.signals.compile_exports import compile_symbol_tables, places_in
from scripts import build_symbol_table, library_names

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

ORDER = ["2.1.0", "2.3.1", "2.4.0", "2.5.1"]
RANGES = [
    ([], ""),
    (["2.1.0"], "2.1.0"),
    (["2.1.0", "2.3.1"], "2.1.0-2.3.1"),
    (["2.1.0", "2.4.0"], "2.1.0, 2.4.0"),
    (["2.4.0", "2.5.1"], "2.4.0-"),
    (["2.5.1"], "2.5.1-"),
    (["2.5.1", "2.1.0"], "2.1.0, 2.5.1-"),
    (ORDER, "2.1.0-"),
]


@pytest.mark.parametrize(("members", "text"), RANGES)
def test_ranges_are_written_and_read(members: list[str], text: str) -> None:
    assert ranges(members, ORDER) == text
    assert [ORDER[place] for place in places_in(text, ORDER)] == sorted(members)


STRING = "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
OLD, NEW = "_ZN3c104textESs", f"_ZN3c104textE{STRING}"
TORCH = {
    "2.1.0": ("_ZN3c104keepEv", "_ZN3c104goneEv", OLD),
    "2.3.1": ("_ZN3c104keepEv", "_ZN3c105freshEv", NEW),
}
TORCH_NPU = {
    "2.1.0": (
        ("_ZN3c104goneEv", OLD, "aclInit", "THPVariableClass"),
        ("aclnnAdd", "aclnnAddGetWorkspaceSize"),
    ),
    "2.3.1.post1": (("_ZN3c104keepEv", "_ZN3c105freshEv", NEW, "aclInit"), ("aclnnAdd", "aclrtNew")),
}


def functions(names: tuple[str, ...], body: str) -> str:
    """C functions f0, f1, ... that have these linker names."""
    rows = (f'int f{at}(void) __asm__("{name}"); int f{at}(void) {body}' for at, name in enumerate(names))
    return "".join(rows)


def source_of_torch_npu(version: str) -> str:
    bound, looked_up = TORCH_NPU[version]
    strings = "".join(
        f'const char *s{at} = "{one}";' for at, one in enumerate(("no name", *looked_up, "last"))
    )
    calls = "".join(f" + f{at}()" for at in range(len(bound)))
    own = 'int own(void) __asm__("_ZN6at_npu3ownEv"); int own(void) { return 1; }'
    return functions(bound, ";") + strings + own + f"int f(void) {{ return own(){calls}; }}"


def wheel(folder: Path, project: str, version: str) -> Path:
    path = folder / f"{project}-{version}-cp311-cp311-linux.whl"
    if project == "torch":
        inside, ignored = "torch/lib/libc10.so", "torch/bin/libc10.so"
        made = library(folder / "libc10.so", functions(TORCH[version], "{ return 1; }"))
    else:
        inside, ignored = "torch_npu/lib/libtorch_npu.so", "torch_npu.libs/libx.so"
        made = library(folder / "libtorch_npu.so", source_of_torch_npu(version))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(made, inside)
        archive.writestr(ignored, "no library")
    return path


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package index that has these wheels for aarch64 only."""

    def find(requirement: str, arch: str) -> Wheel:
        project, _, version = requirement.partition("==")
        if arch != "aarch64" or version == "2.3.1.post2":
            raise WheelMissing(f"{requirement} for {arch}")
        path = wheel(tmp_path, project.replace("-", "_"), version)
        return Wheel(path.name, str(path), "0" * 64)

    def opened(found: Wheel) -> AbstractContextManager[zipfile.ZipFile]:
        return zipfile.ZipFile(found.url)

    monkeypatch.setattr(build_symbol_table, "find_wheel", find)
    monkeypatch.setattr(library_names, "open_wheel", opened)
    return tmp_path


def test_from_wheels_to_compiled_tables(index: Path) -> None:
    output = index / "tables"
    arguments = ["--cache", str(index / "cache"), "--output", str(output)]
    status = build_symbol_table.main([*arguments, "--torch-npu", "2.3.1.post1", "2.1.0", "2.3.1.post2"])
    compiled = json.loads(compile_symbol_tables(output))

    assert status == 1, "wheels were left out"
    assert compiled["torch"] == [["old", "2.1.0"], ["new", "2.3.1"]]
    assert compiled["torch_npu"] == ["2.1.0", "2.3.1.post1"]
    exports = {
        name: (group["has"], group["asks"])
        for group in compiled["exports"]
        for name in group["names"].split()
    }
    assert exports == {
        "_ZN3c104goneEv": ([0], [0]),
        "_ZN3c104keepEv": ([0, 1], [1]),
        "_ZN3c105freshEv": ([1], [1]),
        OLD: ([0], [0]),
        NEW: ([1], [1]),
        "THPVariableClass": ([], [0]),
    }
    functions = {
        name: (group["has"], group["asks"])
        for group in compiled["functions"]
        for name in group["names"].split()
    }
    assert functions == {"aclInit": ([0, 1], []), "aclnnAdd": ([], [0, 1]), "aclrtNew": ([], [1])}
    text = (output / "wheels.yaml").read_text()
    assert f"torch-2.1.0-cp311-cp311-linux.whl: {'0' * 64}" in text
    assert "- torch-npu 2.3.1.post2 aarch64" in text


def test_a_wheel_is_read_once(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = wheel(index, "torch", "2.1.0")
    found = Wheel(path.name, str(path), "0" * 64)
    first = read_wheel(found, index / "cache")
    monkeypatch.setattr(library_names, "open_wheel", None)

    assert read_wheel(found, index / "cache") == first
    assert sorted(first.exported) == sorted(TORCH["2.1.0"])


def test_only_the_libraries_that_count_are_read(index: Path) -> None:
    path = wheel(index, "torch_npu", "2.1.0")
    with zipfile.ZipFile(path) as archive:
        names = names_in(archive, Wheel(path.name, "", ""))

    assert "_ZN6at_npu3ownEv" in names.exported
    assert set(names.needed) == set(TORCH_NPU["2.1.0"][0])
    assert names.looked_up == ("aclInit", *TORCH_NPU["2.1.0"][1])


@pytest.mark.parametrize("count", [0, 1, 7, 300])
def test_every_exported_name_is_listed(tmp_path: Path, count: int) -> None:
    source = "".join(f"int name_{at}(void) {{ return {at}; }}" for at in range(count))
    elf = Elf(str(library(tmp_path / "libmany.so", source, "-Wl,--hash-style=gnu")))

    assert sorted(exported_by(elf)) == sorted(f"name_{at}" for at in range(count))


def test_the_files_do_not_change_when_nothing_does(tmp_path: Path) -> None:
    names = Names("w", "s", ("_ZN3c101aEv",), (), ())
    asking = Names("n", "s", (), ("_ZN3c101aEv", "aclInit"), ("aclnnAdd",))
    tables = build_symbol_table.build_tables({Build("2.1.0", "old"): [names]}, {"2.1.0": [asking]})
    for folder in ("first", "second"):
        write_tables(tmp_path / folder, tables, {"b": "2", "a": "1"})

    for name in ("torch.yaml", "cann.yaml", "wheels.yaml"):
        first, second = ((tmp_path / folder / name).read_bytes() for folder in ("first", "second"))
        assert first == second
