"""The symbol tables: what they say of known symbols, what holds for all of their rows, and how mistakes are told."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ascendenv.resources import data_folder
from ascendenv.signals.compile_exports import compile_symbol_tables
from ascendenv.signals.exports import needed_by, who_calls, who_exports
from ascendenv.signals.sources import UnusableSource
from ascendenv.signals.symbol import provider_of
from ascendenv.versions import pep440

FOLDER = Path(data_folder("matrix")) / "symbols" / "tables"
TABLES = json.loads(compile_symbol_tables(FOLDER))
BUILDS = [(abi, pep440(version)) for abi, version in TABLES["torch"]]
STRING = "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
KNOWN = [
    # symbol, first and last torch that has it, first and last torch_npu that needs it
    ("_ZNK3c1010TensorImpl20is_contiguous_customENS_12MemoryFormatE", "2.1.0", "2.8.0", "2.1.0.post8", "2.8.0.post5"),
    ("_ZN5torch8autograd10deleteNodeEPNS0_4NodeE", "2.1.0", "2.12.0", "2.1.0.post8", "2.12.0.post3"),
    ("_ZN3c1013GeneratorImpl12philox_stateEmRN2at6TensorES3_S3_", "2.14.0", "2.14.0", "2.14.0", "2.14.0"),
    ("_ZN5torch10ValueErrorC1EPKcz", "2.1.0", "2.1.0", "2.1.0.post8", "2.1.0.post17"),
    ("_ZN3c105ErrorC2ENS_14SourceLocationESs", "2.1.0", "2.6.0", "2.1.0.post8", "2.6.0.post5"),
    (f"_ZN3c105ErrorC2ENS_14SourceLocationE{STRING}", "2.6.0", "2.14.0", "2.6.0", "2.12.0.post3"),
]  # fmt: skip


@pytest.mark.parametrize(("symbol", "first", "last", "oldest", "newest"), KNOWN)
def test_who_has_and_who_needs_a_symbol(symbol: str, first: str, last: str, oldest: str, newest: str) -> None:
    found = who_exports(symbol)

    assert found is not None
    assert (str(found.torch[0]), str(found.torch[-1])) == (first, last)
    assert (str(found.torch_npu[0]), str(found.torch_npu[-1])) == (oldest, newest)


def test_the_form_of_string_decides_which_releases_count() -> None:
    old = who_exports("_ZN3c105ErrorC2ENS_14SourceLocationESs")
    new = who_exports(f"_ZN3c105ErrorC2ENS_14SourceLocationE{STRING}")

    assert old is not None
    assert new is not None
    assert (old.string_abi, new.string_abi) == ("old", "new")
    assert old.torch == old.known
    assert new.torch == new.known


@pytest.mark.parametrize(
    "symbol", ["", " ", "_ZN3c10", "malloc", "aclInit", "_ZN6at_npu6native9OpCommandC1Ev", "2.1.0"]
)
def test_other_symbols_are_not_known(symbol: str) -> None:
    assert who_exports(symbol) is None


def test_who_calls_a_function_of_cann() -> None:
    found = who_calls("aclrtDeviceGetBareTgid")

    assert found is not None
    assert str(found.bound_by[0]) == "2.7.1.post4"
    assert found.bound_in(pep440("2.13.0")) is True
    assert found.bound_in(pep440("2.7.1")) is False
    assert found.bound_in(pep440("1.11.0")) is None


def test_both_functions_of_an_operator_are_known() -> None:
    operator, twin = who_calls("aclnnAdd"), who_calls("aclnnAddGetWorkspaceSize")

    assert operator is not None
    assert twin is not None
    assert operator.looked_up_by == twin.looked_up_by
    assert who_calls("GetWorkspaceSize") is None


def test_what_one_torch_npu_needs() -> None:
    needs = needed_by(pep440("2.7.1"))

    assert needs is not None
    assert "_ZNK3c1010TensorImpl20is_contiguous_customENS_12MemoryFormatE" in needs.torch
    assert "aclrtMalloc" in needs.bound
    assert "aclnnAdd" in needs.looked_up
    assert needed_by(pep440("2.7.1+gitabc")) == needs
    assert needed_by(pep440("1.8.1")) is None


ALSO_FITS = {("2.9.0", "2.9.1"), ("2.9.1", "2.9.0"), ("2.13.0", "2.14.0")}
"""torch_npu and another torch that has all its symbols."""


@pytest.mark.parametrize("version", TABLES["torch_npu"])
def test_the_torch_of_its_own_release_has_all_that_a_torch_npu_needs(version: str) -> None:
    """And nearly every other release lacks something, which is what makes the tables worth having."""
    place, own = TABLES["torch_npu"].index(version), pep440(version).base
    needed = [group for group in TABLES["exports"] if place in group["asks"]]
    assert needed
    for torch in {release for _, release in BUILDS}:
        builds = {at for at, (_, release) in enumerate(BUILDS) if release == torch}
        lacking = [group for group in needed if not builds & set(group["has"])]
        assert bool(lacking) == (torch.base != own and (own, torch.base) not in ALSO_FITS)


def test_the_tables_are_complete_and_disjoint() -> None:
    exports = [name for group in TABLES["exports"] for name in group["names"].split()]
    called = [name for group in TABLES["functions"] for name in group["names"].split()]

    assert len(exports) > 2000
    assert len(called) > 1200
    assert not set(exports) & set(called)
    assert all(group["has"] for group in TABLES["exports"]), (
        "what no torch exports would be a mistake of the builder"
    )
    assert {provider_of(name) for name in exports} <= {"torch", None}
    assert {provider_of(name) for name in called} <= {"cann", "nnal", "driver"}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 400_000


LOADED = """
import sys
from ascendenv.signals.symbol import read_symbol
from ascendenv.signals import exports
read_symbol("_ZN3c105ErrorD1Ev")
assert exports._tables.cache_info().currsize == 0
exports.who_exports("_ZN5torch10ValueErrorC1EPKcz")
print(exports._tables.cache_info().currsize, "yaml" in sys.modules)
"""


def test_the_tables_are_read_when_a_symbol_is_asked_for() -> None:
    compile_symbol_tables(FOLDER)
    subprocess.run([sys.executable, "-c", LOADED], check=True, capture_output=True)
    done = subprocess.run([sys.executable, "-c", LOADED], check=True, capture_output=True, text=True)

    assert done.stdout.split() == ["1", "False"]


TORCH = """
torch: {old: ["2.1.0"], new: []}
torch_npu: ["2.1.0", "2.3.1"]
groups:
  - exported: {old: "2.1.0-", new: ""}
    needed: "2.1.0-"
    symbols: [a, b]
"""
CANN = """
torch_npu: ["2.1.0", "2.3.1"]
groups:
  - bound: "2.1.0"
    looked_up: "2.3.1"
    functions: [f]
"""
MISTAKES = [
    ("", CANN, "torch.yaml"),
    ("- a\n", CANN, "torch.yaml"),
    (TORCH.replace('needed: "2.1.0-"', 'needed: "2.2.0-"'), CANN, "not of the form"),
    (TORCH.replace("[a, b]", "[b, a]"), CANN, "not sorted"),
    (TORCH.replace("[a, b]", "[a, a]"), CANN, "stands twice"),
    (TORCH.replace("[a, b]", "a"), CANN.replace("functions", "names"), "cann.yaml"),
    (
        TORCH,
        CANN.replace(', "2.3.1"]', "]").replace('looked_up: "2.3.1"', 'looked_up: ""'),
        "torch_npu differs",
    ),
    (TORCH + TORCH.partition("groups:\n")[2], CANN, "two groups"),
]


@pytest.mark.parametrize(("torch", "cann", "words"), MISTAKES)
def test_mistakes_are_told(tmp_path: Path, torch: str, cann: str, words: str) -> None:
    (tmp_path / "torch.yaml").write_text(torch)
    (tmp_path / "cann.yaml").write_text(cann)

    with pytest.raises(UnusableSource, match=words):
        compile_symbol_tables(tmp_path)


def test_a_small_table_is_compiled(tmp_path: Path) -> None:
    (tmp_path / "torch.yaml").write_text(TORCH)
    (tmp_path / "cann.yaml").write_text(CANN)

    assert json.loads(compile_symbol_tables(tmp_path)) == {
        "torch": [["old", "2.1.0"]],
        "torch_npu": ["2.1.0", "2.3.1"],
        "exports": [{"names": " a b ", "has": [0], "asks": [0, 1]}],
        "functions": [{"names": " f ", "has": [0], "asks": [1]}],
    }
