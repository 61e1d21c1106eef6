"""The simulated machines by name: healthy ones, and one for each way in which a machine loses its NPUs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.boxes import tables
from tests.boxes.box import OPENEULER, Answer, Box, Cann, Container, Family, Health, Node, Python, User

B3 = Family("910B3", "classic", "0xd802", "ascend910b", 65536)
A3 = Family(
    "Ascend910",
    "a3",
    "0xd803",
    "ascend910_93",
    65536,
    chips=2,
    modules=("drv_pcie_host", "drv_davinci_intf_host", "tc_pcidev", "ascend_uda"),
)
PR950 = Family(
    "Ascend950PR", "950", "0xd806", "ascend950", 131072,
    nodes=("davinci_manager", "hisi_hdc"),
    modules=("asdrv_pbl", "asdrv_svm", "drv_pcie_host", "drv_davinci_intf_host", "ascend_adapter"),
)  # fmt: skip
DT950 = Family(
    "Ascend950DT", "950-wide", None, "ascend950", 86016,
    nodes=("davinci_manager", "hisi_hdc", "uburma/udma0", "ummu/ummu0"),
    modules=("asdrv_pbl", "asdrv_svm", "asdrv_ub", "ubdevshm", "drv_davinci_intf_host"),
)  # fmt: skip

COMPILER = dict.fromkeys(
    (
        "attrs",
        "cython",
        "decorator",
        "pathlib2",
        "cloudpickle",
        "psutil",
        "sympy",
        "protobuf",
        "requests",
        "absl-py",
        "tornado",
        "cffi",
    ),
    "1.0",
)


def packages(torch: str, torch_npu: str) -> dict[str, str]:
    """A whole listing of a working Python."""
    return {
        **COMPILER,
        "numpy": "1.26.4",
        "scipy": "1.13.1",
        "pyyaml": "6.0.2",
        "torch": torch,
        "torch-npu": torch_npu,
    }


HEALTHY_910B = Box(
    B3,
    Python("3.10.14", packages("2.6.0", "2.6.0")),
    cann=(Cann("8.2.RC1"),),
)
HEALTHY_A3 = Box(
    A3,
    Python("3.11.10", packages("2.9.0", "2.9.0")),
    driver="25.5.1",
    firmware="7.8.0.6.201",
    cann=(
        Cann(
            "8.5.0",
            component="8.5.0.2.220",
            requires="8.5",
            ops_component="8.5.0.2.220",
            kernels=("ascend910_93",),
        ),
    ),
)
HEALTHY_950PR = Box(
    PR950,
    Python("3.11.10", packages("2.11.0+cpu", "2.11.0")),
    driver="25.7.rc1.6",
    firmware="9.0.0.105.229",
    accepts_firmware="[9.0.0,9.9.9]",
    cann=(Cann("9.1.0", component="9.1.0", requires="9.1", ops_component="9.1.0", kernels=("ascend950",)),),
    os=OPENEULER,
    kernel="6.6.0-98.0.0.103.oe2403sp2.aarch64",
    modules_for=("6.6.0-98.0.0.103.oe2403sp2.aarch64",),
    dkms=False,
)
HEALTHY_950DT = replace(HEALTHY_950PR, family=DT950)
HEALTHY_CONTAINER = replace(HEALTHY_910B, container=Container(), modules_for=None)
HEALTHY_USER = replace(HEALTHY_910B, user=User("dev", 1001, ("dev", "HwHiAiUser")))
HEALTHY_BARE = replace(HEALTHY_910B, cann=(), sourced=(), python=Python("3.10.14", {"pip": "24.0"}))

OLD_8_1 = Cann("8.1.RC1", component="7.7.0.1.238", requires="7.7", ops_component="7.7.0.1.238", current=False)
HEALTHY_SIDE_BY_SIDE = replace(HEALTHY_910B, cann=(Cann("8.2.RC1"), OLD_8_1))
HEALTHY_NEW_SIDE_BY_SIDE = replace(
    HEALTHY_A3,
    cann=(
        *HEALTHY_A3.cann,
        Cann("9.0.0", component="9.0.0", requires="9.0", ops_component="9.0.0", current=False),
    ),
)
OLD_CONFLICT = (
    "[    9.120000] [ascend] [uda] [ERROR] [uda_occupy_dev_by_ns 932] <npu-smi:41:41:3> Conflict open udevid. "
    "(udevid=0; access_ns=00000000a1; ns=00000000b2)"
)
HEALTHY_WITH_OLD_NEWS = replace(HEALTHY_910B, kernel_log=(OLD_CONFLICT,))
HEALTHY_HOT_RESET = replace(HEALTHY_910B, installed_days_ago=1)
OLD_DRIVER = replace(HEALTHY_A3, driver="24.1.rc3", firmware="7.5.0.1.129", accepts_firmware="[7.0.0,7.9.9]")
LAPTOP = replace(
    HEALTHY_910B, on_bus=False, driver=None, nodes=None, loaded=False, modules_for=None, cann=(), sourced=(),
    python=Python("3.12.3", {"pip": "24.0", "numpy": "2.1.0"}),
)  # fmt: skip

HEALTHY = {
    "910B": HEALTHY_910B,
    "A3": HEALTHY_A3,
    "950PR": HEALTHY_950PR,
    "950DT on the unified bus": HEALTHY_950DT,
    "container": HEALTHY_CONTAINER,
    "ordinary user in the group": HEALTHY_USER,
    "driver only": HEALTHY_BARE,
    "two toolkits side by side": HEALTHY_SIDE_BY_SIDE,
    "two new toolkits side by side": HEALTHY_NEW_SIDE_BY_SIDE,
    "a conflict long ago": HEALTHY_WITH_OLD_NEWS,
    "driver changed since the start, and running": HEALTHY_HOT_RESET,
}


@dataclass(frozen=True)
class Broken:
    """A machine with one fault, the check that must name it, and the cause."""

    box: Box
    check: str
    cause: str


UNREACHABLE = Answer(tables.UNREACHABLE, 187)
IN_USE = Answer(tables.IN_USE, 172)
OTHER_KERNEL = "5.15.0-130-generic"
CONTAINER_ID = "4f1d" * 16
CONFLICT = (
    "[863990.120000] [ascend] [uda] [ERROR] [uda_occupy_dev_by_ns 932] <python:2411:2411:3> Conflict open udevid. "
    "(udevid=0; access_ns=00000000a1; ns=00000000b2)"
)
UNSIGNED = "[12.300000] Lockdown: modprobe: unsigned module loading is restricted; see man kernel_lockdown.7"
SANDBOX = {"NoNewPrivs": "1", "Seccomp": "2", "uid_map": "      1000       1000          1"}
HIDDEN_TORCH = "_ZNK3c1010TensorImpl20is_contiguous_customENS_12MemoryFormatE"
TORCH_NPU = "/usr/local/python3.10.14/lib/python3/site-packages/torch_npu"


def missing(*names: str, needed_by: str = f"{TORCH_NPU}/lib/libtorch_npu.so") -> dict[str, object]:
    """The loader's verdict where libraries are found nowhere."""
    return {
        "missing_libraries": [{"name": name, "needed_by": needed_by} for name in names],
        "missing_symbols": [],
    }


def undefined(*symbols: str, needed_by: str = f"{TORCH_NPU}/lib/libtorch_npu.so") -> dict[str, object]:
    """The loader's verdict where symbols are defined nowhere."""
    return {
        "missing_libraries": [],
        "missing_symbols": [{"symbol": one, "needed_by": needed_by} for one in symbols],
    }


CANN_LIBRARIES = ("libhccl.so", "libascendcl.so", "libacl_op_compiler.so", "libge_runner.so", "libgraph.so")
B = HEALTHY_910B

BROKEN = {
    "no hardware": Broken(replace(B, on_bus=False, nodes=None, npu_smi=UNREACHABLE), "DRV021", "no-hardware"),
    "no hardware in a virtual machine": Broken(
        replace(B, on_bus=False, nodes=None, virtual="KVM Virtual Machine", npu_smi=UNREACHABLE),
        "DRV021",
        "no-hardware",
    ),
    "no hardware, no driver, but torch_npu": Broken(
        replace(
            B,
            on_bus=False,
            driver=None,
            nodes=None,
            loaded=False,
            modules_for=None,
            symbols=missing(
                "libascend_hal.so", needed_by="/usr/local/Ascend/ascend-toolkit/latest/lib64/libruntime.so"
            ),
        ),
        "DRV021",
        "no-hardware",
    ),
    "no driver": Broken(
        replace(B, driver=None, nodes=None, loaded=False, modules_for=None), "DRV001", "driver-missing"
    ),
    "no driver, and the loader says so": Broken(
        replace(
            B,
            driver=None,
            nodes=None,
            loaded=False,
            modules_for=None,
            symbols=missing(
                "libascend_hal.so", needed_by="/usr/local/Ascend/ascend-toolkit/latest/lib64/libruntime.so"
            ),
        ),
        "DRV001",
        "driver-missing",
    ),
    "kernel changed": Broken(
        replace(B, kernel=OTHER_KERNEL, loaded=False, nodes=None, npu_smi=UNREACHABLE),
        "DRV004",
        "driver-kernel-incompatible",
    ),
    "kernel changed, headers absent": Broken(
        replace(B, kernel=OTHER_KERNEL, loaded=False, nodes=None, headers=False, npu_smi=UNREACHABLE),
        "DRV004",
        "kernel-headers-missing",
    ),
    "vermagic differs": Broken(
        replace(B, vermagic="5.15.0-105-generic", loaded=False, nodes=None, npu_smi=UNREACHABLE),
        "DRV004",
        "driver-kernel-incompatible",
    ),
    "secure boot": Broken(
        replace(B, secure_boot=True, loaded=False, nodes=None, kernel_log=(UNSIGNED,), npu_smi=UNREACHABLE),
        "DRV004",
        "driver-module-unsigned",
    ),
    "module not loaded": Broken(
        replace(B, loaded=False, nodes=None, npu_smi=UNREACHABLE), "DRV002", "driver-not-loaded"
    ),
    "reboot pending": Broken(
        replace(B, installed_days_ago=1, npu_smi=UNREACHABLE), "DRV003", "reboot-needed-after-upgrade"
    ),
    "firmware waits for the reboot": Broken(
        replace(B, firmware="7.7.0.6.236", firmware_running="7.5.0.1.129", installed_days_ago=1),
        "DRV003",
        "reboot-needed-after-upgrade",
    ),
    "nodes missing": Broken(replace(B, nodes=None, npu_smi=UNREACHABLE), "DEV022", "device-nodes-missing"),
    "not in the group": Broken(
        replace(B, user=User("dev", 1001, ("dev",)), nodes=Node(refused="EACCES"), npu_smi=UNREACHABLE),
        "DEV004",
        "dev-node-permission",
    ),
    "container without nodes": Broken(
        replace(HEALTHY_CONTAINER, container=Container(cards=(), managers=False), npu_smi=UNREACHABLE),
        "DEV007",
        "container-missing-devices",
    ),
    "container without the managers": Broken(
        replace(HEALTHY_CONTAINER, container=Container(managers=False), npu_smi=UNREACHABLE),
        "DEV007",
        "container-missing-devices",
    ),
    "container whose filter forbids the nodes": Broken(
        replace(HEALTHY_CONTAINER, nodes=Node(mode=0o666, refused="EPERM"), npu_smi=UNREACHABLE),
        "DEV007",
        "container-missing-devices",
    ),
    "container without the driver": Broken(
        replace(
            HEALTHY_CONTAINER,
            container=Container(driver=False, files=False),
            symbols=missing(
                "libascend_hal.so", needed_by="/usr/local/Ascend/ascend-toolkit/latest/lib64/libruntime.so"
            ),
        ),
        "DEV009",
        "driver-not-mounted",
    ),
    "container without the driver's files": Broken(
        replace(HEALTHY_CONTAINER, container=Container(files=False)), "DEV008", "container-mounts-incomplete"
    ),
    "held by another container": Broken(
        replace(HEALTHY_CONTAINER, npu_smi=IN_USE, owner=2679173), "DEV010", "container-device-busy"
    ),
    "held by another container, as the kernel tells": Broken(
        replace(HEALTHY_CONTAINER, npu_smi=IN_USE, kernel_log=(CONFLICT,)), "DEV010", "container-device-busy"
    ),
    "held by another container, seen from the host": Broken(
        replace(B, kernel_log=(CONFLICT,), owner=2679173, holders=((2679200, "python", CONTAINER_ID),)),
        "DEV010",
        "container-device-busy",
    ),
    "sandbox": Broken(
        replace(
            B,
            nodes=Node(mode=0o666, refused="EPERM"),
            confined=SANDBOX,
            above=("bwrap", "codex", "bash"),
            npu_smi=UNREACHABLE,
        ),
        "DEV006",
        "sandbox-blocks-devices",
    ),
    "sandbox that hides the nodes": Broken(
        replace(B, nodes=None, confined=SANDBOX, above=("bwrap", "bash"), npu_smi=UNREACHABLE),
        "DEV006",
        "sandbox-blocks-devices",
    ),
    "visible devices empty": Broken(
        replace(B, environ={"ASCEND_RT_VISIBLE_DEVICES": ""}), "VIS002", "visible-devices-empty"
    ),
    "visible devices out of range": Broken(
        replace(B, environ={"ASCEND_RT_VISIBLE_DEVICES": "8,9"}), "VIS003", "visible-devices-out-of-range"
    ),
    "visible devices of the host in a container": Broken(
        replace(
            HEALTHY_CONTAINER, container=Container(cards=(4, 5)), environ={"ASCEND_RT_VISIBLE_DEVICES": "4,5"}
        ),
        "VIS003",
        "visible-devices-out-of-range",
    ),
    "visible devices not ascending": Broken(
        replace(B, environ={"ASCEND_RT_VISIBLE_DEVICES": "3,1"}), "VIS004", "visible-devices-not-ascending"
    ),
    "driver too old": Broken(
        replace(
            B,
            driver="24.1.rc3",
            firmware="7.5.0.1.129",
            accepts_firmware="[7.0.0,7.9.9]",
            symbols=undefined(
                "halMemGetAllocationGranularity",
                needed_by="/usr/local/Ascend/ascend-toolkit/latest/lib64/libruntime.so",
            ),
        ),
        "DRV008",
        "driver-too-old-for-cann",
    ),
    "CANN not sourced": Broken(
        replace(B, sourced=(), symbols=missing(*CANN_LIBRARIES)), "CAN001", "cann-env-not-sourced"
    ),
    "CANN missing": Broken(
        replace(B, cann=(), sourced=(), symbols=missing(*CANN_LIBRARIES)), "CAN001", "cann-missing"
    ),
    "CANN mixed": Broken(
        replace(
            B,
            cann=(
                Cann("8.2.RC1"),
                Cann(
                    "8.1.RC1",
                    base="/home/dev/Ascend",
                    component="7.7.0.1.238",
                    requires="7.7",
                    ops_component="7.7.0.1.238",
                ),
            ),
            sourced=(1, 0),
            symbols={
                "missing_libraries": [],
                "missing_symbols": [],
                "libraries": [
                    {
                        "name": "libascendcl.so",
                        "path": "/usr/local/Ascend/ascend-toolkit/latest/lib64/libascendcl.so",
                        "needed_by": "x",
                        "how": "LD_LIBRARY_PATH",
                    },
                    {
                        "name": "libplugin.so",
                        "path": "/home/dev/Ascend/ascend-toolkit/latest/lib64/plugin/libplugin.so",
                        "needed_by": "x",
                        "how": "LD_LIBRARY_PATH",
                    },
                ],
            },
        ),
        "CAN017",
        "cann-versions-mixed",
    ),
    "CANN mixed in a running process": Broken(
        replace(
            B,
            mapped=(
                "/usr/local/Ascend/ascend-toolkit/8.2.RC1/aarch64-linux/lib64/libascendcl.so",
                "/home/dev/Ascend/ascend-toolkit/8.1.RC1/aarch64-linux/lib64/libruntime.so",
            ),
        ),
        "CAN017",
        "cann-versions-mixed",
    ),
    "operators of another release": Broken(
        replace(B, cann=(Cann("8.2.RC1", ops="8.1.RC1", ops_component="7.7.0.1.238"),)),
        "CAN021",
        "cann-versions-mixed",
    ),
    "operators of another chip": Broken(
        replace(B, cann=(Cann("8.2.RC1", kernels=("ascend910_93",)),)), "CAN010", "cann-kernels-wrong-chip"
    ),
    "no operators": Broken(
        replace(B, cann=(Cann("8.2.RC1", ops=None, kernels=()),)), "CAN010", "cann-kernels-missing"
    ),
    "CANN's Python packages missing": Broken(
        replace(
            B,
            python=Python(
                "3.10.14", {"torch": "2.6.0", "torch-npu": "2.6.0", "numpy": "1.26.4", "pyyaml": "6.0.2"}
            ),
        ),
        "CAN005",
        "cann-python-deps-missing",
    ),
    "torch of another release": Broken(
        replace(B, python=Python("3.10.14", packages("2.7.1", "2.6.0")), symbols=undefined(HIDDEN_TORCH)),
        "TOR001",
        "torch-npu-torch-mismatch",
    ),
    "torch_npu missing": Broken(
        replace(B, python=Python("3.10.14", {**COMPILER, "torch": "2.6.0", "numpy": "1.26.4"})),
        "TOR006",
        "torch-npu-missing",
    ),
    "torch_npu of two versions": Broken(
        replace(
            B, python=Python("3.10.14", packages("2.6.0", "2.6.0"), built_as={"torch_npu": "2.5.1.post1"})
        ),
        "TOR007",
        "torch-npu-broken-install",
    ),
    "torch_npu half installed": Broken(
        replace(
            B,
            python=Python(
                "3.10.14", {**COMPILER, "numpy": "1.26.4"}, leftovers=("~orch_npu-2.6.0.dist-info",)
            ),
        ),
        "TOR007",
        "torch-npu-broken-install",
    ),
    "a folder that hides torch_npu": Broken(
        replace(B, python=Python("3.10.14", packages("2.6.0", "2.6.0"), shadows=("torch_npu",))),
        "TOR005",
        "import-from-source-dir",
    ),
    "two accelerators for torch": Broken(
        replace(
            B,
            python=Python(
                "3.10.14",
                {**packages("2.6.0", "2.6.0"), "torch-mlu": "1.24"},
                backends=("torch-npu", "torch-mlu"),
            ),
        ),
        "TOR010",
        "backend-autoload-conflict",
    ),
    "chip unknown to this CANN": Broken(
        replace(
            HEALTHY_950PR,
            cann=(
                Cann(
                    "8.5.0",
                    component="8.5.0.2.220",
                    requires="8.5",
                    ops_component="8.5.0.2.220",
                    kernels=("ascend910b",),
                    platforms=("Ascend910B3.ini", "Ascend910_9391.ini"),
                ),
            ),
            python=Python("3.11.10", packages("2.9.0", "2.9.0")),
        ),
        "CHP004",
        "chip-needs-newer-release",
    ),
    "firmware not updated": Broken(
        replace(B, firmware="6.4.12.1.241", accepts_firmware="[7.0.0,8.9.9]", npu_smi=UNREACHABLE),
        "DRV009",
        "driver-firmware-mismatch",
    ),
    "sick card": Broken(
        replace(B, health=(Health(3, "Critical", "80C98000", "node type=SoC, sensor type=TS"),)),
        "DEV018",
        "chip-unhealthy",
    ),
    "card with a memory fault": Broken(
        replace(B, health=(Health(3, "Alarm", "80E01801", "node type=SoC, sensor type=HBM, multi bit ecc"),)),
        "DEV019",
        "hbm-ecc",
    ),
    "npu-smi hangs": Broken(replace(B, npu_smi=Answer(hangs=True)), "DEV023", "driver-fault-state"),
}
