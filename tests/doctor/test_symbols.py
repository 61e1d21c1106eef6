"""What is said of missing functions by the symbol tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.doctor.helpers import run_check

from ascendenv.doctor.checks.cann.symbol_missing import CannSymbolMissing
from ascendenv.doctor.checks.torch.foreign_extension import ForeignExtension
from ascendenv.doctor.checks.torch.pair_mismatch import PairMismatch
from ascendenv.doctor.finding import Confidence
from ascendenv.doctor.symbols import about_symbol, oldest_cann, torch_fit
from ascendenv.matrix.store import shipped_matrix
from ascendenv.versions import pep440, vendor

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

STRING = "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
CONTIGUOUS = "_ZNK3c1010TensorImpl20is_contiguous_customENS_12MemoryFormatE"
DELETE_NODE = "_ZN5torch8autograd10deleteNodeEPNS0_4NodeE"
PHILOX = "_ZN3c1013GeneratorImpl12philox_stateEmRN2at6TensorES3_S3_"
EVERYWHERE = "THPVariableClass"
OLD_STRING = "_ZN3c105ErrorC2ENS_14SourceLocationESs"
NEW_STRING = f"_ZN3c105ErrorC2ENS_14SourceLocationE{STRING}"

RELEASES = [
    ([CONTIGUOUS], "torch has this function up to 2.8.0, no longer from 2.9.0 on"),
    ([DELETE_NODE], "torch has this function up to 2.12.0, no longer from 2.13.0 on"),
    ([PHILOX], "of the releases of torch only 2.14.0 has this function"),
    (["_ZN5torch10ValueErrorC1EPKcz"], "of the releases of torch only 2.1.0 has this function"),
    ([EVERYWHERE], "every torch from 2.1.0 to 2.14.0 has this function"),
    ([OLD_STRING], "only torch built with the old form of std::string has this function"),
    ([NEW_STRING], "only torch built with the new form of std::string has this function"),
    ([CONTIGUOUS, DELETE_NODE], "torch has all 2 missing functions up to 2.8.0"),
    ([CONTIGUOUS, PHILOX], "no release of torch has all 2 missing functions"),
    ([CONTIGUOUS, "unknown"], "torch has this function up to 2.8.0"),
]


@pytest.mark.parametrize(("symbols", "words"), RELEASES)
def test_which_torch_has_what_is_missing(symbols: list[str], words: str) -> None:
    fit = torch_fit(symbols)

    assert fit is not None
    assert words in str(fit.releases())


ASKERS = [
    ([CONTIGUOUS], "torch_npu 2.1.0.post8 to 2.8.0.post5 ask for it"),
    ([PHILOX], "torch_npu 2.14.0 asks for it"),
    ([CONTIGUOUS, PHILOX], "no one release of torch_npu asks for all of them"),
]


@pytest.mark.parametrize(("symbols", "words"), ASKERS)
def test_which_torch_npu_asks_for_it(symbols: list[str], words: str) -> None:
    fit = torch_fit(symbols)

    assert fit is not None
    assert str(fit.askers()) == words


HAS = [
    ("2.8.0+cpu", True),
    ("2.9.0", False),
    ("2.2.0", True),  # not read, but those before and after have it
    ("2.8.1", None),  # between one that has it and one that has not
    ("2.0.1", None),
    ("2.99.0", None),
]


@pytest.mark.parametrize(("torch", "expected"), HAS)
def test_whether_one_torch_has_it(torch: str, expected: bool | None) -> None:
    fit = torch_fit([CONTIGUOUS])

    assert fit is not None
    assert fit.has(pep440(torch)) is expected


def test_symbols_that_no_table_knows_say_nothing() -> None:
    assert torch_fit(["malloc", "_ZN3c10"]) is None
    assert torch_fit([]) is None
    assert about_symbol("malloc", shipped_matrix()) == []


def test_the_newest_of_the_wanted_cann_is_named() -> None:
    matrix = shipped_matrix()

    wanted = oldest_cann(matrix, ["aclrtGetSocName", "aclrtDeviceGetBareTgid", "notKnown"])
    assert wanted is not None
    assert (wanted[0], str(wanted[1])) == ("aclrtDeviceGetBareTgid", "9.0.0")
    assert oldest_cann(matrix, ["notKnown", "aclnnAdd"]) is None


ABOUT = [
    (CONTIGUOUS, ["torch has this function up to 2.8.0", "torch_npu 2.1.0.post8 to 2.8.0.post5"]),
    ("aclrtDeviceGetBareTgid", ["2.7.1.post4 is the oldest that cannot be loaded", "CANN 9.0.0 and newer"]),
    ("aclnnAddGetWorkspaceSize", ["asks for it while it runs"]),
]


@pytest.mark.parametrize(("symbol", "words"), ABOUT)
def test_all_that_is_known_of_a_symbol(symbol: str, words: list[str]) -> None:
    text = " ".join(map(str, about_symbol(symbol, shipped_matrix())))

    assert all(one in text for one in words)


LIBRARY = "ImportError: /x/torch_npu/lib/libtorch_npu.so: undefined symbol: "
WHY = [
    (PairMismatch, LIBRARY + CONTIGUOUS, {}, "up to 2.8.0, no longer from 2.9.0 on; torch_npu 2.1.0.post8 to 2.8.0.post5"),
    (PairMismatch, LIBRARY + CONTIGUOUS, {"torch_npu": "2.7.1"}, "2.9.0 on; torch_npu 2.7.1 is compiled against torch 2.7.1"),
    (PairMismatch, LIBRARY + PHILOX, {"torch": "2.13.0+cpu", "torch_npu": "2.14.0"}, "only 2.14.0 has this function"),
    (PairMismatch, LIBRARY + CONTIGUOUS, {"torch": "2.7.1"}, "torch 2.7.1 was reported, so another torch is loaded"),
    (PairMismatch, LIBRARY + EVERYWHERE, {"torch": "2.7.1", "torch_npu": "2.7.1"}, "the torch that is loaded is not whole"),
    (PairMismatch, LIBRARY + "_ZN3c107unknownEv", {}, "each torch_npu fits exactly one torch"),
    (ForeignExtension, f"ImportError: /x/mmcv/_ext.so: undefined symbol: {CONTIGUOUS}", {}, "2.9.0 on; torch_npu promises"),
    (ForeignExtension, "ImportError: /x/mmcv/_ext.so: undefined symbol: _ZN3c107unknownEv", {}, "torch_npu promises"),
    (CannSymbolMissing, LIBRARY + "aclrtDeviceGetBareTgid", {}, "made for CANN 9.0.0 and newer"),
    (CannSymbolMissing, LIBRARY + "aclrtUnknown", {}, "one of both must change."),
]  # fmt: skip


@pytest.mark.parametrize(("check", "log", "versions", "words"), WHY)
def test_a_finding_says_whose_fault_the_symbol_is(
    check: type[Check], log: str, versions: dict[str, str], words: str
) -> None:
    given: dict[str, Any] = {name: pep440(version) for name, version in versions.items()}
    found = run_check(check, log, **given)

    assert isinstance(found, list)
    assert words in str(found[0].why)


@pytest.mark.parametrize(("cann", "expected"), [("8.3.RC1", True), ("9.0.0", False), (None, False)])
def test_a_cann_before_the_function_is_too_old(cann: str | None, expected: bool) -> None:
    facts: dict[str, Any] = {} if cann is None else {"cann": vendor(cann)}
    found = run_check(CannSymbolMissing, LIBRARY + "aclrtDeviceGetBareTgid", **facts)

    assert isinstance(found, list)
    older = [one for one in found if one.cause == "cann-too-old" and one.confidence > Confidence.POSSIBLE]
    assert bool(older) is expected
