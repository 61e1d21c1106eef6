"""The checks of daily work: memory, speed, operators, kernels, launchers."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest
from tests.doctor.helpers import causes_of, diagnose_text, run_check

from ascendenv.doctor.catalogue import catalogue
from ascendenv.doctor.checks.runtime.allocator_option import AllocatorOption
from ascendenv.doctor.checks.runtime.kernel_failure import KernelFailure
from ascendenv.doctor.checks.runtime.known_symptom import KnownSymptom
from ascendenv.doctor.checks.runtime.memory_report import memory_report
from ascendenv.doctor.checks.runtime.out_of_memory import OutOfMemory
from ascendenv.doctor.checks.runtime.slow_settings import SlowSettings
from ascendenv.doctor.checks.runtime.unexplained_code import UnexplainedCode
from ascendenv.doctor.checks.runtime.unsupported_operator import UnsupportedOperator
from ascendenv.doctor.finding import Severity, Skip
from ascendenv.facts.evidence import Evidence
from ascendenv.signals.catalogue import shipped_catalogue
from ascendenv.signals.model import Signal

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check
    from ascendenv.doctor.finding import Finding


def found(check: type[Check], log: str | None = None, **facts: Any) -> list[Finding]:
    outcome = run_check(check, log=log, **facts)
    assert not isinstance(outcome, Skip)
    return outcome


def oom(requested: str, total: str, allocated: str, free: str, reserved: str) -> str:
    return (
        f"RuntimeError: NPU out of memory. Tried to allocate {requested} (NPU 0; {total} total capacity; "
        f"{allocated} already allocated; {allocated} current active; {free} free; {reserved} reserved in total by "
        "PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation."
    )


FIRST = [
    ("fragmented", oom("2.00 GiB", "60.96 GiB", "40.10 GiB", "512.00 MiB", "58.90 GiB"), "memory-fragmentation"),
    ("fragmented on a small card", oom("1.10 GiB", "29.50 GiB", "22.00 GiB", "100.00 MiB", "27.80 GiB"), "memory-fragmentation"),
    ("newer words", "torch.OutOfMemoryError: NPU out of memory. Tried to allocate 2.00 GiB. NPU 0 has a total capacity of 60.96 GiB of which 512.00 MiB is free. Of the allocated memory 40.10 GiB is allocated by PyTorch, and 18.20 GiB is reserved by PyTorch but unallocated.", "memory-fragmentation"),
    ("own job fills the card", oom("52.00 MiB", "60.96 GiB", "59.36 GiB", "15.39 MiB", "60.31 GiB"), "model-too-large"),
    ("MindSpore", "RuntimeError: Device(id:0) memory isn't enough and alloc failed, kernel name: kernel_graph_0, alloc size: 1073741824B.", "model-too-large"),
    ("operator on the CPU only", "NotImplementedError: Could not run 'aten::_nested_tensor_from_mask' with arguments from the 'NPU' backend.", "operator-unsupported"),
    ("fallback", "[W VariableFallbackKernel.cpp:51] Warning: CAUTION: The operator 'aten::isin.Tensor_Tensor_out' is not currently supported on the NPU backend and will fall back to run on the CPU.", "operator-unsupported"),
    ("data type", "EZ1001: [PID: 7] 2025-01-01-10:00:00.000.001 Tensor self not implemented for DT_DOUBLE, should be in dtype support list [DT_FLOAT,DT_FLOAT16,DT_BFLOAT16,].", "operator-unsupported"),
    ("torchrun twice", "torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use", "master-port-in-use"),
    ("older torchrun", "[W socket.cpp:464] [c10d] The server socket has failed to bind to [::]:29500 (errno: 98 - Address already in use).", "master-port-in-use"),
    ("a server", "OSError: [Errno 98] error while attempting to bind on address ('0.0.0.0', 8000): address already in use", "master-port-in-use"),
    ("msrun", "[ERROR] DISTRIBUTED(21,python): Failed to call bind on 127.0.0.1:8118, errno: 98", "master-port-in-use"),
    ("forked", "RuntimeError: Cannot re-initialize NPU in forked subprocess. To use NPU with multiprocessing, you must use the 'spawn' start method", "npu-in-forked-process"),
    ("allocator option", "RuntimeError: Unrecognized CachingAllocator option: expandable_segment", "alloc-conf-invalid"),
]  # fmt: skip


@pytest.mark.parametrize(("log", "cause"), [row[1:] for row in FIRST], ids=[row[0] for row in FIRST])
def test_the_cause_is_named_first(log: str, cause: str) -> None:
    assert causes_of(log)[:1] == [cause]


@pytest.mark.parametrize(
    ("log", "cause"),
    [
        ("rtStreamSynchronize execute failed, reason=[aicore exception]\nruntime result = 507015", "aicore-exception"),
        ("The error from device(chipId:0, dieId:0), serial number is 1, there is an exception of fftsplus aivec error, core id is 3", "aicore-exception"),
        ("E30008: AI CPU operator execution time out.", "aicore-timeout"),
        ("vector core timeout, runtime result = 507034", "aicore-timeout"),
    ],
)  # fmt: skip
def test_a_failed_kernel_is_a_warning_that_says_what_decides(log: str, cause: str) -> None:
    (finding,) = found(KernelFailure, log=log)

    assert (finding.cause, finding.severity) == (cause, Severity.WARNING)
    assert any("ASCEND_LAUNCH_BLOCKING" in step.run for step in finding.fix)


SILENT = [
    ("another process has the memory", oom("22.00 MiB", "60.97 GiB", "10.24 GiB", "19.52 MiB", "10.65 GiB")),
    ("CUDA's forked process", "RuntimeError: Cannot re-initialize CUDA in forked subprocess."),
    ("setting of the allocator", "export PYTORCH_NPU_ALLOC_CONF=expandable_segments:True"),
    (
        "out of memory of CUDA",
        "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 8.00 GiB total capacity;",
    ),
    ("training", "step 10 loss=2.31 lr=1e-05"),
]


@pytest.mark.parametrize("log", [row[1] for row in SILENT], ids=[row[0] for row in SILENT])
def test_silent_where_it_is_somebody_elses(log: str) -> None:
    assert [one.id for one in diagnose_text(log).findings if one.id.startswith("RUN")] == []


def test_a_job_that_is_too_large_is_no_fault_of_the_environment() -> None:
    (finding,) = found(OutOfMemory, log=oom("52.00 MiB", "60.96 GiB", "59.36 GiB", "15.39 MiB", "60.31 GiB"))

    assert finding.severity is Severity.INFO


@pytest.mark.parametrize(
    ("fields", "fragmented", "foreign"),
    [
        ({"requested": "2.00 GiB", "total": "60.00 GiB", "allocated": "40.00 GiB", "reserved": "58.00 GiB", "free": "1.00 GiB"}, True, False),
        ({"requested": "20.00 MiB", "total": "60.00 GiB", "allocated": "10.00 GiB", "reserved": "10.60 GiB", "free": "20.00 MiB"}, False, True),
        ({"requested": "20.00 MiB", "total": "60.00 GiB", "allocated": "59.00 GiB", "reserved": "59.20 GiB", "free": "0 bytes"}, False, False),
        ({"requested": "20.00 MiB", "total": "60.00 GiB"}, False, False),
        ({}, False, False),
        ({"requested": "much GiB", "total": "60"}, False, False),
    ],
)  # fmt: skip
def test_the_numbers_decide(fields: dict[str, str], fragmented: bool, foreign: bool) -> None:
    report = memory_report(Signal("npu-out-of-memory", fields, Evidence("log:1", "")))

    assert (report.fragmented, report.foreign) == (fragmented, foreign)


@pytest.mark.parametrize(
    ("environment", "severities"),
    [
        ({"ASCEND_GLOBAL_LOG_LEVEL": "1"}, [Severity.WARNING]),
        (
            {"ASCEND_LAUNCH_BLOCKING": "1", "ASCEND_SLOG_PRINT_TO_STDOUT": "1"},
            [Severity.WARNING, Severity.INFO],
        ),
        ({"ASCEND_MODULE_LOG_LEVEL": "HCCL=1:GE=3"}, [Severity.INFO]),
        ({"ASCEND_GLOBAL_LOG_LEVEL": "3", "ASCEND_LAUNCH_BLOCKING": "0", "TASK_QUEUE_ENABLE": "2"}, []),
        ({}, []),
    ],
)
def test_settings_that_slow_a_job_down(environment: dict[str, str], severities: list[Severity]) -> None:
    findings = found(SlowSettings, environment=MappingProxyType(environment))

    assert [one.severity for one in findings] == severities


def test_two_names_of_one_setting() -> None:
    both = {
        "PYTORCH_NPU_ALLOC_CONF": "expandable_segments:True",
        "PYTORCH_ALLOC_CONF": "expandable_segments:True",
    }

    (finding,) = found(AllocatorOption, environment=MappingProxyType(both))

    assert finding.severity is Severity.WARNING


def test_skipped_where_nothing_is_known() -> None:
    assert isinstance(run_check(SlowSettings), Skip)
    assert isinstance(run_check(UnsupportedOperator), Skip)


@pytest.mark.parametrize(
    ("log", "cause"),
    [
        ("rtSetDevice failed, runtime result = 100039", "driver-libs-not-on-path"),
        ("the call gave error code is 148049", "cann-env-not-sourced"),
        ("507033", "device-not-released"),
        ("Acl return error attention.cc:140, with ERROR 561103", "cann-kernels-missing"),
        ("EE9999: Inner Error!\nEL0007: no permission", "dev-node-permission"),
    ],
)
def test_a_bare_code_names_its_usual_causes(log: str, cause: str) -> None:
    first, *others = found(UnexplainedCode, log=log)

    assert first.cause == cause
    assert first.severity is Severity.ERROR
    assert all(one.severity is Severity.WARNING for one in others)
    assert f"ascendenv explain {cause}" in [step.run for step in first.fix]


@pytest.mark.parametrize("log", ["torch_npu: error code is 100000", "step 100039 done"])
def test_a_code_without_known_causes_is_not_explained(log: str) -> None:
    assert found(UnexplainedCode, log=log) == []


def test_the_bare_code_is_left_to_the_check_that_knows_more() -> None:
    log = "ret is -8005\ndcmi module initialize failed. ret is -8005"

    assert "RUN008" not in {one.id for one in diagnose_text(log=log).findings}


@pytest.mark.parametrize(
    ("log", "causes"),
    [
        ("npu is busy, try later", ["container-device-busy", "device-not-released"]),
        (
            "kernel: NPU is busy\nhuawei.com/Ascend910-Fault: Ascend910-3",
            ["container-device-busy", "chip-unhealthy"],
        ),
        ("/dev/vdavinci100: No such file or directory", ["vnpu-misconfigured"]),
        ("没有 /dev/davinci0 设备，/dev/davinci* 不存在", ["driver-not-loaded"]),
        ("ImportError: /x/torch_npu/lib/libtorch_npu.so: undefined symbol", ["torch-npu-torch-mismatch"]),
        ("NPU function error: aclrtSetDevice,", ["device-open-failed"]),
        ("CANN error", ["device-open-failed", "op-compiler-init-failed"]),
    ],
)
def test_a_line_cut_from_its_surroundings_names_its_usual_causes(log: str, causes: list[str]) -> None:
    findings = found(KnownSymptom, log=log)

    assert [one.cause for one in findings][: len(causes)] == causes
    assert findings[0].severity is Severity.ERROR
    assert all(one.severity is Severity.WARNING for one in findings[1:])
    assert f"ascendenv explain {causes[0]}" in [step.run for step in findings[0].fix]


def test_what_the_place_rules_out_is_not_named() -> None:
    inside = found(KnownSymptom, log="没有 /dev/davinci0 设备，/dev/davinci* 不存在", in_container=True)

    assert [one.cause for one in inside] == ["container-missing-devices"]


def test_the_end_of_a_trace_is_left_to_the_code_that_tells_more() -> None:
    assert found(KnownSymptom, log="CANN error: error code is 100039") == []


@pytest.mark.parametrize(
    "log",
    [
        "step 3: loss 2.1",
        "umount: /mnt: device is busy.",
        "ulimit -l unlimited",
        "no npu is needed for this step",
    ],
)
def test_an_ordinary_line_is_no_symptom(log: str) -> None:
    assert found(KnownSymptom, log=log) == []


def test_every_cause_of_a_symptom_has_a_check() -> None:
    named = {cause for check in catalogue() for cause in check.causes}
    listed = [
        pattern.templates["causes"] for pattern in shipped_catalogue().patterns if pattern.id == "symptom"
    ]

    assert {cause for causes in listed for cause in causes.split()} - named == set()
