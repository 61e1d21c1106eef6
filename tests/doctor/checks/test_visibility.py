"""Choosing the cards: what fires, what stays silent, what is skipped."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest
from tests.doctor.helpers import causes_of, run_check

from ascendenv.doctor.checks.visibility import CHECKS
from ascendenv.doctor.checks.visibility.cuda_visible_devices_set import CudaVisibleDevicesSet
from ascendenv.doctor.checks.visibility.no_visible_devices import NoVisibleDevices
from ascendenv.doctor.checks.visibility.npu_ids import gap_in, numbers_of
from ascendenv.doctor.checks.visibility.npu_ids_not_contiguous import NpuIdsNotContiguous
from ascendenv.doctor.checks.visibility.selection import CONTAINER, RUNTIME, ids_of, selection_of
from ascendenv.doctor.checks.visibility.visible_devices_empty import VisibleDevicesEmpty
from ascendenv.doctor.checks.visibility.visible_devices_not_ascending import VisibleDevicesNotAscending
from ascendenv.doctor.checks.visibility.visible_devices_out_of_range import VisibleDevicesOutOfRange
from ascendenv.doctor.checks.visibility.visible_devices_set_late import VisibleDevicesSetLate
from ascendenv.doctor.finding import Confidence, Finding, Severity, Skip
from ascendenv.facts.model import HostFacts, Npu, NpuProcess, User
from ascendenv.facts.text import facts_of

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

NO_DEVICE = (
    "RuntimeError: init:build/CMakeFiles/torch_npu.dir/compiler_depend.ts:292 "
    "NPU function error: aclrtGetDeviceCount(&device_count), error code is 207004\n"
)
INVALID = "        open device 2 failed, runtime result = 107001.[FUNC:ReportCallError][FILE:log_inner.cpp][LINE:161]"
UNAVAILABLE = "torch.npu.is_available() -> False"


def npus(*numbers: int, chips: int = 1) -> tuple[Npu, ...]:
    return tuple(Npu(number, chip, "910B2", "OK") for number in numbers for chip in range(chips))


def environment(**variables: str) -> MappingProxyType[str, str]:
    return MappingProxyType(variables)


def found(
    check: type[Check], log: str | None = None, report: str | None = None, **facts: Any
) -> list[Finding]:
    outcome = run_check(check, log, report, **facts)
    assert not isinstance(outcome, Skip)
    return outcome


def shown(findings: list[Finding]) -> list[tuple[str, Severity]]:
    return [(one.cause, one.severity) for one in findings]


# --- reading a selection -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        ("0,1", (0, 1)),
        ("4,3", (4, 3)),
        ("0-3", (0, 1, 2, 3)),
        ("0-1,4", (0, 1, 4)),
        ("Ascend910-2,Ascend910-3", (2, 3)),
        ("npu-7", (7,)),
        ("1, 2,3", (1, 2, 3)),
        ("", ()),
        ("void", ()),
        ("-1", ()),
        ("0-999999999999", ()),
    ],
)
def test_ids_of_a_value(value: str, ids: tuple[int, ...]) -> None:
    assert ids_of(value) == ids


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("export ASCEND_RT_VISIBLE_DEVICES=0,1,2,5", RUNTIME, "0,1,2,5"),
        ('-e ASCEND_RT_VISIBLE_DEVICES="6,7" \\', RUNTIME, "6,7"),
        ("os.environ['ASCEND_RT_VISIBLE_DEVICES'] = '3'", RUNTIME, "3"),
        ("      ASCEND_VISIBLE_DEVICES:  Ascend910-4,Ascend910-5", CONTAINER, "Ascend910-4,Ascend910-5"),
        ("export ASCEND_RT_VISIBLE_DEVICES=", RUNTIME, ""),
    ],
)
def test_a_selection_is_read_from_the_lines_that_set_it(text: str, name: str, value: str) -> None:
    chosen = selection_of(facts_of(log=text), name)

    assert chosen is not None
    assert chosen.value == value


@pytest.mark.parametrize(
    "text", ["export ASCEND_RT_VISIBLE_DEVICES=$CARDS", "unset ASCEND_RT_VISIBLE_DEVICES", "hello"]
)
def test_a_selection_that_no_line_sets(text: str) -> None:
    assert selection_of(facts_of(log=text), RUNTIME) is None


def test_the_environment_outranks_a_line() -> None:
    facts = HostFacts(environment=environment(ASCEND_RT_VISIBLE_DEVICES="2"))

    chosen = selection_of(facts, RUNTIME)

    assert chosen is not None
    assert chosen.ids == (2,)


@pytest.mark.parametrize(
    ("table", "numbers", "gap"),
    [
        ((), (), False),
        (npus(0, 1, 2), (0, 1, 2), False),
        (npus(0, 1, chips=2), (0, 1), False),
        (npus(0, 1, 3, 4), (0, 1, 3, 4), True),
        (npus(32896), (32896,), True),
    ],
)
def test_gaps_in_the_numbers_of_npu_smi(table: tuple[Npu, ...], numbers: tuple[int, ...], gap: bool) -> None:
    facts = HostFacts(npus=table)

    assert (numbers_of(facts), gap_in(facts)) == (numbers, gap)


# --- counting none -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "log",
    [
        UNAVAILABLE,
        ">>> torch.npu.is_available()\nFalse",
        ">>> torch.npu.device_count()\n0",
        "torch_npu.npu.device_count() returns 0",
        "Is NPU available: False",
        "UserWarning: Can't get ascend_hal device count",
        'device_count:25: "[PTA]:"get device count of NPU failed""',
        "RuntimeError: No NPU devices found",
        "AssertionError: local_world_size (4) must be less than or equal to the number\nof visible devices (0).",
        "There is no NPU card on this server.",
        "ValueError: Torch not built for this device: 未检测到NPU",
        NO_DEVICE,
    ],
)
def test_counting_none_without_another_reason(log: str) -> None:
    (first, *_) = found(NoVisibleDevices, log)

    assert (first.cause, first.severity, first.confidence) == (
        "no-visible-devices",
        ERROR,
        Confidence.POSSIBLE,
    )


@pytest.mark.parametrize(
    ("log", "report", "facts", "cause"),
    [
        (UNAVAILABLE, "docker run --device /dev/davinci0 --device /dev/davinci_manager image", {}, "container-missing-devices"),
        (UNAVAILABLE, None, {"user": User("dev", 1000)}, "dev-node-permission"),
        (UNAVAILABLE, "docker run --device /dev/davinci3 image\nexport ASCEND_RT_VISIBLE_DEVICES=3", {"in_container": True},
         "visible-devices-out-of-range"),
        ("RuntimeError: Failed to infer device type", None, {}, "cann-env-not-sourced"),
        (f"RuntimeError: Failed to infer device type\n{UNAVAILABLE}", None, {}, "no-visible-devices"),
    ],
)  # fmt: skip
def test_counting_none_is_decided_by_the_other_facts(
    log: str, report: str | None, facts: dict[str, Any], cause: str
) -> None:
    assert found(NoVisibleDevices, log, report, **facts)[0].cause == cause


@pytest.mark.parametrize(
    "log",
    [
        "torch.npu.is_available() -> True",
        "device_count: 8",
        "Is CUDA available: False",
        "torch.cuda.device_count() 0",
        "local_world_size (4) must be less than or equal to the number of visible devices (2)",
    ],
)
def test_counting_some_is_silent(log: str) -> None:
    assert found(NoVisibleDevices, log) == []


# --- an empty list -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("log", "report", "severity"),
    [
        (UNAVAILABLE, "ASCEND_RT_VISIBLE_DEVICES=", ERROR),
        (f'os.environ["ASCEND_RT_VISIBLE_DEVICES"] == ""\n{UNAVAILABLE}', None, ERROR),
        ("ValueError: Total available GPUs 0 is less than total desired GPUs 8", None, ERROR),
        (f"FutureWarning: set RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO to 0\n{UNAVAILABLE}", None, ERROR),
        ("Platform 'huawei' (PlatformNPU) is registered but not available.", None, WARNING),
        (UNAVAILABLE, "ray job submit --address=http://127.0.0.1:8265 -- python3 x.py", ERROR),
        (f"(RayWorkerWrapper pid=11) {UNAVAILABLE}", None, ERROR),
        ("hello", "ASCEND_RT_VISIBLE_DEVICES=", WARNING),
    ],
)
def test_an_empty_list(log: str, report: str | None, severity: Severity) -> None:
    assert shown(found(VisibleDevicesEmpty, log, report)) == [("visible-devices-empty", severity)]


@pytest.mark.parametrize(
    ("log", "report"),
    [
        (UNAVAILABLE, "ASCEND_RT_VISIBLE_DEVICES=0"),
        (f"(RayWorkerWrapper pid=11) {UNAVAILABLE}", "ASCEND_RT_VISIBLE_DEVICES=0"),
        (UNAVAILABLE, None),
        ("export RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO=0", None),
    ],
)
def test_a_list_that_is_not_empty(log: str, report: str | None) -> None:
    assert found(VisibleDevicesEmpty, log, report) == []


# --- numbers that do not exist here ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("log", "report", "facts", "cause", "confidence"),
    [
        ("set ASCEND_RT_VISIBLE_DEVICES:4 error, input data rang[0-2)", None, {}, "visible-devices-out-of-range",
         Confidence.CERTAIN),
        ("[INIT][DEFAULT]set ASCEND_RT_VISIBLE_DEVICES:[8] error, input data range[0-8)", None, {},
         "visible-devices-out-of-range", Confidence.CERTAIN),
        ("Config_Error(EE2002): Value 7 for environment variable ASCEND_RT_VISIBLE_DEVICES is invalid. Expected value: [0, 4).",
         None, {}, "visible-devices-out-of-range", Confidence.CERTAIN),
        ('Exception: Error setting ASCEND_RT_VISIBLE_DEVICES: local range: [4, 8) base value: "0,1,2,3"', None, {},
         "visible-devices-out-of-range", Confidence.CERTAIN),
        (INVALID, None, {}, "visible-devices-out-of-range", Confidence.POSSIBLE),
        ("RuntimeError: NPU device 1 not available", None, {}, "visible-devices-out-of-range", Confidence.POSSIBLE),
        ("AssertionError: Invalid device id", None, {}, "visible-devices-out-of-range", Confidence.POSSIBLE),
        ("Invalid_Device_ID(EL0002): The device ID is invalid.", None, {}, "visible-devices-out-of-range",
         Confidence.POSSIBLE),
        ("local_world_size (8) must be less than or equal to the number of visible devices (4)", None, {},
         "visible-devices-out-of-range", Confidence.POSSIBLE),
        (INVALID, "docker run --device=/dev/davinci3 image\nASCEND_RT_VISIBLE_DEVICES=3", {},
         "visible-devices-out-of-range", Confidence.LIKELY),
        (INVALID, "ASCEND_RT_VISIBLE_DEVICES=0,1,3,4", {"npus": npus(0, 1, 3, 4)}, "npu-ids-not-contiguous",
         Confidence.LIKELY),
        (INVALID, "ASCEND_VISIBLE_DEVICES=4,5", {}, "rt-visible-devices-unset-in-pod", Confidence.LIKELY),
        ("(RayWorkerWrapper pid=9) Set visible device failed, invalid device=1, input visible devices:1", None, {},
         "visible-devices-set-late", Confidence.LIKELY),
    ],
)  # fmt: skip
def test_a_number_that_does_not_exist(
    log: str, report: str | None, facts: dict[str, Any], cause: str, confidence: Confidence
) -> None:
    (first, *_) = found(VisibleDevicesOutOfRange, log, report, **facts)

    assert (first.cause, first.severity, first.confidence) == (cause, ERROR, confidence)


def test_a_list_beyond_the_cards_without_a_symptom_is_a_warning() -> None:
    report = "docker run --device=/dev/davinci3 image\nASCEND_RT_VISIBLE_DEVICES=3"

    assert shown(found(VisibleDevicesOutOfRange, "hello", report)) == [
        ("visible-devices-out-of-range", WARNING)
    ]


@pytest.mark.parametrize(
    ("log", "report"),
    [
        (
            "hello",
            "docker run --device=/dev/davinci2 --device=/dev/davinci3 image\nASCEND_RT_VISIBLE_DEVICES=0,1",
        ),
        ("hello", "ASCEND_RT_VISIBLE_DEVICES=0,1,2,3,4,5,6,7"),
        ("open device 3 failed, runtime result = 507033.", None),
    ],
)
def test_numbers_that_exist(log: str, report: str | None) -> None:
    assert found(VisibleDevicesOutOfRange, log, report) == []


# --- order, gaps, time, other variables --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("log", "report", "severity", "confidence", "fix"),
    [
        ("Reason: set ASCEND_RT_VISIBLE_DEVICES:0,2,4,1 error, it must be configured in ascending order", None, ERROR,
         Confidence.CERTAIN, "0,1,2,4"),
        ("Value 1,0 for environment variable ASCEND_RT_VISIBLE_DEVICES is invalid. Expected value: configured in ascending order.",
         "ASCEND_RT_VISIBLE_DEVICES=1,0", ERROR, Confidence.CERTAIN, "0,1"),
        ("set ASCEND_RT_VISIBLE_DEVICES:[3,3] cannot be duplicated, input data range[0-8)", None, ERROR,
         Confidence.CERTAIN, "3"),
        (NO_DEVICE, "ASCEND_RT_VISIBLE_DEVICES=7,6", ERROR, Confidence.LIKELY, "6,7"),
        (UNAVAILABLE, "export ASCEND_RT_VISIBLE_DEVICES=5,4", ERROR, Confidence.LIKELY, "4,5"),
        ("hello", "export ASCEND_RT_VISIBLE_DEVICES=5,4", WARNING, Confidence.LIKELY, "4,5"),
    ],
)  # fmt: skip
def test_a_list_out_of_order(
    log: str, report: str | None, severity: Severity, confidence: Confidence, fix: str
) -> None:
    (finding,) = found(VisibleDevicesNotAscending, log, report)

    assert (finding.cause, finding.severity, finding.confidence) == (
        "visible-devices-not-ascending",
        severity,
        confidence,
    )
    assert finding.fix[0].run == f"export ASCEND_RT_VISIBLE_DEVICES={fix}"


@pytest.mark.parametrize(
    "report",
    ["ASCEND_RT_VISIBLE_DEVICES=0,2,4", "ASCEND_VISIBLE_DEVICES=2,3,0,1", "ASCEND_RT_VISIBLE_DEVICES="],
)
def test_a_list_in_order(report: str) -> None:
    assert found(VisibleDevicesNotAscending, NO_DEVICE, report) == []


@pytest.mark.parametrize(
    ("log", "report", "table", "severity"),
    [
        ("hello", None, npus(0, 1, 3), INFO),
        ("hello", None, npus(1, chips=2), INFO),
        ("hello", "ASCEND_RT_VISIBLE_DEVICES=0,1,3,4", npus(0, 1, 3, 4), WARNING),
        (INVALID, "ASCEND_RT_VISIBLE_DEVICES=0,1,3,4", npus(0, 1, 3, 4), ERROR),
    ],
)
def test_numbers_with_gaps(log: str, report: str | None, table: tuple[Npu, ...], severity: Severity) -> None:
    assert shown(found(NpuIdsNotContiguous, log, report, npus=table)) == [
        ("npu-ids-not-contiguous", severity)
    ]


def test_numbers_without_gaps() -> None:
    assert found(NpuIdsNotContiguous, INVALID, npus=npus(0, 1, 2, 3, chips=2)) == []


@pytest.mark.parametrize(
    ("log", "report", "facts", "severity"),
    [
        ("AssertionError: Expects tensor to be on the compute device npu:7, was on npu:0", None, {}, ERROR),
        ("在代码里设置 os.environ['ASCEND_RT_VISIBLE_DEVICES'] 不生效", None, {}, ERROR),
        ("ASCEND_RT_VISIBLE_DEVICES=4 set after import torch_npu has no effect", None, {}, ERROR),
        (
            "hello",
            "ASCEND_RT_VISIBLE_DEVICES=3,4",
            {"npu_processes": (NpuProcess(1, 0, 9, "ray::Worker"),)},
            WARNING,
        ),
        ("hello", None, {"npu_processes": (NpuProcess(1, 0, 9, "rayNPURayWork"),)}, INFO),
    ],
)
def test_a_list_that_changed_too_late(
    log: str, report: str | None, facts: dict[str, Any], severity: Severity
) -> None:
    assert shown(found(VisibleDevicesSetLate, log, report, **facts)) == [
        ("visible-devices-set-late", severity)
    ]


def test_ordinary_processes_change_no_list() -> None:
    assert found(VisibleDevicesSetLate, "hello", npu_processes=(NpuProcess(1, 0, 9, "python3"),)) == []


@pytest.mark.parametrize(
    ("report", "name"),
    [
        ("CUDA_VISIBLE_DEVICES=4,5", "CUDA_VISIBLE_DEVICES"),
        ("export NPU_VISIBLE_DEVICES=1", "NPU_VISIBLE_DEVICES"),
    ],
)
def test_a_variable_that_cann_does_not_read(report: str, name: str) -> None:
    (finding,) = found(CudaVisibleDevicesSet, report=report)

    assert (finding.cause, finding.severity) == ("cuda-visible-devices-set", WARNING)
    assert name in str(finding.title)


@pytest.mark.parametrize(
    "report",
    [
        "CUDA_VISIBLE_DEVICES=4,5\nASCEND_RT_VISIBLE_DEVICES=4,5",
        "CUDA_VISIBLE_DEVICES=",
        "ASCEND_VISIBLE_DEVICES=4,5",
    ],
)
def test_variables_that_do_no_harm(report: str) -> None:
    assert found(CudaVisibleDevicesSet, report=report) == []


# --- all together ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_without_a_text_a_check_is_skipped_or_silent(check: type[Check]) -> None:
    outcome = run_check(check)

    assert isinstance(outcome, Skip) or outcome == []


@pytest.mark.parametrize(
    ("log", "report", "cause"),
    [
        ((f"{NO_DEVICE}EE1001: The argument is invalid.Reason: set ASCEND_RT_VISIBLE_DEVICES:1,0 error, it must be configured in"
         " ascending order"), None, "visible-devices-not-ascending"),
        ((f"{NO_DEVICE}EE1001: The argument is invalid.Reason: set ASCEND_RT_VISIBLE_DEVICES:4 error, input data rang[0-2)\n"
         f"{INVALID}"), None, "visible-devices-out-of-range"),
        (f"dcmi module initialize failed. ret is -8005\n{UNAVAILABLE}", "docker exec -it x bash", "container-missing-devices"),
        (f"drvRetCode=87\n{UNAVAILABLE}", None, "container-device-busy"),
        (("ImportError: libhccl.so: cannot open shared object file: No such file or directory\n"
         "RuntimeError: Failed to infer device type"), None, "cann-env-not-sourced"),
    ],
)  # fmt: skip
def test_the_root_stands_before_its_consequences(log: str, report: str | None, cause: str) -> None:
    assert causes_of(log, report)[0] == cause


TYPED = ">>> os.environ['ASCEND_RT_VISIBLE_DEVICES'] = '1'\n>>> torch_npu._C._npu_setDevice(0)\n"
NOT_OPENED = "RuntimeError: NPU function error: c10_npu::SetDevice(device_id_), error code is 507033\n"


def test_a_choice_typed_in_a_running_interpreter_comes_late() -> None:
    assert causes_of(TYPED + NOT_OPENED)[0] == "visible-devices-set-late"
    assert "visible-devices-set-late" not in causes_of(TYPED)
