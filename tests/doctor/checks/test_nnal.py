"""The checks of NNAL: what they name first, where they stay silent, and when they are skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.doctor.helpers import causes_of, run_check

from ascendenv.doctor.checks.nnal.abi import trees_in
from ascendenv.doctor.checks.nnal.abis_mixed import AbisMixed
from ascendenv.doctor.checks.nnal.atb_not_found import AtbNotFound
from ascendenv.doctor.checks.nnal.atb_symbol_missing import AtbSymbolMissing
from ascendenv.doctor.checks.nnal.nnal_library_incomplete import NnalLibraryIncomplete
from ascendenv.doctor.checks.nnal.nnal_version_differs import NnalVersionDiffers
from ascendenv.doctor.checks.nnal.trees_mixed import AtbTreesMixed
from ascendenv.doctor.finding import Severity, Skip
from ascendenv.facts.evidence import Evidence
from ascendenv.signals.model import Signal, Signals
from ascendenv.versions import vendor

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

TREE = "/usr/local/Ascend/nnal/atb/latest/atb"
PLUGIN = '  File "/x/site-packages/torch_npu/op_plugin/atb/_atb_ops.py", line 66, in <module>\n    torch.ops.load_library(atb_so_path)'
TOPK = "_ZN3atb15CreateOperationINS_5infer14GroupTopkParamEEEiRKT_PPNS_9OperationE"
DL = "_ZN3Mki2DlC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEb"
OLD_STRING = "_ZN3atb7Context7SetNameERKSs"
NEW_STRING = "_ZN3atb7Context7SetNameERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"

FIRST = [
    (
        "libatb",
        "ImportError: libatb.so: cannot open shared object file: No such file or directory",
        None,
        "nnal-missing",
    ),
    (
        "libatb of a worker",
        f"(Worker_TP0 pid=77) ERROR {PLUGIN}\n(Worker_TP0 pid=77) ERROR OSError: libatb.so: cannot open shared object file",
        None,
        "nnal-missing",
    ),
    ("libatb, Chinese", "OSError: libatb.so: 无法打开共享目标文件: 没有那个文件或目录", None, "nnal-missing"),
    ("libasdops", "        libasdops.so => not found", None, "nnal-missing"),
    (
        "torch_npu's words",
        "OSError: [Errno None] Please check that the nnal package is installed. Please run 'source set_env.sh' in the NNAL installation path.",
        None,
        "nnal-missing",
    ),
    ("variable", "RuntimeError: ATB_HOME_PATH is not set", None, "nnal-missing"),
    (
        "no set_env.sh",
        "bash: /usr/local/Ascend/nnal/atb/set_env.sh: No such file or directory",
        None,
        "nnal-missing",
    ),
    ("linker", "/usr/bin/ld: cannot find -latb: No such file or directory", None, "nnal-missing"),
    (
        "plugin, no reason",
        f"{PLUGIN}\nOSError: Could not load this library: /x/torch_npu/lib/libop_plugin_atb.so",
        None,
        "nnal-missing",
    ),
    (
        "operator in torch_npu",
        f"ImportError: /x/torch_npu/lib/libtorch_npu.so: undefined symbol: {TOPK}",
        None,
        "nnal-version-mismatch",
    ),
    (
        "operator in the plugin",
        f"OSError: /x/torch_npu/lib/libop_plugin_atb.so: undefined symbol: {TOPK}",
        None,
        "nnal-version-mismatch",
    ),
    (
        "operator, cut off",
        "libop_plugin_atb.so: undefined symbol: _ZN3atb15CreateOperationINS_5infer14PagedAttention",
        None,
        "nnal-version-mismatch",
    ),
    (
        "old string",
        f"ImportError: /x/torch_npu/lib/libtorch_npu.so: undefined symbol: {OLD_STRING}",
        None,
        "nnal-cxx-abi-mismatch",
    ),
    (
        "old string, tree 1",
        f"libop_plugin_atb.so: undefined symbol: {OLD_STRING}",
        f"ATB_HOME_PATH={TREE}/cxx_abi_1",
        "nnal-cxx-abi-mismatch",
    ),
    (
        "new string, tree 0",
        f"libop_plugin_atb.so: undefined symbol: {NEW_STRING}",
        f"ATB_HOME_PATH={TREE}/cxx_abi_0",
        "nnal-cxx-abi-mismatch",
    ),
    (
        "new string, tree 1",
        f"libop_plugin_atb.so: undefined symbol: {NEW_STRING}",
        f"ATB_HOME_PATH={TREE}/cxx_abi_1",
        "nnal-version-mismatch",
    ),
    (
        "Mki in its sibling",
        f"OSError: {TREE}/cxx_abi_1/lib/libtbe_adapter.so: undefined symbol: {DL}",
        None,
        "nnal-libs-mixed",
    ),
    ("Mki alone", f"undefined symbol: {DL}", None, "nnal-libs-mixed"),
    ("atb in its sibling", f"OSError: libatb_mixops.so: undefined symbol: {TOPK}", None, "nnal-libs-mixed"),
    (
        "NNAL above its CANN",
        f"OSError: {TREE}/cxx_abi_1/lib/libatb.so: undefined symbol: aclrtGetResInCurrentThread",
        None,
        "nnal-version-mismatch",
    ),
    (
        "a library of the other tree",
        "OSError: /opt/atb/output/atb/cxx_abi_0/lib/libatb_framework.so: cannot open shared object file",
        None,
        "nnal-cxx-abi-mismatch",
    ),
    ("versions alone", None, "NNAL 8.0.0\nCANN: 8.2.RC1", "nnal-version-mismatch"),
    (
        "two trees",
        None,
        f"ATB_HOME_PATH=/home/me/nnal/atb/latest/atb/cxx_abi_1\nLD_LIBRARY_PATH={TREE}/cxx_abi_1/lib",
        "nnal-libs-mixed",
    ),
    (
        "two ABIs",
        None,
        f"ATB_HOME_PATH={TREE}/cxx_abi_0\nLD_LIBRARY_PATH={TREE}/cxx_abi_1/lib",
        "nnal-cxx-abi-mismatch",
    ),
]


@pytest.mark.parametrize(
    ("log", "report", "cause"), [row[1:] for row in FIRST], ids=[row[0] for row in FIRST]
)
def test_the_first_cause(log: str | None, report: str | None, cause: str) -> None:
    assert causes_of(log, report)[:1] == [cause]


SILENT = [
    (AtbNotFound, "ImportError: libhccl.so: cannot open shared object file", None),
    (AtbNotFound, "OSError: /opt/atb-models/lib/libatb_speed.so: cannot open shared object file", None),
    (
        AtbNotFound,
        "frame #2: atb::OperationSetup() + 0x8c (0xff in /x/torch_npu/lib/libop_plugin_atb.so)",
        None,
    ),
    (AtbSymbolMissing, "libtorch_npu.so: undefined symbol: _ZN5torch10ValueErrorC1EPKcz", None),
    (AtbSymbolMissing, f"{TREE}/cxx_abi_1/lib/libtbe_adapter.so: undefined symbol: {DL}", None),
    (NnalLibraryIncomplete, f"libtorch_npu.so: undefined symbol: {TOPK}", None),
    (AbisMixed, None, f"ATB_HOME_PATH={TREE}/cxx_abi_0\ntorch 2.8.0+cpu"),
    (AbisMixed, None, f"ATB_HOME_PATH={TREE}/cxx_abi_1\n_GLIBCXX_USE_CXX11_ABI = True"),
    (AtbTreesMixed, None, f"ATB_HOME_PATH={TREE}/cxx_abi_1\nLD_LIBRARY_PATH={TREE}/cxx_abi_1/lib"),
]


@pytest.mark.parametrize(("check", "log", "report"), SILENT)
def test_silent(check: type[Check], log: str | None, report: str | None) -> None:
    assert run_check(check, log, report) == []


@pytest.mark.parametrize("check", [NnalVersionDiffers, AtbTreesMixed])
def test_skipped_without_facts(check: type[Check]) -> None:
    assert isinstance(run_check(check, log="nothing of interest"), Skip)


@pytest.mark.parametrize(
    ("nnal", "cann", "fires"),
    [
        ("8.0.0", "8.0.RC1", True),
        ("8.2.RC1", "8.2.RC1", False),
        ("8.2.RC1.B150", "8.2.RC1", False),
        ("8.0.0", "8.0.0.beta1", False),
    ],
)
def test_nnal_of_another_release(nnal: str, cann: str, fires: bool) -> None:
    found = run_check(NnalVersionDiffers, nnal=vendor(nnal), cann=vendor(cann))

    assert bool(found) is fires


def test_the_abi_of_torch_is_a_warning_while_nothing_fails() -> None:
    found = run_check(AbisMixed, log="torch._C._GLIBCXX_USE_CXX11_ABI == True", nnal_cxx_abi=0)

    assert not isinstance(found, Skip)
    assert [one.severity for one in found] == [Severity.WARNING]


def test_a_library_that_the_collector_found_missing() -> None:
    fault = Signal(
        "missing-library",
        {"library": "libatb.so", "needed_by": "/x/lib.so"},
        Evidence("/x/lib.so", "libatb.so"),
    )

    found = run_check(AtbNotFound, signals=Signals((fault,)))

    assert not isinstance(found, Skip)
    assert [one.cause for one in found] == ["nnal-missing"]


def test_the_fix_names_the_package_of_this_release() -> None:
    found = run_check(
        AtbNotFound, log="libatb.so: cannot open shared object file", cann=vendor("8.2.RC1"), arch="aarch64"
    )

    assert not isinstance(found, Skip)
    assert any("Ascend-cann-nnal_8.2.RC1_linux-aarch64.run" in step.run for step in found[0].fix)


@pytest.mark.parametrize(
    ("environment", "trees"),
    [
        ({}, ()),
        ({"ATB_HOME_PATH": f"{TREE}/cxx_abi_1"}, (("/usr/local/Ascend/nnal/atb/latest", 1),)),
        ({"ATB_HOME_PATH": "/opt/atb/output"}, ()),
    ],
)
def test_trees_that_the_variables_name(
    environment: dict[str, str], trees: tuple[tuple[str, int], ...]
) -> None:
    assert trees_in(environment) == trees
