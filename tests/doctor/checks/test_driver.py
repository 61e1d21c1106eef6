"""The checks of the driver: what they name first, where they stay silent, and when they are skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.doctor.helpers import causes_of, diagnose_text, run_check

from ascendenv.doctor.checks.driver.device_not_booted import DeviceNotBooted
from ascendenv.doctor.checks.driver.driver_library_missing import DriverLibraryMissing
from ascendenv.doctor.checks.driver.driver_not_loaded import DriverNotLoaded
from ascendenv.doctor.checks.driver.driver_too_old import DriverTooOld
from ascendenv.doctor.checks.driver.firmware_mismatch import FirmwareMismatch
from ascendenv.doctor.checks.driver.firmware_not_written import FirmwareNotWritten
from ascendenv.doctor.checks.driver.install_conflict import InstallConflict
from ascendenv.doctor.checks.driver.install_devices_busy import InstallDevicesBusy
from ascendenv.doctor.checks.driver.install_incomplete import InstallIncomplete
from ascendenv.doctor.checks.driver.install_user_missing import InstallUserMissing
from ascendenv.doctor.checks.driver.installer_needs_root import InstallerNeedsRoot
from ascendenv.doctor.checks.driver.installer_no_space import InstallerNoSpace
from ascendenv.doctor.checks.driver.installer_tools_missing import InstallerToolsMissing
from ascendenv.doctor.checks.driver.kernel_modules_unfit import KernelModulesUnfit
from ascendenv.doctor.checks.driver.os_unsupported import OsUnsupported
from ascendenv.doctor.checks.driver.package_too_old_for_board import PackageTooOldForBoard
from ascendenv.doctor.checks.driver.package_unreadable import PackageUnreadable
from ascendenv.doctor.checks.driver.reboot_pending import RebootPending
from ascendenv.doctor.checks.driver.run_install_pip_missing import RunInstallPipMissing
from ascendenv.doctor.checks.driver.wrong_arch_package import WrongArchPackage
from ascendenv.doctor.finding import Confidence, Severity, Skip
from ascendenv.facts.model import DeviceNode, DriverInfo, KernelState, OsRelease, PciFunction
from ascendenv.versions import vendor

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check
    from ascendenv.doctor.finding import Finding

HAL = "ImportError: libascend_hal.so: cannot open shared object file: No such file or directory"
AUTOLOAD = "RuntimeError: Failed to load the backend extension: torch_npu. You can disable extension auto-loading with TORCH_DEVICE_BACKEND_AUTOLOAD=0."
UNREACHABLE = "DrvMngGetConsoleLogLevel failed. (ret=4)\ndcmi module initialize failed. ret is -8005"
DKMS = "[ERROR]Dkms install failed, details in : var/log/ascend_seclog/ascend_install.log. "
REPLAY = "RuntimeError: NPU function error: c10_npu::acl::AclmdlRIExecuteAsync(model_ri_, c10_npu::getCurrentNPUStream()), error code is 507000"
AICORE = (
    "RuntimeError: ACL stream synchronize failed, error code:507014\n[Error]: The aicore execution times out."
)
CARDS = (PciFunction("0000:c1:00.0", "0xd802", virtual=False),)
QUIET = "all is well"
NO_CARDS = (PciFunction("0000:7d:00.0", "0xa222", virtual=False),)


def card(driver: str, name: str = "910B3") -> str:
    return (
        "+------------------------------------------------------------------------------------------------+\n"
        f"| npu-smi {driver:<16}         Version: {driver:<46}      |\n"
        "+---------------------------+---------------+----------------------------------------------------+\n"
        "| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|\n"
        "| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |\n"
        "+===========================+===============+====================================================+\n"
        f"| 0     {name:<19} | OK            | 95.4        41                0    / 0             |\n"
        "| 0                         | 0000:C1:00.0  | 0           0    / 0          3396 / 65536         |\n"
        "+===========================+===============+====================================================+\n"
    )


def toolkit(version: str) -> str:
    return (
        f"CANN:\npackage_name=Ascend-cann-toolkit\nversion={version}\narch=aarch64\nos=linux\n"
        f"path=/usr/local/Ascend/ascend-toolkit/{version}/aarch64-linux\n"
    )


def found(
    check: type[Check], log: str | None = None, report: str | None = None, **facts: Any
) -> list[Finding]:
    outcome = run_check(check, log, report, **facts)
    assert not isinstance(outcome, Skip), outcome.reason.text()
    return outcome


FIRST = [
    # --- a library of the driver
    ("autoload", f"{HAL}\n{AUTOLOAD}", None, "driver-missing"),
    ("cut", "ImportError: libascend_hal.so: cannot open...", None, "driver-missing"),
    ("pod", HAL, "huawei.com/Ascend910: 8\nkubectl exec -it pod-1 -- bash", "driver-not-mounted"),
    ("no tool", f"bash: npu-smi: command not found\n{HAL}", None, "driver-missing"),
    ("no tool, Chinese", f"bash: npu-smi：未找到命令\n{HAL}", None, "driver-missing"),
    ("no folder", f"ls: cannot access '/usr/local/Ascend/driver': No such file or directory\n{HAL}", None, "driver-missing"),
    ("bare run", f"docker run -it --device /dev/davinci0 --device /dev/davinci_manager -v /data:/data ubuntu bash\n{HAL}", None, "driver-not-mounted"),
    ("the tool itself", "npu-smi: error while loading shared libraries: libc_sec.so: cannot open shared object file: No such file or directory", None, "driver-libs-not-on-path"),
    ("the tool, dcmi", "npu-smi: error while loading shared libraries: libdcmi.so: cannot open shared object file", None, "driver-libs-not-on-path"),
    ("the tool by its path", "/usr/local/bin/npu-smi: error while loading shared libraries: libmmpa.so: cannot open shared object file", None, "driver-libs-not-on-path"),
    ("the other tool", "hccn_tool: error while loading shared libraries: libascend_hal.so: cannot open shared object file", None, "driver-libs-not-on-path"),
    ("a card table beside", HAL, card("25.2.0") + toolkit("8.2.RC1"), "driver-libs-not-on-path"),
    ("link", "/usr/bin/ld: cannot find -lascend_hal: No such file or directory\ncollect2: error: ld returned 1 exit status", None, "driver-absent-at-build-time"),
    ("symbols at link time", "ld: libruntime.so: undefined reference to `drvHdcEpollCtl'\nld: libruntime.so: undefined reference to `halGetDeviceInfo'", None, "driver-absent-at-build-time"),
    ("link, needed by", "/usr/bin/ld: warning: libascend_hal.so, needed by /usr/local/Ascend/ascend-toolkit/latest/lib64/libruntime.so, not found (try using -rpath or -rpath-link)", None, "driver-absent-at-build-time"),
    ("image build", f'#12 3.2 {HAL}\nERROR: failed to solve: process "/bin/sh -c pip install -e ." did not complete successfully: exit code: 1', None, "driver-absent-at-build-time"),
    ("image build, old docker", f"Step 12/20 : RUN python3 -c 'import torch_npu'\n ---> Running in 3fa5e1\n{HAL}", None, "driver-absent-at-build-time"),
    ("configure", "Could NOT find ascend_hal (missing: ASCEND_HAL_LIBRARY)", None, "driver-absent-at-build-time"),
    ("model converter", "atc: error while loading shared libraries: libascend_hal.so: cannot open shared object file: No such file or directory", None, "driver-absent-at-build-time"),
    ("told", '{"npu_devices": 0, "driver_libs": false}', None, "driver-missing"),
    ("told, mount", f"the driver is not mounted into the container\n{HAL}", None, "driver-not-mounted"),
    ("told, Chinese", f"容器没有挂载驱动\n{HAL}", None, "driver-not-mounted"),
    # --- modules and kernel
    ("headers absent", f"[Driver] [WARNING]linux headers is currently not installed.\n{DKMS}", None, "kernel-headers-missing"),
    ("dkms words", "Error! Your kernel headers for kernel 6.8.0-52-generic cannot be found at /lib/modules/6.8.0-52-generic/build or /lib/modules/6.8.0-52-generic/source.", None, "kernel-headers-missing"),
    ("make stops", f"make[1]: *** /lib/modules/5.10.0-136.12.0.86.oe2203sp1.aarch64/build: No such file or directory.  Stop.\n{DKMS}", None, "kernel-headers-missing"),
    ("Chinese ls", f"ls: 无法访问 '/lib/modules/5.10.0-216.0.0.115.oe2203sp4.aarch64/build': 没有那个文件或目录\n{DKMS}", None, "kernel-headers-missing"),
    ("dkms failed only", DKMS, None, "kernel-headers-missing"),
    ("not on the mirror", "E: Unable to locate package linux-headers-5.15.0-119-generic", None, "kernel-headers-missing"),
    ("not on the mirror, dnf", "No match for argument: kernel-devel-5.10.0-216.0.0.115.oe2203sp4.aarch64", None, "kernel-headers-missing"),
    ("sources do not compile", '/var/lib/dkms/davinci_ascend/1.0/build/ts_agent/ts_agent_dvpp.c:40:9: error: "MAX" redefined [-Werror]', None, "driver-kernel-incompatible"),
    ("sources do not compile, Chinese", '/var/lib/dkms/davinci_ascend/1.0/build/a.c:11: 错误："ALIGN_DOWN"重定义 [-Werror]', None, "driver-kernel-incompatible"),
    ("vermagic", "[Driver] [ERROR]current kernel primary version(5.4.0-125-generic) is different from the driver(6.8.0-31-generic).\n[Driver] [ERROR]driver vermagic check failed.", None, "driver-kernel-incompatible"),
    ("module format", "insmod: ERROR: could not insert module drv_pcie_hdc_host.ko: Invalid module format", None, "driver-kernel-incompatible"),
    ("symbols of the kernel", f"[   12.3] drv_vascend: Unknown symbol mdev_register_device (err -2)\n{UNREACHABLE}", None, "driver-kernel-incompatible"),
    ("kernel was upgraded", f"modprobe: FATAL: Module drv_pcie_host not found in directory /lib/modules/5.15.0-122-generic\n{UNREACHABLE}", None, "driver-kernel-incompatible"),
    ("kernel was upgraded, Chinese", f"内核升级后 npu-smi info 无法使用\n{UNREACHABLE}", None, "driver-kernel-incompatible"),
    ("secure boot", "modprobe: ERROR: could not insert 'drv_pcie_host': Key was rejected by service", None, "driver-module-unsigned"),
    ("no dkms", "[Driver] [WARNING]The program 'dkms' is currently not installed.\n[ERROR]Drv_dkms_env_check failed, details in : /var/log/ascend_seclog/ascend_install.log", None, "driver-install-tools-missing"),
    ("no compiler", f"bash: gcc: command not found\nbash: make: command not found\n{DKMS}", None, "driver-install-tools-missing"),
    # --- the installer
    ("tools", "[Driver] [2024-06-11 10:02:33] [ERROR]The list of missing tools: lspci,ifconfig,", None, "driver-install-tools-missing"),
    ("tools, wide colon", "[ERROR]The list of missing tools：update-rc.d,modinfo,", None, "driver-install-tools-missing"),
    ("tools, Chinese", "驱动安装失败，缺少工具 ifconfig", None, "driver-install-tools-missing"),
    ("tar", "Uncompressing ASCEND DRIVER RUN PACKAGE\nbash: tar: command not found\nExtraction failed.", None, "driver-install-tools-missing"),
    ("account", "[ERROR]ERR_NO:0x0091;ERR_DES:HwHiAiUser not exists! Please add HwHiAiUser", None, "driver-user-missing"),
    ("account, chown", "chown: invalid user: ‘HwHiAiUser:HwHiAiUser’", None, "driver-user-missing"),
    ("account, Chinese", "id: HwHiAiUser：无此用户", None, "driver-user-missing"),
    ("other account", "[ERROR]ERR_NO:0x0091;ERR_DES:npuadmin not exists! Please add npuadmin", None, "driver-user-missing"),
    ("last installation", "[ERROR]ERR_NO:0x0095;ERR_DES:The user and group are not same with last installation,do not support overwriting installation", None, "driver-install-conflict"),
    ("account is root", "[ERROR]ERR_NO:0x0091;ERR_DES:username not permission for root, check /etc/ascend_install.info", None, "driver-install-conflict"),
    ("runs twice", "[ERROR]ERR_NO:0x0094;ERR_DES:There is already a process being executed,please do not execute multiple tasks at the same time", None, "driver-install-conflict"),
    ("all in one", "[ERROR]ERR_NO:0x0094;ERR_DES:Operation failed, An all-in-one RUN package is found, which needs to be uninstalled before proceeding.", None, "driver-install-conflict"),
    ("no root", "[ERROR]ERR_NO:0x0093;ERR_DES:do not have root permission, operation failed, please use root permission!", None, "installer-needs-root"),
    ("space", "[ERROR]free space only 120M, cannot install driver package (greater than 300M), please make sure enough space under the installation path", None, "installer-no-space"),
    ("space to unpack", "Not enough space left in /tmp (1048576 KB) to decompress ./Ascend-cann-toolkit_8.2.RC1_linux-x86_64.run (4718592 KB)", None, "installer-no-space"),
    ("checksum", "Error in SHA256 checksums: 0a is different from 0b", None, "installer-package-corrupt"),
    ("cut download", "gzip: stdin: unexpected end of file\nExtraction failed.", None, "installer-package-corrupt"),
    ("signature", "[Driver] [ERROR]PSS signature verification failed, stop install", None, "installer-signature-refused"),
    ("architecture", "[OpsNN] [ERROR]: ERR_NO:0x0001;ERR_DES:the architecture of the run package arch:aarch64  is inconsistent with that of the current environment x86_64. ", None, "wrong-arch-package"),
    ("architecture, driver", "[Driver] [ERROR]Arch mismatch, src package is aarch64, cur os is x86_64 ", None, "wrong-arch-package"),
    ("architecture, shell", "bash: ./Ascend-hdk-910b-npu-driver_25.5.0_linux-aarch64.run: cannot execute binary file: Exec format error", None, "wrong-arch-package"),
    ("architecture, shell, Chinese", "bash: ./Ascend-cann-toolkit_8.2.RC1_linux-aarch64.run: 无法执行二进制文件: 可执行文件格式错误", None, "wrong-arch-package"),
    ("architecture, told", "安装包架构与当前环境不一致", None, "wrong-arch-package"),
    ("system", "[Server] [ERROR]os(Deepin) not support", None, "os-unsupported"),
    ("system, Chinese", "驱动安装失败: 操作系统版本不支持", None, "os-unsupported"),
    ("package and machine", "[ERROR]The current installation package and environment is not match, please check.", None, "os-unsupported"),
    ("other chip", "[Driver] [WARNING]There is no chip matching the driver package.\n[ERROR]The current installation package and environment is not match, please check.", None, "driver-package-wrong-chip"),
    ("board", "[Driver] [ERROR]Version check does not match, please use 24.1.rc2.2 or later.", None, "driver-package-too-old-for-board"),
    ("firmware asked", "[WARNING]driver required firmware version not match ,do you want to continue?  [y/n] ", None, "driver-firmware-mismatch"),
    ("firmware told", "npu-smi info 报错: 驱动版本与固件版本不匹配", None, "driver-firmware-mismatch"),
    ("firmware too old", "the firmware version is too old for this driver", None, "driver-firmware-mismatch"),
    ("firmware not written", "[Firmware] [ERROR]pcie device is missing, please make sure that the firmware package is correct, or cold reset may fix it.", None, "firmware-install-failed"),
    ("busy", "[ERROR]The davinci nodes are occupied by some processes, please stop processes and install or uninstall again", None, "driver-install-devices-busy"),
    ("busy container", "[WARNING]/dev/davinci_manager has used by docker\n[ERROR]The davinci nodes are occupied by some processes, please stop processes and install or uninstall again", None, "container-device-busy"),
    ("pip", "[Compiler] [WARNING]: install /tmp/selfgz/compiler/lib64/te-0.4.0-py3-none-any.whl failed, error code: 127.", None, "run-install-pip-missing"),
    ("pip not found", "[Opp] [WARNING]: pip3 is not found.\n[Toolkit] install failed", None, "run-install-pip-missing"),
    ("pip, older installer", "[Toolkit] [ERROR] pip3 install te-0.4.0-py3-none-any.whl failed, please check", None, "run-install-pip-missing"),
    ("stopped", "[Driver] [INFO]Failed to install driver package, please retry after uninstall and reboot!", None, "driver-install-incomplete"),
    # --- reboot and cards
    ("upgraded, Chinese", f"升级驱动后 npu-smi info 报错\n{UNREACHABLE}", None, "reboot-needed-after-upgrade"),
    ("reboot announced", f"[Driver] [INFO]Driver package installed successfully! Reboot needed for installation/upgrade to take effect! \n$ npu-smi info\n{UNREACHABLE}", None, "reboot-needed-after-upgrade"),
    ("card does not boot", "[ascend] [ERROR] [drv_pcie] [devdrv_load_device 1242] <kworker/0:3:224:224> Device os load failed. (dev_id=3; ret=-110)", None, "driver-fault-state"),
    # --- age
    ("torch_npu says so", "[W compiler_depend.ts:207] Warning: AclrtGetDeviceInfo failed to get total global memory, error code is 507899. The possible cause is that the driver version is too old or does not match CANN.", None, "driver-too-old-for-cann"),
    ("host memory", "Unable to halHostRegister: 65534\nRuntimeError: register ptr failed", None, "driver-too-old-for-cann"),
    ("host memory, transfer engine", "E0419 ascend_direct_transport.cpp:487] Register mem ret:207000.", None, "driver-too-old-for-cann"),
    ("platform, Chinese", "平台提示驱动版本不一致", None, "driver-too-old-for-cann"),
    ("graph on an old driver", REPLAY, card("24.1.rc2") + toolkit("8.3.RC1"), "driver-too-old-for-cann"),
    ("capture not supported", "RuntimeError: NPU function error: c10_npu::acl::AclmdlRICaptureBegin(stream_, mode), error code is 207000", card("23.0.6") + toolkit("8.3.RC1"), "driver-too-old-for-cann"),
    ("kernel hangs on an old driver", AICORE, card("24.1.0.3") + toolkit("9.0.0"), "driver-too-old-for-cann"),
    ("watchdog on an old driver", "[INFO] ATRACE(860,):2025-12-31-07:47:21.427.775 [awatchdog_monitor.c:149](tid:937) watchdog timeout, moduleId 7, timeout : 300s", card("24.1.0") + toolkit("8.5.0"), "driver-too-old-for-cann"),
    ("cured by a newer one", None, "driver 25.2.2\nprofiler errors; gone after driver 26.1.1", "driver-too-old-for-cann"),
    ("cured, Chinese", "训练卡住", "升级驱动到 25.5.0 后恢复正常", "driver-too-old-for-cann"),
    ("driver function absent", "ImportError: /usr/local/Ascend/ascend-toolkit/latest/lib64/libruntime.so: undefined symbol: halMemCtl", None, "driver-too-old-for-cann"),
]  # fmt: skip


@pytest.mark.parametrize(("log", "report", "cause"), [pytest.param(*row[1:], id=row[0]) for row in FIRST])
def test_the_first_cause(log: str | None, report: str | None, cause: str) -> None:
    assert causes_of(log, report)[0] == cause


@pytest.mark.parametrize(
    ("log", "report"),
    [
        pytest.param("ImportError: libhccl.so: cannot open shared object file", None, id="CANN"),
        pytest.param("ImportError: libatb.so: cannot open shared object file", None, id="NNAL"),
        pytest.param("sudo: docker: command not found", None, id="another tool"),
        pytest.param("[Driver] [INFO]driver and firmware version relationship check success", None, id="good"),
        pytest.param("Verifying archive integrity...  100%   SHA256 checksums are OK. All good.", None, id="sum"),
        pytest.param("[Driver] [INFO]Device startup success", None, id="started"),
        pytest.param("升级驱动和固件", None, id="plan"),
        pytest.param("NPU driver: 25.2.0, firmware: 7.7.0.6.236", None, id="versions"),
        pytest.param("apt-get install -y dkms gcc linux-headers-$(uname -r)", None, id="recipe"),
        pytest.param("fault kernel_name=MoeDistributeDispatchV2, a new kernel was compiled", None, id="other kernel"),
        pytest.param("drv_pcie_host: module verification failed: signature and/or required key missing - tainting kernel", None, id="taint"),
        pytest.param("OSError: [Errno 28] No space left on device: '/root/.cache/huggingface/x'", None, id="other disk"),
        pytest.param("watchdog: BUG: soft lockup - CPU#3 stuck for 22s!", None, id="kernel's watchdog"),
        pytest.param('gcc: error: main.c:3: error: "MIN" redefined [-Werror]', None, id="other sources"),
        pytest.param(AICORE, card("25.5.2") + toolkit("8.5.0"), id="kernel hangs on a new driver"),
        pytest.param(REPLAY, card("25.5.2") + toolkit("8.5.0"), id="graph on a new driver"),
        pytest.param(None, card("24.1.0") + toolkit("8.0.0"), id="a pair that belongs together"),
        pytest.param(None, card("23.0.6") + toolkit("7.0.0"), id="an old pair"),
    ],
)  # fmt: skip
def test_no_driver_check_fires(log: str | None, report: str | None) -> None:
    assert [one.id for one in diagnose_text(log, report).findings if one.id.startswith("DRV")] == []


# --- DRV001: which of the four


def causes(check: type[Check], log: str | None = None, **facts: Any) -> list[str]:
    return [one.cause for one in found(check, log, **facts)]


def test_a_missing_library_in_a_container_is_not_mounted() -> None:
    assert causes(DriverLibraryMissing, HAL, in_container=True)[0] == "driver-not-mounted"


def test_a_missing_library_on_a_host_is_not_installed() -> None:
    first = found(DriverLibraryMissing, HAL, in_container=False)[0]
    assert (first.cause, first.confidence) == ("driver-missing", Confidence.LIKELY)


def test_a_library_on_disk_is_not_searched() -> None:
    assert causes(DriverLibraryMissing, HAL, in_container=False, driver_library=True) == [
        "driver-libs-not-on-path"
    ]


def test_a_folder_that_is_searched_rules_the_path_out() -> None:
    variables = {"LD_LIBRARY_PATH": "/usr/local/Ascend/driver/lib64"}
    assert "driver-libs-not-on-path" not in causes(DriverLibraryMissing, HAL, environment=variables)


def test_all_four_are_named_where_nothing_decides() -> None:
    assert {*causes(DriverLibraryMissing, HAL), "container-mounts-incomplete"} == set(
        DriverLibraryMissing.causes
    )


def test_a_shell_that_names_the_whole_path_of_npu_smi_misses_a_mount() -> None:
    assert causes(DriverLibraryMissing, "bash: /usr/local/bin/npu-smi: No such file or directory")[:3] == [
        "container-mounts-incomplete",
        "driver-not-mounted",
        "driver-missing",
    ]


def test_cards_on_the_bus_without_a_library_need_no_text() -> None:
    box: dict[str, Any] = {
        "in_container": False,
        "pci": CARDS,
        "driver_library": False,
        "driver_account": False,
    }
    first = found(DriverLibraryMissing, QUIET, **box)[0]
    assert first.cause == "driver-missing"
    assert first.fix[0].run == "groupadd -f HwHiAiUser"


def test_nodes_in_a_container_without_a_library_need_no_text() -> None:
    box: dict[str, Any] = {"in_container": True, "device_nodes": (DeviceNode("/dev/davinci0"),)}
    assert causes(DriverLibraryMissing, QUIET, **box, driver_library=False)[0] == "driver-not-mounted"


@pytest.mark.parametrize(
    "box",
    [
        pytest.param({"in_container": False, "pci": NO_CARDS, "driver_library": False}, id="no card"),
        pytest.param({"in_container": True, "pci": CARDS, "driver_library": False}, id="container without cards"),
        pytest.param({"in_container": False, "pci": CARDS, "driver_library": True}, id="library there"),
        pytest.param({"in_container": False, "pci": CARDS}, id="not looked"),
        pytest.param(
            {"in_container": False, "pci": CARDS, "driver_library": False, "npu_smi_answer": "ok"}, id="elsewhere"
        ),
    ],
)  # fmt: skip
def test_a_box_that_lacks_nothing(box: dict[str, Any]) -> None:
    assert found(DriverLibraryMissing, QUIET, **box) == []


# --- DRV002: modules


def test_absent_modules_are_the_cause_of_silent_cards() -> None:
    first = found(DriverNotLoaded, UNREACHABLE, kernel_modules=frozenset({"nvme", "hisi_sas_main"}))[0]
    assert (first.severity, first.confidence) == (Severity.ERROR, Confidence.CERTAIN)


def test_absent_modules_without_a_symptom_are_a_warning() -> None:
    first = found(DriverNotLoaded, QUIET, kernel_modules=frozenset({"nvme"}), pci=CARDS)[0]
    assert first.severity == Severity.WARNING


def test_a_tool_that_fails_is_a_symptom() -> None:
    first = found(DriverNotLoaded, QUIET, kernel_modules=frozenset(), pci=CARDS, npu_smi_answer="failed")[0]
    assert first.severity == Severity.ERROR


@pytest.mark.parametrize(
    "box",
    [
        pytest.param({"kernel_modules": frozenset({"drv_pcie_host"})}, id="closed driver"),
        pytest.param({"kernel_modules": frozenset({"asdrv_pbl"})}, id="open driver"),
        pytest.param({"kernel_modules": frozenset({"tc_pcidev"})}, id="A3"),
        pytest.param({"kernel_modules": frozenset({"nvme"}), "in_container": True}, id="container"),
        pytest.param({"kernel_modules": frozenset({"nvme"}), "npu_smi_answer": "ok"}, id="answers"),
        pytest.param({"kernel_modules": frozenset({"nvme"}), "pci": NO_CARDS}, id="no card"),
        pytest.param({"kernel_modules": frozenset({"nvme"}), "driver_files": False}, id="no driver"),
    ],
)
def test_modules_that_are_no_problem(box: dict[str, Any]) -> None:
    assert found(DriverNotLoaded, QUIET, **box) == []


def test_modules_not_listed_prove_nothing() -> None:
    assert found(DriverNotLoaded, UNREACHABLE) == []


@pytest.mark.parametrize(
    "told",
    ["lsmod | grep drv 没有输出", "lsmod | grep davinci shows nothing", '{"lsmod": "no drv_* modules"}'],
)
def test_modules_told_absent(told: str) -> None:
    assert causes_of(f"/dev/davinci0 does not exist\n{UNREACHABLE}", told)[0] == "driver-not-loaded"


# --- DRV003: reboot

ANNOUNCED = "Driver package installed successfully! Reboot needed for installation/upgrade to take effect!"
BOOTED_LATER = KernelState(boot_time=2_000, driver_written=1_000)
WRITTEN_LATER = KernelState(boot_time=1_000, driver_written=2_000)


@pytest.mark.parametrize(
    ("log", "state", "severity"),
    [
        pytest.param(ANNOUNCED, None, Severity.INFO, id="announced"),
        pytest.param(f"{ANNOUNCED}\n{UNREACHABLE}", None, Severity.ERROR, id="announced, silent cards"),
        pytest.param(ANNOUNCED, BOOTED_LATER, None, id="happened since"),
        pytest.param(QUIET, WRITTEN_LATER, Severity.INFO, id="newer files"),
        pytest.param(UNREACHABLE, WRITTEN_LATER, Severity.ERROR, id="newer files, silent cards"),
        pytest.param(UNREACHABLE, BOOTED_LATER, None, id="older files, silent cards"),
        pytest.param(f"驱动固件升级后 npu-smi 不可用\n{UNREACHABLE}", None, Severity.ERROR, id="told"),
        pytest.param("驱动固件升级后一切正常", None, None, id="told, no symptom"),
        pytest.param(UNREACHABLE, None, None, id="silent cards alone"),
        pytest.param("Reboot needed for uninstallation to take effect!", None, None, id="uninstallation"),
    ],
)
def test_a_reboot_that_is_due(log: str, state: KernelState | None, severity: Severity | None) -> None:
    facts: dict[str, Any] = {} if state is None else {"kernel_state": state}
    assert [one.severity for one in found(RebootPending, log, **facts)] == ([severity] if severity else [])


# --- DRV004: modules and kernel


def foreign_kernel(**more: Any) -> dict[str, Any]:
    state = {"vermagic": "5.10.0-60.18.0.50.oe2203.aarch64", **more.pop("state", {})}
    return {
        "kernel": "5.10.0-216.0.0.115.oe2203sp4.aarch64",
        "kernel_modules": frozenset({"nvme"}),
        "kernel_state": KernelState(**state),
        **more,
    }


def test_modules_of_another_kernel_need_no_text() -> None:
    first = found(KernelModulesUnfit, QUIET, **foreign_kernel())[0]
    assert (first.cause, first.confidence) == ("driver-kernel-incompatible", Confidence.CERTAIN)
    assert "5.10.0-60.18.0.50.oe2203.aarch64" in first.observed.text()


def test_absent_headers_of_another_kernel_come_first() -> None:
    assert (
        causes(KernelModulesUnfit, QUIET, **foreign_kernel(state={"headers": False}))[0]
        == "kernel-headers-missing"
    )


def test_headers_that_are_there_rule_themselves_out() -> None:
    box = KernelState(headers=True)
    assert causes(KernelModulesUnfit, DKMS, kernel_state=box)[0] == "driver-kernel-incompatible"


@pytest.mark.parametrize(
    "box",
    [
        pytest.param(foreign_kernel(kernel_modules=frozenset({"drv_pcie_host"})), id="loaded"),
        pytest.param(foreign_kernel(kernel="5.10.0-60.18.0.50.oe2203.aarch64"), id="the same"),
        pytest.param(foreign_kernel(npu_smi_answer="ok"), id="cards answer"),
    ],
)
def test_modules_that_fit(box: dict[str, Any]) -> None:
    assert found(KernelModulesUnfit, QUIET, **box) == []


def test_old_complaints_of_a_box_whose_cards_answer() -> None:
    log = f"{DKMS}\n[ascend] [ERROR] [drv_pcie] Device os load failed. (dev_id=3; ret=-110)"
    assert found(KernelModulesUnfit, log, npu_smi_answer="ok") == []
    assert found(DeviceNotBooted, log, npu_smi_answer="ok") == []


def test_packages_are_named_for_the_system() -> None:
    ubuntu = OsRelease("ubuntu", "22.04", "Ubuntu 22.04.5 LTS")
    kylin = OsRelease("kylin", "V10", "Kylin V10")
    for system, tool in ((ubuntu, "apt-get"), (kylin, "dnf")):
        fixes = found(KernelModulesUnfit, DKMS, os=system)[0].fix
        assert [one.run.split()[0] for one in fixes if "install -y" in one.run] == [tool]


# --- DRV008: age


@pytest.mark.parametrize(
    ("driver", "cann", "severity"),
    [
        pytest.param("25.0.rc1", "9.1.0", Severity.WARNING, id="the table says no"),
        pytest.param("23.0.3", "8.3.RC1", Severity.INFO, id="an earlier generation"),
        pytest.param("25.0.rc1", "8.2.RC1", None, id="an earlier line"),
        pytest.param("25.5.2", "8.2.RC1", None, id="newer"),
    ],
)
def test_the_table_alone(driver: str, cann: str, severity: Severity | None) -> None:
    findings = found(DriverTooOld, QUIET, card(driver) + toolkit(cann))
    assert [one.severity for one in findings] == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("log", "driver", "cann", "confidence"),
    [
        pytest.param(REPLAY, "24.1.rc2", "8.3.RC1", Confidence.LIKELY, id="old pair"),
        pytest.param(AICORE, "24.1.0.3", "9.0.0", Confidence.LIKELY, id="older pair"),
        pytest.param(
            "Unable to halHostRegister: 65534", "24.1.rc3", "8.3.RC1", Confidence.CERTAIN, id="told"
        ),
        pytest.param(
            "Unable to halHostRegister: 65534", "25.5.2", "8.5.0", Confidence.LIKELY, id="told, new"
        ),
        pytest.param(REPLAY, "25.5.2", "8.5.0", None, id="new pair"),
        pytest.param(AICORE, "25.5.2", "8.5.0", None, id="new pair, hangs"),
    ],
)
def test_a_symptom_counts_as_much_as_the_pair(
    log: str, driver: str, cann: str, confidence: Confidence | None
) -> None:
    findings = found(DriverTooOld, log, driver=vendor(driver), cann=vendor(cann))
    assert [one.confidence for one in findings] == ([confidence] if confidence else [])


@pytest.mark.parametrize("driver", ["23.0.6", "24.1.rc2", "24.1.0", "25.0.rc1", "25.2.0"])
@pytest.mark.parametrize("cann", ["7.0.0", "8.0.0", "8.1.RC1", "8.2.RC1", "8.3.RC1"])
def test_a_box_without_complaint_has_no_error(driver: str, cann: str) -> None:
    findings = found(DriverTooOld, QUIET, driver=vendor(driver), cann=vendor(cann), chip="Ascend910B3")
    assert all(one.severity < Severity.ERROR for one in findings)


def test_a_driver_that_fits_needs_no_new_one() -> None:
    findings = found(DriverTooOld, QUIET, driver=vendor("25.2.0"), cann=vendor("8.2.RC1"), chip="Ascend910B3")
    assert findings == []


def test_the_paired_driver_is_named() -> None:
    first = found(
        DriverTooOld, REPLAY, driver=vendor("24.1.rc2"), cann=vendor("8.3.RC1"), chip="Ascend910B3"
    )[0]
    assert first.expected is not None
    assert "25." in first.expected.text()


# --- DRV009: firmware

RANGE = DriverInfo(compatible_firmware=("7.0.0", "8.9.9"))


@pytest.mark.parametrize(
    ("firmware", "severity"),
    [("6.4.12", Severity.WARNING), ("7.0.0", None), ("7.7.0.6.236", None), ("9.0.0", Severity.WARNING)],
)
def test_firmware_and_the_range_of_the_driver(firmware: str, severity: Severity | None) -> None:
    findings = found(
        FirmwareMismatch, QUIET, firmware=vendor(firmware), driver_info=RANGE, driver=vendor("25.2.0")
    )
    assert [one.severity for one in findings] == ([severity] if severity else [])


# --- the installer's own words, one check each

WORDS: list[tuple[type[Check], str]] = [
    (FirmwareMismatch, "[WARNING]driver and firmware version relationship check fail"),
    (FirmwareNotWritten, "[Firmware] [ERROR]firmwareHostReady failed."),
    (InstallConflict, "Get /usr/local/Ascend lockfile failed! There may be another process also installing in the directory."),
    (InstallDevicesBusy, "[Driver] [INFO]user process exist, no hot reset"),
    (InstallIncomplete, "[WARNING]The driver package may not be completely installed, which may cause function abnormal. Please reinstall it."),
    (InstallUserMissing, "[ERROR]ERR_NO:0x0091;ERR_DES:HwHiAiUser group not exists! Please add HwHiAiUser group"),
    (InstallerNeedsRoot, "ERR_DES:do not have root permission, operation failed, please use root permission!"),
    (InstallerNoSpace, "[Toolkit] [ERROR]: ERR_NO:0x0085;ERR_DES: disk space is not enough, please check."),
    (InstallerToolsMissing, "[Driver] [ERROR] The list of missing tools: ifconfig,"),
    (OsUnsupported, "[ERROR] The current OS is not supported, please check."),
    (PackageTooOldForBoard, "[WARNING]Download and install the 23.0.RC1 driver package. Then upgrade to the target version. "),
    (PackageUnreadable, "Error in MD5 checksums: d41d8cd98f00b204e9800998ecf8427e is different from 6f1ed002ab5595859014ebf0951522d9"),
    (RunInstallPipMissing, "./compiler_custom_install.sh: line 63: pip3: command not found"),
    (WrongArchPackage, "[ERROR]: ERR_NO:0x0001;ERR_DES:The architecture of the run package is inconsistent with that of the current environment. "),
    (DeviceNotBooted, "[ascend] [ERROR] [drv_pcie] Load timeout. (dev_id=1; flag_r=0x0)"),
]  # fmt: skip


@pytest.mark.parametrize(("check", "line"), [pytest.param(*row, id=row[0].id) for row in WORDS])
def test_words_of_the_installer(check: type[Check], line: str) -> None:
    findings = found(check, line)
    assert findings
    assert findings[0].cause in check.causes
    assert findings[0].evidence[0].text.strip()[:20] in line
    assert found(check, QUIET) == []


@pytest.mark.parametrize("check", [row[0] for row in WORDS], ids=lambda check: check.id)
def test_without_a_log_these_checks_are_skipped(check: type[Check]) -> None:
    assert isinstance(run_check(check), Skip)


def test_a_missing_hot_reset_is_no_error() -> None:
    assert (
        found(InstallDevicesBusy, "[Driver] [INFO]user process exist, no hot reset")[0].severity
        == Severity.INFO
    )


def test_the_reason_of_a_failed_installation_stands_before_it() -> None:
    log = "[ERROR]The list of missing tools: lspci,\n[Driver] [INFO]Failed to install driver package, please retry after uninstall and reboot!"
    findings = diagnose_text(log).findings
    assert [(one.id, one.because_of) for one in findings[:2]] == [("DRV005", ()), ("DRV020", ("DRV005",))]


def test_the_tools_are_listed_once() -> None:
    log = (
        "[ERROR]The list of missing tools: lspci,ifconfig,\n[ERROR]The list of missing tools: lspci,ifconfig,"
    )
    assert found(InstallerToolsMissing, log)[0].observed.text() == "missing: lspci, ifconfig"


def test_a_tool_outside_an_installation_is_not_the_installer() -> None:
    assert found(InstallerToolsMissing, "bash: ifconfig: command not found") == []
