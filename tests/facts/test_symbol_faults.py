"""What the collector found in files becomes signals: each fault once, and no symptom of another fault."""

from __future__ import annotations

from typing import Any

import pytest

from ascendenv.collect.snapshot import Snapshot
from ascendenv.facts.symbol_faults import fault_signals

NEEDED_BY = "/site/torch_npu/lib/libtorch_npu.so"
TORCH = {"symbol": "_ZN5torch8autograd10deleteNodeEPNS0_4NodeE", "needed_by": NEEDED_BY}
CANN = {"symbol": "aclrtMalloc", "needed_by": NEEDED_BY}
ATB = {"symbol": "_ZN3atb5Utils13GetTensorSizeERKNS_6TensorE", "needed_by": "/p.so"}
HCCL = {"name": "libhccl.so", "needed_by": NEEDED_BY}
LIBTORCH = {"name": "libtorch_cpu.so", "needed_by": NEEDED_BY}
DAMAGED = {"path": "/cann/lib64/libhccl.so", "needed_by": NEEDED_BY, "reason": "file too short"}


def seen(environ: dict[str, str] | None = None, **symbols: Any) -> list[str]:
    """Each signal as its id and what it names."""
    snapshot = Snapshot({"symbols": {"libraries": [], **symbols}, "process": {"environ": environ or {}}})
    return [
        f"{one.id} {one.get('symbol') or one.get('library') or one.get('variable')}"
        for one in fault_signals(snapshot)
    ]


CASES = [
    ({}, []),
    ({"missing_symbols": [TORCH, CANN]}, [f"undefined-symbol {TORCH['symbol']}", "undefined-symbol aclrtMalloc"]),
    # a library that is away explains the functions that it may have, and no others
    ({"missing_symbols": [TORCH, CANN], "missing_libraries": [HCCL]},
     ["missing-library libhccl.so", f"undefined-symbol {TORCH['symbol']}"]),
    ({"missing_symbols": [TORCH, CANN], "missing_libraries": [LIBTORCH]},
     ["missing-library libtorch_cpu.so", "undefined-symbol aclrtMalloc"]),
    ({"missing_symbols": [TORCH, CANN], "missing_libraries": [LIBTORCH, HCCL]},
     ["missing-library libtorch_cpu.so", "missing-library libhccl.so"]),
    ({"missing_symbols": [CANN], "damaged_libraries": [DAMAGED]}, ["library-damaged libhccl.so"]),
    ({"missing_versions": [{"library": "/lib/libc.so.6", "node": "GLIBC_2.38", "needed_by": NEEDED_BY}]},
     ["version-node-missing libc.so.6"]),
    # of a plugin only what NNAL should have, and only where there is an NNAL
    ({"tried": {"/p.so": {"missing_libraries": [], "missing_symbols": [ATB, TORCH]}}}, [f"undefined-symbol {ATB['symbol']}"]),
    ({"tried": {"/p.so": {"missing_libraries": [{"name": "libatb.so", "needed_by": "/p.so"}], "missing_symbols": [ATB]}}}, []),
    ({"tried": {"/p.so": "odd"}}, []),
    ({"environ": {"ASCEND_HOME_PATH": "/cann"}}, ["cann-variable-unset ASCEND_OPP_PATH"]),
    ({"environ": {"ASCEND_HOME_PATH": "/cann", "ASCEND_OPP_PATH": "/cann/opp"}}, []),
    ({"environ": {"PATH": "/bin"}}, []),
]  # fmt: skip


@pytest.mark.parametrize(("record", "expected"), CASES)
def test_faults_become_signals(record: dict[str, Any], expected: list[str]) -> None:
    assert seen(**record) == expected


@pytest.mark.parametrize("data", [{}, {"symbols": {"absent": "torch_npu"}}, {"symbols": {"failed": "x"}}, {"symbols": {"missing_symbols": "no list"}}])  # fmt: skip
def test_without_a_record_there_are_none(data: dict[str, Any]) -> None:
    assert (
        list(fault_signals(Snapshot({**data, "process": {"environ": {"ASCEND_HOME_PATH": "/cann"}}}))) == []
    )
