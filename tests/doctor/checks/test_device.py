"""Devices that cannot be reached, opened, started or kept: what fires, what stays silent, what is skipped."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest
from tests.doctor.helpers import causes_of, run_check

from ascendenv.doctor.checks.device import CHECKS
from ascendenv.doctor.checks.device.aicpu_package_load_failed import AicpuPackageLoadFailed
from ascendenv.doctor.checks.device.chip_unhealthy import ChipUnhealthy
from ascendenv.doctor.checks.device.container_device_busy import ContainerDeviceBusy
from ascendenv.doctor.checks.device.container_missing_devices import ContainerMissingDevices
from ascendenv.doctor.checks.device.container_mounts_incomplete import ContainerMountsIncomplete
from ascendenv.doctor.checks.device.dev_node_permission import DeviceNodePermission
from ascendenv.doctor.checks.device.device_busy import DeviceBusy
from ascendenv.doctor.checks.device.device_lost_heartbeat import DeviceLostHeartbeat
from ascendenv.doctor.checks.device.device_not_released import DeviceNotReleased
from ascendenv.doctor.checks.device.device_plugin_chip_mismatch import DevicePluginChipMismatch
from ascendenv.doctor.checks.device.device_start_failed import DeviceStartFailed
from ascendenv.doctor.checks.device.driver_not_mounted import DriverNotMounted
from ascendenv.doctor.checks.device.hbm_ecc import HbmEcc
from ascendenv.doctor.checks.device.hbm_occupied import HbmOccupied
from ascendenv.doctor.checks.device.host_memory_not_pinned import HostMemoryNotPinned
from ascendenv.doctor.checks.device.npu_unreachable import NpuUnreachable
from ascendenv.doctor.checks.device.privileged_container_sees_all import PrivilegedContainerSeesAll
from ascendenv.doctor.checks.device.rt_visible_devices_unset_in_pod import RtVisibleDevicesUnsetInPod
from ascendenv.doctor.checks.device.sandbox_blocks_devices import SandboxBlocksDevices
from ascendenv.doctor.checks.device.surroundings import surroundings
from ascendenv.doctor.checks.device.uid_without_passwd_entry import UidWithoutPasswdEntry
from ascendenv.doctor.checks.device.vnpu_misconfigured import VnpuMisconfigured
from ascendenv.doctor.finding import Confidence, Finding, Severity, Skip
from ascendenv.facts.model import DeviceNode, HostFacts, Npu, NpuProcess, OsRelease, User
from ascendenv.facts.text import facts_of
from ascendenv.versions import vendor

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

UNREACHABLE = "DrvMngGetConsoleLogLevel failed. (ret=4)\ndcmi module initialize failed. ret is -8005"
OCCUPIED = (
    "DrvMngGetConsoleLogLevel failed. (g_conLogLevel=3)\n"
    "dcmi model initialized failed, because the device is used. ret is -8020"
)
START = (
    "[rank3]: RuntimeError: ExchangeDevice:build/CMakeFiles/torch_npu.dir/compiler_depend.ts:253 "
    "NPU function error: c10_npu::SetDevice(device), error code is 507033\n"
)
CONFLICT = (
    "[1187.2] [ascend] [uda] [ERROR] [uda_occupy_dev_by_ns 932] <npu-smi:91:91:3> Conflict open udevid. "
    "(udevid=5; access_ns=00000000aa; ns=00000000bb)"
)
NODES = "--device /dev/davinci_manager --device /dev/devmm_svm --device /dev/hisi_hdc"
FILES = (
    "-v /usr/local/dcmi:/usr/local/dcmi -v /usr/local/Ascend/driver/lib64/:/usr/local/Ascend/driver/lib64/ "
    "-v /etc/ascend_install.info:/etc/ascend_install.info"
)
COMPLETE = f"docker run -it --device /dev/davinci7 {NODES} {FILES} image bash"
HEADER = """
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+
"""


def npu(number: int, *, health: str = "OK", hbm: int = 3400, chip: int = 0) -> Npu:
    return Npu(number, chip, "910B3", health, hbm_used=hbm, hbm_total=65536)


def found(
    check: type[Check], log: str | None = None, report: str | None = None, **facts: Any
) -> list[Finding]:
    outcome = run_check(check, log, report, **facts)
    assert not isinstance(outcome, Skip)
    return outcome


def shown(findings: list[Finding]) -> list[tuple[str, Severity]]:
    return [(one.cause, one.severity) for one in findings]


# --- the three umbrellas -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("log", "report", "cause"),
    [
        ("dcmi module initialize failed.ret is -8005", None, "driver-not-loaded"),
        ("npu-exporter: dcmi init failed, error code: -8005", None, "driver-not-loaded"),
        ("DrvMngGetConsoleLogLevel failed. (ret=4)", None, "driver-not-loaded"),
        (f"dev@box:~$ npu-smi info\n{UNREACHABLE}", None, "dev-node-permission"),
        (f"{UNREACHABLE}\nsudo: a password is required", None, "dev-node-permission"),
        (f"root@4f0c2a77b1de:/# npu-smi info\n{UNREACHABLE}", None, "container-missing-devices"),
        (UNREACHABLE, "docker exec -it vllm bash", "container-missing-devices"),
        (UNREACHABLE, "KUBERNETES_SERVICE_HOST=10.96.0.1\nASCEND_DOCKER_RUNTIME=True", "container-missing-devices"),
        (UNREACHABLE, "docker run --device /dev/davinci0 image", "container-missing-devices"),
        (UNREACHABLE, COMPLETE, "container-device-busy"),
        (UNREACHABLE, "securityContext:\n  runAsUser: 1001", "dev-node-permission"),
        (UNREACHABLE, "docker exec -u 1000 vllm bash", "dev-node-permission"),
        (UNREACHABLE, "user: svc\nin a container", "dev-node-permission"),
        (UNREACHABLE, "outside_sandbox: is_available True", "sandbox-blocks-devices"),
        (UNREACHABLE, "securityContext:\n  capabilities:\n    drop:\n    - ALL", "dev-node-permission"),
        ("Call aclInit(nullptr) failed : 507008 at file runtime.cc", "docker run --privileged -v /usr/local/dcmi:/usr/local/dcmi i",
         "chip-needs-newer-release"),
        (UNREACHABLE, "kubectl logs pod\nhuawei.com/Ascend910B4-memory: 16384", "vnpu-misconfigured"),
        (f"Ascend310P vNPU pod\n{UNREACHABLE}", "kubectl get pod", "vnpu-misconfigured"),
        (f"[INFO]Driver package installed successfully! Reboot needed for installation/upgrade to take effect!\n{UNREACHABLE}",
         None, "reboot-needed-after-upgrade"),
    ],
)  # fmt: skip
def test_minus_8005_is_decided_by_the_other_facts(log: str, report: str | None, cause: str) -> None:
    findings = found(NpuUnreachable, log, report)

    assert (findings[0].cause, findings[0].severity) == (cause, ERROR)


def test_an_undecided_minus_8005_says_what_would_decide() -> None:
    findings = found(NpuUnreachable, UNREACHABLE)

    assert {one.confidence for one in findings} == {Confidence.POSSIBLE}
    assert [one.cause for one in findings[:3]] == [
        "driver-not-loaded",
        "dev-node-permission",
        "container-missing-devices",
    ]
    assert "lsmod" in str(findings[0].fix[0].note)


@pytest.mark.parametrize(
    ("facts", "cause"),
    [
        ({"kernel_modules": frozenset({"ext4", "nf_nat"}), "in_container": False}, "driver-not-loaded"),
        ({"user": User("svc", 1001), "in_container": True}, "dev-node-permission"),
        ({"device_nodes": (DeviceNode("/dev/davinci0"), DeviceNode("/dev/davinci_manager"))}, "dev-node-permission"),
        ({"user": User("root", 0), "in_container": True}, "container-missing-devices"),
        ({"os": OsRelease("ubuntu", "22.04", "Ubuntu 22.04"), "kernel": "5.10.0-182.0.0.95.r1941_123.hce2.aarch64"},
         "container-missing-devices"),
        ({"os": OsRelease("openeuler", "24.03", "openEuler 24.03"), "kernel": "5.10.0-216.0.0.115.oe2203sp4.aarch64"},
         "container-missing-devices"),
        ({"os": OsRelease("ubuntu", "22.04", "Ubuntu 22.04"), "kernel": "5.15.0-122-generic"}, "driver-not-loaded"),
    ],
)  # fmt: skip
def test_minus_8005_reads_modules_user_and_kernel(facts: dict[str, Any], cause: str) -> None:
    assert found(NpuUnreachable, UNREACHABLE, **facts)[0].cause == cause


@pytest.mark.parametrize(
    "log",
    [
        OCCUPIED,
        "drvRetCode=87\nDrvMngGetConsoleLogLevel failed. (ret=4)",
        "npu-smi 24.1.rc3 Version: 24.1.rc3",
    ],
)
def test_other_texts_are_not_minus_8005(log: str) -> None:
    assert found(NpuUnreachable, log) == []


@pytest.mark.parametrize(
    ("log", "report", "cause"),
    [
        (OCCUPIED, None, "container-device-busy"),
        ("GetDeviceCount:Call drvGetDevNum, drvRetCode=87.", None, "container-device-busy"),
        (">>> Get physical device number failed, err: 87", None, "container-device-busy"),
        ("halGetDeviceInfo get device type version failed , ret:87[FUNC:Init]", None, "container-device-busy"),
        ("[PID: 3] Resource_Busy(EL0005): The resources are busy.", None, "container-device-busy"),
        ("Invalid_Device_Access(EL0015): The device access is invalid.", None, "container-device-busy"),
        ("aclInit ... error code is 507899", None, "container-device-busy"),
        (OCCUPIED, COMPLETE, "container-device-busy"),
        (f"{OCCUPIED}\nnpu get board type failed. ret is -9005", None, "container-mounts-incomplete"),
        (OCCUPIED, f"docker run --device /dev/davinci0 {NODES} -v /usr/local/Ascend/driver:/usr/local/Ascend/driver i",
         "container-mounts-incomplete"),
        (OCCUPIED, f"docker run --device /dev/davinci0 --device /dev/hisi_hdc {FILES} image", "container-missing-devices"),
        (f"running in the read-only sandbox\n{OCCUPIED}", None, "sandbox-blocks-devices"),
    ],
)  # fmt: skip
def test_busy_is_decided_by_the_other_facts(log: str, report: str | None, cause: str) -> None:
    assert shown(found(DeviceBusy, log, report))[0] == (cause, ERROR)


@pytest.mark.parametrize(
    "log",
    [
        "Device[1] lost heartbeat.\nmalloc failed, runtime result = 507899\nruntime result = 507010.",
        "call aclrtMalloc failed, error code is 207001",
        "drvRetCode=0",
    ],
)
def test_a_driver_error_with_another_reason_is_not_busy(log: str) -> None:
    assert found(DeviceBusy, log) == []


def test_a_stuck_driver_is_among_what_else_it_may_be() -> None:
    assert "driver-fault-state" in [one.cause for one in found(DeviceBusy, OCCUPIED)]


@pytest.mark.parametrize(
    ("log", "facts", "cause"),
    [
        ("TsdOpen failed. devId=5, tdt error=1[FUNC:PrintfTsdError]", {}, "tsd-open-failed"),
        ("E39999: Inner Error!\nE39999 TsdOpen failed. devId=0, tdt error=31[FUNC:PrintfTsdError]", {}, "tsd-open-failed"),
        (START + "tsd client wait response fail, hostpid:9, device response code[1]. unknown device error.", {},
         "tsd-open-failed"),
        (START, {}, "device-open-failed"),
        ("[ERROR]  acl set device 3 failed, errorCode = 507033", {}, "device-open-failed"),
        ("Failed to open device, retCode=0x7020014, deviceId=0.[FUNC:Init][FILE:device.cc][LINE:227]", {},
         "device-open-failed"),
        (START, {"npus": (npu(0, hbm=64100), npu(1))}, "hbm-occupied"),
        (START + "open device 1 failed, runtime result = 507033.", {"npus": (npu(0, hbm=64100), npu(1))},
         "device-open-failed"),
        (START, {"npu_processes": (NpuProcess(0, 0, 77, "VLLM::EngineCore"),)}, "device-not-released"),
        (f"{START}\nrerun: passes", {}, "device-not-released"),
        ("训练启动报错 507033，重新运行就正常了", {}, "device-not-released"),
        ("Not_Supported_Specification(E30003): The number of started user processes on the device exceeds the limit.",
         {}, "device-not-released"),
    ],
)  # fmt: skip
def test_a_failed_start_is_decided_by_the_other_facts(log: str, facts: dict[str, Any], cause: str) -> None:
    assert found(DeviceStartFailed, log, **facts)[0].cause == cause


def test_a_driver_that_the_table_does_not_pair_explains_a_failed_start() -> None:
    findings = found(DeviceStartFailed, START, driver=vendor("22.0.4"), cann=vendor("9.0.0"))

    assert "driver-too-old-for-cann" in [one.cause for one in findings]


@pytest.mark.parametrize("log", ["open device 4 failed, runtime result = 107001.", "error code is 507015"])
def test_other_codes_are_no_failed_start(log: str) -> None:
    assert found(DeviceStartFailed, log) == []


# --- rights and sandboxes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("log", "facts", "expected"),
    [
        ("PermissionError: [Errno 13] Permission denied: '/dev/davinci0'", {}, ERROR),
        ('open("/dev/davinci_manager", O_RDWR) = -1 EACCES (Permission denied)', {}, ERROR),
        ("You have no permission(EL0007): You have no permission.", {}, ERROR),
        ("NPU function error, error code is 207006", {}, ERROR),
        (UNREACHABLE, {"device_nodes": (DeviceNode("/dev/davinci0", 0o660, "HwHiAiUser", "HwHiAiUser"),),
                       "user": User("dev", 1000, ("dev",))}, ERROR),
        ("ok", {"device_nodes": (DeviceNode("/dev/davinci0", openable=False),)}, WARNING),
        (f"CapEff: 0000000000000000\n{UNREACHABLE}",
         {"device_nodes": (DeviceNode("/dev/davinci3", 0o660, "1000", "1000"),), "user": User("root", 0, ("root",))}, ERROR),
    ],
)  # fmt: skip
def test_nodes_that_this_user_may_not_open(log: str, facts: dict[str, Any], expected: Severity) -> None:
    assert shown(found(DeviceNodePermission, log, **facts)) == [("dev-node-permission", expected)]


@pytest.mark.parametrize(
    ("log", "facts"),
    [
        ("PermissionError: [Errno 13] Permission denied: '/data/model'", {}),
        ("/dev/davinci0: Operation not permitted", {}),
        ("/dev/davinci0 (mode 0666): EACCES", {}),
        ("cat: /dev/davinci0: Permission denied", {"user": User("root", 0)}),
        (UNREACHABLE, {"device_nodes": (DeviceNode("/dev/davinci0", 0o666, "root", "root"),), "user": User("dev", 1000, ())}),
        (UNREACHABLE, {"device_nodes": (DeviceNode("/dev/davinci0", 0o660, "root", "npu"),),
                       "user": User("dev", 1000, ("npu",))}),
    ],
)  # fmt: skip
def test_permission_is_not_blamed_for_what_it_allows(log: str, facts: dict[str, Any]) -> None:
    assert found(DeviceNodePermission, log, **facts) == []


@pytest.mark.parametrize(
    ("log", "facts"),
    [
        ("/dev/davinci0 (mode 0666): EACCES\naclInit ... error code is 507899", {}),
        ("open /dev/davinci_manager: Permission denied", {"user": User("root", 0)}),
        (f"under the workspace-write sandbox:\n{UNREACHABLE}", {}),
        ("bwrap: ...\ncat: /dev/davinci0: Permission denied", {}),
    ],
)
def test_a_sandbox_refuses_what_the_mode_allows(log: str, facts: dict[str, Any]) -> None:
    assert shown(found(SandboxBlocksDevices, log, **facts)) == [("sandbox-blocks-devices", ERROR)]


@pytest.mark.parametrize(
    "log", ["pulling image into the sandbox", "cat: /dev/davinci0: Permission denied", UNREACHABLE]
)
def test_a_sandbox_needs_a_symptom_and_a_sign(log: str) -> None:
    assert found(SandboxBlocksDevices, log) == []


@pytest.mark.parametrize(
    ("log", "severity", "confidence"),
    [
        ("HcclGetRootInfo(&hcclID), error code is 19\nra init failed, return[19] devicePhyId_[0], nicPosition[0]", ERROR,
         Confidence.LIKELY),
        ("KeyError: 'getpwuid(): uid not found: 1000'\nra init failed, return[19] devicePhyId_[2]", ERROR,
         Confidence.CERTAIN),
        ("whoami: cannot find name for user ID 1009", WARNING, Confidence.LIKELY),
    ],
)  # fmt: skip
def test_a_uid_without_entry(log: str, severity: Severity, confidence: Confidence) -> None:
    (finding,) = found(UidWithoutPasswdEntry, log)

    assert (finding.severity, finding.confidence) == (severity, confidence)


@pytest.mark.parametrize(
    ("log", "facts"),
    [
        ("ra init failed, return[19] devicePhyId_[0]", {"user": User("root", 0)}),
        ("ra init failed, return[11] devicePhyId_[0]", {}),
        ("hccl init ok", {}),
    ],
)
def test_root_has_an_entry(log: str, facts: dict[str, Any]) -> None:
    assert found(UidWithoutPasswdEntry, log, **facts) == []


# --- containers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("log", "report", "severity"),
    [
        (UNREACHABLE, "docker run --device=/dev/davinci0 --device=/dev/davinci_manager image", ERROR),
        (
            UNREACHABLE,
            "docker run --device=/dev/davinci_manager --device=/dev/hisi_hdc --device=/dev/devmm_svm image",
            ERROR,
        ),
        ("hello", "docker run --device=/dev/davinci0 image", WARNING),
        (UNREACHABLE, 'env:\n  - name: ASCEND_RUNTIME_OPTIONS\n    value: "NODRV"', ERROR),
        (UNREACHABLE, "docker run -e ASCEND_VISIBLE_DEVICES=void image", ERROR),
        ("open /dev/davinci0: Operation not permitted", None, ERROR),
        ("ls: cannot access '/dev/davinci*': No such file or directory", "docker exec -it x bash", ERROR),
        ("docker: Error response from daemon: unknown or invalid runtime name: ascend.", None, ERROR),
    ],
)
def test_nodes_that_a_container_lacks(log: str, report: str | None, severity: Severity) -> None:
    assert shown(found(ContainerMissingDevices, log, report)) == [("container-missing-devices", severity)]


@pytest.mark.parametrize(
    ("log", "report", "facts"),
    [
        (UNREACHABLE, COMPLETE, {}),
        (UNREACHABLE, None, {}),
        ("ls: cannot access '/dev/davinci*': No such file or directory", None, {"in_container": False}),
        (UNREACHABLE, f"docker run --privileged --device /dev/davinci0 {FILES} image", {}),
        (UNREACHABLE, "docker run --runtime=ascend -e ASCEND_VISIBLE_DEVICES=0 --device /dev/davinci0 image", {}),
        (UNREACHABLE, "docker run --device /dev/davinci0 --device /dev/davinci_manager --device /dev/hisi_hdc image",
         {"chip": "Ascend950PR"}),
    ],
)  # fmt: skip
def test_a_complete_command_line_lacks_no_nodes(log: str, report: str | None, facts: dict[str, Any]) -> None:
    assert found(ContainerMissingDevices, log, report, **facts) == []


@pytest.mark.parametrize(
    ("log", "report", "facts", "severity"),
    [
        ("open /usr/local/Ascend/driver/topo/atlas_350_1.json failed", None, {}, ERROR),
        ("[PID: 3] Communication_Error(EI0014): topology", f"docker run {FILES} image", {"chip": "Ascend950PR"}, ERROR),
        ("DCMIError_LibraryNotFound: Library Not Found", None, {}, ERROR),
        ("failed to mount src: /usr/local/bin/npu-smi.failed to mount dev.", None, {}, ERROR),
        (OCCUPIED, f"docker run --device /dev/davinci0 {NODES} -v /usr/local/Ascend/driver:/usr/local/Ascend/driver i", {},
         ERROR),
        ("hello", f"docker run --device /dev/davinci0 {NODES} -v /usr/local/Ascend/driver:/usr/local/Ascend/driver i", {},
         WARNING),
    ],
)  # fmt: skip
def test_files_that_a_container_lacks(
    log: str, report: str | None, facts: dict[str, Any], severity: Severity
) -> None:
    assert shown(found(ContainerMountsIncomplete, log, report, **facts)) == [
        ("container-mounts-incomplete", severity)
    ]


@pytest.mark.parametrize(
    ("log", "report", "facts"),
    [
        (OCCUPIED, COMPLETE, {}),
        (OCCUPIED, None, {}),
        ("Communication_Error(EI0014): x", "docker run -v /usr/local/Ascend/driver:/usr/local/Ascend/driver i",
         {"chip": "Ascend910B3"}),
    ],
)  # fmt: skip
def test_mounts_are_not_blamed_without_a_sign(log: str, report: str | None, facts: dict[str, Any]) -> None:
    causes = [
        one.cause for one in found(ContainerMountsIncomplete, log, report, **facts) if one.severity is ERROR
    ]

    assert causes == []


@pytest.mark.parametrize(
    ("log", "report", "severity"),
    [
        ("ImportError: libascend_hal.so: cannot open shared object file: No such file or directory",
         f"docker run --device /dev/davinci0 {NODES} -v /data:/data image", ERROR),
        ("npu-smi: error while loading shared libraries: libdrvdsmi_host.so: cannot open shared object file",
         "      mountPath: /usr/local/sbin", ERROR),
        ("hello", f"docker run --device /dev/davinci0 {NODES} -v /data:/data image", WARNING),
    ],
)  # fmt: skip
def test_a_driver_that_is_not_mounted(log: str, report: str, severity: Severity) -> None:
    assert shown(found(DriverNotMounted, log, report)) == [("driver-not-mounted", severity)]


@pytest.mark.parametrize(
    "report",
    [
        COMPLETE,
        "docker run -v /data:/data image",
        "docker run --runtime=ascend -e ASCEND_VISIBLE_DEVICES=0 -v /data:/data --device /dev/davinci0 image",
    ],
)
def test_a_driver_that_is_mounted_or_not_wanted(report: str) -> None:
    assert found(DriverNotMounted, "hello", report) == []


@pytest.mark.parametrize(
    ("log", "report", "confidence"),
    [
        (CONFLICT, None, Confidence.CERTAIN),
        ("uda_occupy_dev_by_ns: Conflict open udevid", None, Confidence.CERTAIN),
        (f"{OCCUPIED}\n{CONFLICT}\nnpu get board type failed. ret is -9005", None, Confidence.POSSIBLE),
        (
            OCCUPIED,
            "ns_id 0 identify 1f root_tgid 4711 dev_num 8 namespace 00000000b5, udev list:",
            Confidence.LIKELY,
        ),
    ],
)
def test_the_driver_names_another_container(log: str, report: str | None, confidence: Confidence) -> None:
    (finding,) = found(ContainerDeviceBusy, log, report)

    assert (finding.cause, finding.confidence) == ("container-device-busy", confidence)


def test_the_owner_of_the_cards_is_named_in_the_fix() -> None:
    (finding,) = found(
        ContainerDeviceBusy, f"{OCCUPIED}\nns_id 0 identify 1f root_tgid 4711 dev_num 8 namespace 0"
    )

    assert "4711" in finding.fix[0].run


def test_a_namespace_table_alone_is_no_conflict() -> None:
    assert found(ContainerDeviceBusy, "ns_id 0 identify 1f root_tgid 4711 dev_num 8 namespace 0000") == []


PRIVILEGED = f"docker run --privileged --device /dev/davinci6 --device /dev/davinci7 {FILES} image"


@pytest.mark.parametrize(
    ("log", "severity"),
    [
        ("hello", WARNING),
        (START, ERROR),
        ("Free memory on device (2.0/64.0 GiB) on startup is less than desired", ERROR),
    ],
)
def test_a_privileged_container_starts_on_foreign_cards(log: str, severity: Severity) -> None:
    assert shown(found(PrivilegedContainerSeesAll, log, PRIVILEGED)) == [
        ("privileged-container-sees-all", severity)
    ]


@pytest.mark.parametrize(
    "log",
    ["容器加了 --privileged，能看到全部 8 张卡", "privileged: true\nthe pod sees every NPU of the node"],
)
def test_a_privileged_container_is_told_to_see_all(log: str) -> None:
    assert shown(found(PrivilegedContainerSeesAll, log)) == [("privileged-container-sees-all", ERROR)]


@pytest.mark.parametrize(
    "report",
    [
        PRIVILEGED.replace("--privileged ", ""),
        f"{PRIVILEGED}\nexport ASCEND_RT_VISIBLE_DEVICES=6,7",
        f"docker run --privileged --device /dev/davinci0 --device /dev/davinci1 {FILES} image",
        "docker run --privileged image",
        "the container lists all 8 cards",
    ],
)
def test_a_privileged_container_that_does_no_harm(report: str) -> None:
    assert found(PrivilegedContainerSeesAll, "hello", report) == []


@pytest.mark.parametrize(
    ("log", "report"),
    [
        (START + "open device 1 failed, runtime result = 507033.", "ASCEND_VISIBLE_DEVICES=4,3"),
        (
            "open device 0 failed, runtime result = 107001.",
            "      ASCEND_VISIBLE_DEVICES:  Ascend910-2,Ascend910-3",
        ),
        (START, "ASCEND_VISIBLE_DEVICES=2-3"),
    ],
)
def test_a_pod_whose_runtime_knows_no_list(log: str, report: str) -> None:
    assert shown(found(RtVisibleDevicesUnsetInPod, log, report)) == [
        ("rt-visible-devices-unset-in-pod", ERROR)
    ]


@pytest.mark.parametrize(
    ("log", "report"),
    [
        ("hello", "ASCEND_VISIBLE_DEVICES=2,3,0,1"),
        (START, "ASCEND_VISIBLE_DEVICES=0,1"),
        (START, "ASCEND_VISIBLE_DEVICES=4,3\nASCEND_RT_VISIBLE_DEVICES=3,4"),
        (START + "open device 3 failed, runtime result = 507033.", "ASCEND_VISIBLE_DEVICES=3,4"),
    ],
)
def test_a_pod_whose_numbers_are_right(log: str, report: str) -> None:
    assert found(RtVisibleDevicesUnsetInPod, log, report) == []


@pytest.mark.parametrize(
    ("log", "confidence"),
    [
        (("failed to get device health: get device (cardID: 0, deviceID: 0) health state failed, ret code: -8010, "
         "health code: 4"), Confidence.LIKELY),
        ("load config failed, error is can not find vnpu config for chip 910B4-1", Confidence.LIKELY),
        ("chip type is not Ascend", Confidence.LIKELY),
        ("get device health failed, error code: -8010", Confidence.POSSIBLE),
        ("0/2 nodes are available: 2 Insufficient huawei.com/Ascend310.", Confidence.POSSIBLE),
    ],
)  # fmt: skip
def test_a_plugin_for_another_product(log: str, confidence: Confidence) -> None:
    (finding,) = found(DevicePluginChipMismatch, log)

    assert (finding.cause, finding.confidence) == ("device-plugin-chip-mismatch", confidence)


@pytest.mark.parametrize("log", ["device Ascend910B3 is healthy on this node", UNREACHABLE])
def test_a_plugin_that_works(log: str) -> None:
    assert found(DevicePluginChipMismatch, log) == []


@pytest.mark.parametrize(
    ("log", "report", "severity"),
    [
        ("Warning  FilteringFailed  hami-scheduler  2 nodes ModeNotFit(node-1,node-2)", None, ERROR),
        ("create vdevice failed, error is: -8255", None, ERROR),
        ("create error, ascend 950 not support virtual device", None, ERROR),
        ("aclmdlExecute failed, errorCode is ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT", None, ERROR),
        ("rtModelExecute error code is 507009", "template vir04", ERROR),
        ("hello", "vnpu of 910B4-1\nhuawei.com/Ascend910B4-1-memory: 16384\ntemplate: vir10_3c_16g", INFO),
    ],
)
def test_a_slice_that_is_set_up_wrongly(log: str, report: str | None, severity: Severity) -> None:
    assert shown(found(VnpuMisconfigured, log, report)) == [("vnpu-misconfigured", severity)]


@pytest.mark.parametrize("log", ["huawei.com/Ascend910: 8", "vNPU documentation", "error code is 507014"])
def test_a_whole_card_is_no_slice(log: str) -> None:
    assert found(VnpuMisconfigured, log) == []


# --- starting, memory, health ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("log", "severity"),
    [
        ("EJ0001: [PID: 3] Failed to initialize the HCCP process.", ERROR),
        (f"root 31 Z 0:00 [VLLM::EngineCor] <defunct>\nVLLM <defunct> EngineCore\n{START}", ERROR),
        ("退出容器后出现僵尸进程残留，占用显存", WARNING),
        ("进程 kill 之后显存没有释放", WARNING),
        ("device memory is not released after the engine exits", WARNING),
    ],
)
def test_a_job_that_left_something(log: str, severity: Severity) -> None:
    assert shown(found(DeviceNotReleased, log)) == [("device-not-released", severity)]


@pytest.mark.parametrize("log", ["zombie apocalypse dataset", "orphaned blocks were removed", START])
def test_a_job_that_left_nothing(log: str) -> None:
    assert found(DeviceNotReleased, log) == []


@pytest.mark.parametrize(
    "log",
    [
        "E30006: 2025-11-19-11:14:58.516.606 Failed to verify the OPP",
        "Inner_Error_Failed_Load_Package_To_Device(E39011): Failed to load the package cann-udf-compat.tar.gz on the device.",
        "[ERROR] TDT [TsdClient][deviceId_=0] handle aicpu package to device failed, ret[4]",
        "Package_Error_Verify_Package(E30009): Failed to verify the signature of package aicpu_kernels.tar.gz on the device.",
        "checksum aicpu package failed",
        "ImportError: libaicpu_scheduler.so: cannot open shared object file: No such file or directory",
        "failed open libaicpu_scheduler.so, deviceId[0], reason[libaicpu_scheduler.so: cannot open shared object file]",
    ],
)
def test_a_package_that_the_device_refuses(log: str) -> None:
    assert shown(found(AicpuPackageLoadFailed, log)) == [("aicpu-package-load-failed", ERROR)]


@pytest.mark.parametrize(
    "log", [START, "[INFO] TDT LoadAICPUPackageForThreadMode Package checkcode is [1324690]"]
)
def test_a_package_that_was_taken(log: str) -> None:
    assert found(AicpuPackageLoadFailed, log) == []


@pytest.mark.parametrize(
    "log",
    [
        "        Device[0] lost heartbeat.[FUNC:SyncTask][FILE:direct_hwts_engine.cc][LINE:407]",
        "wait for compute device to finish failed, runtime result = 507010.[FUNC:ReportCallError]",
        "Inner_Error_Device_Status_Abnormal(E39009): Failed to connect the device.",
        "ACL_ERROR_RT_LOST_HEARTBEAT",
        "[ascend] [ERROR] The device urgent heartbeat is lost! (device=3)",
        "推理过程中NPU设备心跳丢失",
        "训练中出现掉卡",
        "Lost the heartbeat of the device",
    ],
)
def test_a_device_that_fell_silent(log: str) -> None:
    assert shown(found(DeviceLostHeartbeat, log)) == [("device-lost-heartbeat", ERROR)]


@pytest.mark.parametrize("log", ["raylet lost heartbeat of node 3", "error code is 507014", START])
def test_a_device_that_answers(log: str) -> None:
    assert found(DeviceLostHeartbeat, log) == []


@pytest.mark.parametrize(
    ("log", "npus", "severity"),
    [
        ("hello", (npu(0), npu(1, health="Alarm")), WARNING),
        ("hello", (npu(0, health="Warning"),), WARNING),
        ("hello", (npu(7, health="Critical"),), ERROR),
        (START, (npu(0, health="Alarm"),), ERROR),
        (START, (npu(0, health="UNKNOWN"),), ERROR),
    ],
)
def test_a_sick_chip(log: str, npus: tuple[Npu, ...], severity: Severity) -> None:
    assert shown(found(ChipUnhealthy, log, npus=npus)) == [("chip-unhealthy", severity)]


@pytest.mark.parametrize(
    ("log", "severity"),
    [
        ("\tHealth Status                  : Critical", ERROR),
        ("npu 5 的 Health 状态为 Alarm", WARNING),
        ('"npu_health": "Warning"', WARNING),
        (f"{START}\nHealth is Alarm for NPU 3", ERROR),
    ],
)
def test_a_sick_chip_that_only_a_text_names(log: str, severity: Severity) -> None:
    assert shown(found(ChipUnhealthy, log)) == [("chip-unhealthy", severity)]


def test_a_healthy_chip() -> None:
    assert found(ChipUnhealthy, START, npus=(npu(0), npu(1))) == []


@pytest.mark.parametrize(
    ("log", "severity", "confidence"),
    [
        (
            "HBM MULTI BIT ECC, Uncorrectable ECC, device_id=3, event_id=0x80e01801, time us=8.",
            ERROR,
            Confidence.CERTAIN,
        ),
        ("Fault RAS occurs in the system: [event_id:0x80e01809] x", ERROR, Confidence.CERTAIN),
        ("synchronize stream failed, runtime result = 507054", ERROR, Confidence.CERTAIN),
        ("RuntimeError: UCE ERROR", ERROR, Confidence.CERTAIN),
        ("rtStreamSynchronize execution failed, reason=device mem error[FUNC:x]", ERROR, Confidence.LIKELY),
        ("\tHBM Double Bit Isolated Pages Count      : 2", WARNING, Confidence.LIKELY),
    ],
)
def test_memory_that_lost_data(log: str, severity: Severity, confidence: Confidence) -> None:
    (finding,) = found(HbmEcc, log)

    assert (finding.cause, finding.severity, finding.confidence) == ("hbm-ecc", severity, confidence)


@pytest.mark.parametrize(
    "log",
    [
        "\tHBM Double Bit Error Count               : 0",
        "MTE accesses an invalid GM address",
        "error code is 507015",
    ],
)
def test_memory_that_is_well(log: str) -> None:
    assert found(HbmEcc, log) == []


OOM = "RuntimeError: NPU out of memory. Tried to allocate 22.00 MiB (NPU 6; 60.97 GiB total capacity; "


@pytest.mark.parametrize(
    "log",
    [
        "ValueError: Free memory on device (12.1/61.3 GiB) on startup is less than desired GPU memory utilization",
        "Free memory on device npu:1 (0.4/29.5 GiB) on startup is less than desired",
        "The memory capacity is unbalanced. Some GPUs may be occupied by other processes.",
        OOM
        + "10.24 GiB already allocated; 10.24 GiB current active; 19.79 MiB free; 10.65 GiB reserved in total by PyTorch)",
        OOM + "512.00 MiB already allocated; 0 bytes free; 1.20 GiB reserved in total by PyTorch)",
    ],
)
def test_memory_that_somebody_else_holds(log: str) -> None:
    assert shown(found(HbmOccupied, log)) == [("hbm-occupied", ERROR)]


@pytest.mark.parametrize(
    "log",
    [
        OOM + "59.36 GiB already allocated;",
        OOM
        + "55.10 GiB already allocated; 55.10 GiB current active; 1.20 GiB free; 57.00 GiB reserved in total by PyTorch)",
        OOM
        + "20.00 GiB already allocated; 20.00 GiB current active; 38.00 GiB free; 21.00 GiB reserved in total by PyTorch)",
        "hello",
    ],
)
def test_memory_that_the_job_itself_holds(log: str) -> None:
    assert found(HbmOccupied, log, npus=(npu(0, hbm=64000),)) == []


@pytest.mark.parametrize(
    ("log", "cause"),
    [
        ("RuntimeError: Unable to pin host memory with error code: -1", "memlock-limit"),
        ("mlock failed", "memlock-limit"),
        ("max locked memory           (kbytes, -l) 64", "memlock-limit"),
        ("RuntimeError: register ptr failed", "host-pin-memory-limit"),
        ("RuntimeError: Failed to register memory | HCCL Error Code: 19", "host-pin-memory-limit"),
        ("aclrtMallocHost failed, ret: 207001", "host-pin-memory-limit"),
    ],
)
def test_memory_that_cannot_be_pinned(log: str, cause: str) -> None:
    assert shown(found(HostMemoryNotPinned, log))[0] == (cause, ERROR)


@pytest.mark.parametrize(
    "log",
    [
        "max locked memory           (kbytes, -l) unlimited",
        "Unable to halHostRegister: 65534",
        "registered memory ok",
    ],
)
def test_memory_that_was_pinned_or_cannot_be_by_this_driver(log: str) -> None:
    assert found(HostMemoryNotPinned, log) == []


# --- all together ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "check", [check for check in CHECKS if check is not ChipUnhealthy], ids=lambda check: check.id
)
def test_without_a_text_a_check_is_skipped_or_silent(check: type[Check]) -> None:
    outcome = run_check(check)

    assert isinstance(outcome, Skip) or outcome == []


@pytest.mark.parametrize(
    ("log", "report", "cause"),
    [
        (f"{OCCUPIED}\n{CONFLICT}", None, "container-device-busy"),
        (START + "open device 7 failed, runtime result = 507033.\nTsdOpen failed. devId=7, tdt error=31",
         (f"{HEADER}| 7     910B3               | Critical      | 0.0         48                0    / 0             |\n"
         "| 0                         | 0000:01:00.0  | 0           0    / 0          0    / 65536         |"),
         "chip-unhealthy"),
        (START + "E30006: Failed to verify the OPP\nTsdOpen failed. devId=0, tdt error=1", None, "aicpu-package-load-failed"),
        (START + "Inner_Error_Device_Status_Abnormal(E39009): Failed to connect the device.", None, "device-lost-heartbeat"),
        (UNREACHABLE, "docker run --device=/dev/davinci0 --device=/dev/davinci_manager image", "container-missing-devices"),
        (("Execution_Error(EZ2001): aicore error\nFault RAS occurs in the system: [event_id:0x80e01801] Uncorrectable ECC\n"
         "rtStreamSynchronize execution failed, reason=device mem error"), None, "hbm-ecc"),
    ],
)  # fmt: skip
def test_the_root_stands_before_its_consequences(log: str, report: str | None, cause: str) -> None:
    assert causes_of(log, report)[0] == cause


@pytest.mark.parametrize(
    "prefix",
    [
        "[rank0]:",
        "(EngineCore_DP0 pid=4242) ERROR 12-16 01:53:33 [core.py:845]",
        "[1,3]<stderr>:",
        "worker-0 | ",
    ],
)
def test_prefixes_of_launchers_change_nothing(prefix: str) -> None:
    log = "\n".join(f"{prefix} {line}" for line in f"{OCCUPIED}\nGetDeviceCount: drvRetCode=87.".splitlines())

    assert causes_of(log)[0] == "container-device-busy"


@pytest.mark.parametrize(
    ("report", "in_container", "privileged", "complete"),
    [
        (COMPLETE, True, None, True),
        (PRIVILEGED, True, True, True),
        ("hello", None, None, None),
        ("[dev@box ~]$ npu-smi info", None, None, None),
        ("root@3f2a1b4c5d6e:/workspace# npu-smi info", True, None, None),
    ],
)
def test_surroundings_are_read_from_command_lines_and_prompts(
    report: str, in_container: bool | None, privileged: bool | None, complete: bool | None
) -> None:
    place = surroundings(facts_of(report=report))

    assert (place.in_container, place.privileged, place.is_complete) == (in_container, privileged, complete)


def test_surroundings_of_nothing_are_unknown() -> None:
    place = surroundings(HostFacts(environment=MappingProxyType({})))

    assert (place.in_container, place.is_root, place.cards, place.lacking_nodes) == (None, None, (), ())
