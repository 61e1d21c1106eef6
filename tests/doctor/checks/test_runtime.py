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


CUT = [
    ("rmmod: ERROR: Module drv_davinci_intf is in use", "driver-install-devices-busy"),
    ("驱动卸载过程中出现进程占用报错", "driver-install-devices-busy"),
    ("ascend-dmi -f: Failed to initialize the device. Check the environment configuration dependency.", "vnpu-misconfigured"),
    ("ascend-dmi failed, ADMI_ERR_DRIVER_NOT_SUPPORT", "driver-too-old-for-cann"),
    ("RuntimeError: torch_npu detected, but NPU device is not available or visible.", "no-visible-devices"),
    ("device 3: 片上内存多比特ECC错误", "hbm-ecc"),
    ("hccn_tool no certificate found", "hccl-tls-mismatch"),
    ("rank 0 和 rank 4 同时占用 device 0", "duplicate-device-ranks"),
    ("RuntimeError: SelfAttentionOperation setup failed!", "image-wrong-chip"),
    ("/usr/local/Ascend/driver/lib64/driver/libascend_hal.so: No such file", "driver-missing"),
    ('exec: "npu-smi": executable file not found in $PATH', "driver-missing"),
    ("DrvMngGetConsoleLogLevel failed. (g_conLogLevel=3)", "driver-not-loaded"),
    ("ls: cannot access '/dev/davinci*': No such file or directory", "driver-not-loaded"),
    ("驱动升级后没有重启，npu-smi info 报错 -8005", "reboot-needed-after-upgrade"),
    ("error: implicit declaration of function 'get_user_pages_remote'", "driver-kernel-incompatible"),
    ("/var/lib/dkms/davinci_ascend/1.0/build/ts_agent: error: too many arguments to function 'class_create'", "driver-kernel-incompatible"),
    ("/lib/modules/5.10.0-136.12/source: No such file", "kernel-headers-missing"),
    ("./install.sh: line 60: lspci: command not found", "driver-install-tools-missing"),
    ("[Driver] [ERROR]gcc is not installed, driver install failed", "driver-install-tools-missing"),
    ("groupadd HwHiAiUser first, user not exist", "driver-user-missing"),
    ("the user HwHiAiUser is not exist", "driver-user-missing"),
    ("[Driver] [ERROR]Driver package has been installed, please uninstall first", "driver-install-conflict"),
    ("aclrtMallocPhysical failed, the feature is not supported, driver", "driver-too-old-for-cann"),
    ("EL9999 The driver package version does not match, please upgrade the driver package", "driver-too-old-for-cann"),
    ("crw-rw---- 1 HwHiAiUser HwHiAiUser 236, 0 davinci0 permission denied", "dev-node-permission"),
    ("usermod -aG HwHiAiUser required; Permission denied davinci_manager", "dev-node-permission"),
    ("cat: /etc/ascend_install.info: No such file or directory", "container-mounts-incomplete"),
    ('error mounting "/usr/local/dcmi" to rootfs', "container-mounts-incomplete"),
    ("device is busy", "container-device-busy"),
    ("The device is used by another container", "container-device-busy"),
    ("特权容器可以看到所有NPU卡", "privileged-container-sees-all"),
    ("ascend-device-plugin: not support this chip type", "device-plugin-chip-mismatch"),
    ("get chip type failed: not found Ascend910 device", "device-plugin-chip-mismatch"),
    ("npu-smi set -t create-vnpu -i 0 -c 0 -f vir04 Message: The vnpu template is not supported", "vnpu-misconfigured"),
    ("vnpu template vir01 not supported", "vnpu-misconfigured"),
    ("halDeviceOpen", "device-open-failed"),
    ("Failed to open device, retCode=0x7020014", "device-open-failed"),
    ("tdt error=31", "tsd-open-failed"),
    ("TsdClient open failed", "tsd-open-failed"),
    ("Ascend-aicpu_syskernels.tar.gz verify failed", "aicpu-package-load-failed"),
    ("SendAICPUPackage failed", "aicpu-package-load-failed"),
    ("HeartBeatLost", "device-lost-heartbeat"),
    ("Health : Alarm", "chip-unhealthy"),
    ("device-4 CardUnhealthy", "chip-unhealthy"),
    ("hbm multi-bit ecc error", "hbm-ecc"),
    ("Memory_Access_Error EZ9999 HBM uce", "hbm-ecc"),
    ("RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB", "hbm-occupied"),
    ("Malloc device memory failed", "hbm-occupied"),
    ("ulimit -l 64", "memlock-limit"),
    ("unable to pin host memory, error: -1", "memlock-limit"),
    ("ValueError: No available NPU", "no-visible-devices"),
    ("aclrtGetDeviceCount returned 0", "no-visible-devices"),
    ("ASCEND_RT_VISIBLE_DEVICES is set to empty string", "visible-devices-empty"),
    ("EE1001 The argument is invalid. Reason: Set device failed, invalid device", "visible-devices-out-of-range"),
    ("ASCEND_RT_VISIBLE_DEVICES=8 is invalid", "visible-devices-out-of-range"),
    ("must be configured in ascending order", "visible-devices-not-ascending"),
    ("CUDA_VISIBLE_DEVICES 设置后不生效", "cuda-visible-devices-set"),
    ("/usr/local/Ascend/ascend-toolkit/set_env.sh: No such file or directory", "cann-missing"),
    ("Could not find CANN", "cann-missing"),
    ("atc: command not found", "cann-env-not-sourced"),
    ("Please source set_env.sh", "cann-env-not-sourced"),
    ("ls: cannot access '/usr/local/Ascend/ascend-toolkit/latest'", "cann-symlink-broken"),
    ("latest: Too many levels of symbolic links", "cann-symlink-broken"),
    ("libcust_opapi.so could not be located", "cann-lib-missing"),
    ("The version of runtime is not consistent with compiler", "cann-versions-mixed"),
    ("aclnn not found in libopapi", "cann-too-old"),
    ("CANN version is too low", "cann-too-old"),
    ("version=8.2.RC1.alpha003", "cann-alpha-release"),
    ("Failed to find function aclsysGetCANNVersion", "torch-npu-cann-mismatch"),
    ("Failed to find function", "torch-npu-cann-mismatch"),
    ("No module named 'tornado'", "cann-python-deps-missing"),
    ("No module named 'google.protobuf'", "cann-python-deps-missing"),
    ("No module named 'impl'", "cann-pythonpath-wrong"),
    ("Init GE failed", "op-compiler-init-failed"),
    ("Failed to initialize TBE", "op-compiler-init-failed"),
    ("Cannot find platform config file for Ascend310P3", "soc-platform-config-missing"),
    ("platform_config/Ascend910B4-1.ini: No such file", "soc-platform-config-missing"),
    ("Compile operator failed", "op-compile-failed"),
    ("op[Add], compile failed", "op-compile-failed"),
    ("Please check whether the kernels package is installed", "cann-kernels-missing"),
    ("binary_info_config.json: No such file or directory", "cann-kernels-missing"),
    ("EZ9999 op kernel bin file not match soc", "cann-kernels-wrong-chip"),
    ("AttributeError: '_OpNamespace' '_C_ascend' object has no attribute", "custom-ops-missing"),
    ("No module named 'sgl_kernel_npu'", "custom-ops-missing"),
    ("requires numpy<2.0,>=1.19.2", "numpy2-incompatible"),
    ("numpy has no attribute long", "scipy-numpy-mismatch"),
    ("PermissionError: './fusion_result.json'", "workdir-not-writable"),
    ("mkdir kernel_meta failed", "workdir-not-writable"),
    ("There is no python3.7 in the current environment", "run-install-pip-missing"),
    ("install te whl package failed", "run-install-pip-missing"),
    ("cannot execute binary file: Exec format error", "wrong-arch-package"),
    ("package architecture does not match", "wrong-arch-package"),
    ("libatb", "nnal-missing"),
    ("KeyError: 'ATB_HOME_PATH'", "nnal-missing"),
    ("libatb.so: undefined symbol", "nnal-version-mismatch"),
    ("libop_plugin_atb.so: undefined symbol: _ZN3atb", "nnal-version-mismatch"),
    ("ATB_HOME_PATH=/usr/local/Ascend/nnal/atb/latest/atb/cxx_abi_0", "nnal-cxx-abi-mismatch"),
    ("libtorch_npu.so: undefined symbol", "torch-npu-torch-mismatch"),
    ("torch-npu 2.5.1 requires torch==2.5.1, but you have", "torch-npu-torch-mismatch"),
    ("npu_moe_gating_top_k() got an unexpected keyword argument 'y2_flag'", "torch-npu-too-old-for-framework"),
    ("subprocess-exited-with-error Getting requirements to build wheel: No module named 'torch'", "torch-npu-not-importable-at-build"),
    ("undefined symbol: _ZN7c10_npu", "extension-built-for-other-torch-npu"),
    ("vllm_ascend_C.cpython-311-aarch64-linux-gnu.so: undefined symbol: _ZN5torch", "extension-built-for-other-torch-npu"),
    ("Failed to load PyTorch C extensions", "import-from-source-dir"),
    ("No module named 'torch._C'", "import-from-source-dir"),
    ("Two accelerators cannot be used at the same time in PyTorch", "backend-autoload-conflict"),
    ("TORCH_DEVICE_BACKEND_AUTOLOAD=0", "backend-autoload-conflict"),
    ("torch.cuda.* and torch.cuda.amp.* are replaced with torch.npu", "transfer-to-npu-shim"),
    ("transfer_to_npu.py:209: ImportWarning", "transfer-to-npu-shim"),
    ("ERROR: Package requires a different Python: 3.12.1 not in '<3.12,>=3.9'", "python-no-wheel"),
    ("Requires-Python >=3.9,<3.12", "python-no-wheel"),
    ("404 Not Found mindspore", "package-not-on-index"),
    ("ReadTimeoutError: HTTPSConnectionPool(host='files.example.org', port=443): Read timed out.", "package-index-unreachable"),
    ("Retrying (Retry(total=4, connect=None", "package-index-unreachable"),
    ("libtorch_cuda.so undefined", "x86-needs-cpu-torch-index"),
    ("torch 2.5.1+cu124", "x86-needs-cpu-torch-index"),
    ("vllm-ascend 0.7.3 requires torch==2.5.1, but you have torch 2.6.0", "vllm-plugin-mismatch"),
    ("Failed to load plugin ascend", "vllm-plugin-mismatch"),
    ("Failed to import from vllm._C with ImportError", "vllm-not-empty-target"),
    ("vllm/_C.abi3.so: undefined symbol", "vllm-not-empty-target"),
    ("BiSheng compile error", "triton-ascend-version"),
    ("bishengir-compile failed", "triton-ascend-version"),
    ("soc_version 104", "chip-unsupported"),
    ("not support Ascend910A", "chip-unsupported"),
    ("UnSupported device: ascend910_9391", "chip-needs-newer-release"),
    ("does not match the installed version's device type", "image-wrong-chip"),
    ("bin package of Ascend910B1 on Ascend310P3", "image-wrong-chip"),
    ("version `GLIBC_2.34' not found", "glibc-too-old"),
    ("GLIBC_2.32 not found", "glibc-too-old"),
    ("GLIBCXX_3.4.29 not found", "libstdcxx-too-old"),
    ("version `GLIBCXX_3.4.30'", "libstdcxx-too-old"),
    ("cannot allocate memory in static TLS", "libgomp-static-tls"),
    ("static TLS block", "libgomp-static-tls"),
    ("gcc version 4.8.5 unsupported", "compiler-too-old"),
    ("CMake Error at CMakeLists.txt:1 (cmake_minimum_required): Compatibility with CMake", "cmake-too-new"),
    ("HCCL_SOCKET_IFNAME not found", "hccl-ifname-wrong"),
    ("HCCL_SOCKET_IFNAME=eth9 error", "hccl-ifname-wrong"),
    ("HCCL_CONNECT_TIMEOUT is invalid", "hccl-env-invalid"),
    ("HCCL_ALGO is invalid", "hccl-env-invalid"),
    ("parse rank table file failed", "hccl-ranktable-invalid"),
    ("rank table error", "hccl-ranktable-invalid"),
    ("ra rdev init failed", "hccl-device-ip-wrong"),
    ("is not consistent with the IP of the network adapter", "hccl-device-ip-wrong"),
    ("net health status: Link down", "hccl-link-down"),
    ("detect fail net health", "hccl-link-down"),
    ("bind port 16666 failed", "hccl-port-in-use"),
    ("socket listen failed port[60000]", "hccl-port-in-use"),
    ("connect timeout 120s HCCL", "hccl-connect-timeout"),
    ("HCCL_CONNECT_TIMEOUT", "hccl-connect-timeout"),
    ("Failed to connect agent", "hccl-rank-missing"),
    ("topo exchange server: wait agent timeout", "hccl-rank-missing"),
    ("TLS switch is inconsistent", "hccl-tls-mismatch"),
    ("tls enable inconsistent", "hccl-tls-mismatch"),
    ("crc check failed", "hccl-config-inconsistent"),
    ("CheckCrc failed", "hccl-config-inconsistent"),
    ("createLink failed", "hccl-transport-init"),
    ("Create link failed", "hccl-transport-init"),
    ("Duplicate GPU detected", "duplicate-device-ranks"),
    ("two ranks on the same device", "duplicate-device-ranks"),
    ("error: 'std::filesystem' has not been declared", "compiler-too-old"),
    ("mindspore: Can not find te package, please check whether the 'te' in PYTHONPATH is set correctly", "cann-pythonpath-wrong"),
    ("ImportError: cannot import name 'ComplexWarning' from 'numpy.core.numeric'", "scipy-numpy-mismatch"),
    ("[ERROR] GE open file[/usr/local/Ascend/ascend-toolkit/latest/opp/vendors/config.ini] failed, errno 13", "opp-files-unreadable"),
    ("docker run --privileged -e ASCEND_VISIBLE_DEVICES=0 ; npu-smi shows 8 cards", "privileged-container-sees-all"),
    ("E19999 om model was built with another CANN version, model version ", "binary-built-for-other-cann"),
    ("[ERROR]The driver has been installed by rpm, uninstall it before run", "driver-install-conflict"),
    ("npu-smi upgrade: firmware 6.4 not compatible with driver 23.0", "driver-firmware-mismatch"),
    ("CMake Error: The following variables are used in this project, but they are set to NOTFOUND: ASCEND_HAL", "driver-absent-at-build-time"),
    ("容器里没有 /dev/davinci_manager", "container-missing-devices"),
    ("Version: 8.3.RC1.alpha002 not supported", "cann-alpha-release"),
    ("stat /usr/local/Ascend/ascend-toolkit/latest/opp: permission denied", "opp-files-unreadable"),
    ("RuntimeError: Numpy is not available", "numpy2-incompatible"),
    ("设置CUDA_VISIBLE_DEVICES无效，仍然使用0卡", "cuda-visible-devices-set"),
    ("Device heartbeat lost", "device-lost-heartbeat"),
    ("Init plugin so failed, ret = 1343225860", "hccl-ranktable-invalid"),
    ("error: 'hivm.hir.load' op Unsupported op for finding the root alloc.", "triton-ascend-version"),
    ("could not find a version that satisfies the requirement triton-ascend==3.2.1", "package-not-on-index"),
    ("CMake Error at /opt/cann-8.5.1/aarch64-linux/lib64/cmake/ASCConfig.cmake:20 (include):", "cann-versions-mixed"),
    ('  Could not find a package configuration file provided by "ASC" with any of', "cann-missing"),
    ("x.cc:111:22: 错误：‘GRAPH_INVALID_IR_DEF’在此作用域中尚未声明", "cann-too-old"),
    ("error: no matching function for call to 'CastIntrinsicsImpl'", "chip-unsupported"),
    ("CANN Graph error executing ge::aclgrphBuildModel(graph, options, model)", "op-compile-failed"),
    ("sglang::inplace_fused_experts does not implement the Ascend NPU backend", "operator-unsupported"),
    ("ModuleNotFoundError: No module named 'typing_extensions'", "torch-npu-python-deps-missing"),
    ("because torch-npu==2.7.1 has no wheels with a matching Python version tag (e.g., `cp313`)", "python-no-wheel"),
    ("fatal: unable to access 'https://example/triton.git/': Failed to connect", "package-index-unreachable"),
    ("RuntimeError: operator torchvision::nms does not exist", "torch-npu-torch-mismatch"),
    ("cc1plus: error: unknown value 'armv8.2-a+i8mm' for '-march'", "compiler-too-old"),
    ("/usr/bin/ld: cannot find -lstdc++fs", "compiler-too-old"),
    ("ASCEND_HOME_PATH: NOT SET", "cann-env-not-sourced"),
    ("ImportError: cannot import name 'aclruntime'", "cann-env-not-sourced"),
    ("error: 'RunOpApiV2' is not a member of 'at_npu::native::OpCommand'", "extension-built-for-other-torch-npu"),
    ("error: no member named 'SetFlag' in namespace 'AscendC'", "cann-too-old"),
    ("fatal error: 'profiling/prof_api.h' file not found", "cann-too-old"),
    ("/usr/bin/ld: cannot find -ltorch_npu", "torch-npu-not-importable-at-build"),
    ("    _CUDNN_LIB_CTYPES = _load_cudnn()", "cuda-only-packages"),
    ("/x/cann/set_env.sh: line 20: LD_LIBRARY_PATH: unbound variable", "cann-env-not-sourced"),
    ("unable to open shared memory object </torch_1> in read-write mode", "shm-too-small"),
    ("bishengir-compile: Unknown command line argument '--disable-hivm-auto-inject-sync'", "triton-ascend-version"),
    ("ld: libnndeploy.so: undefined reference to `aclmdlDestroyDesc'", "cann-env-not-sourced"),
    ("build graph failed, graph id:16, ret:4294967295[FUNC:BuildModelWithGraphId]", "op-compile-failed"),
    ("OSError: [Errno 37] No locks available: '/nfs/jobs/kernel_meta/.lock'", "workdir-not-writable"),
    ("RuntimeError: Failed to allocate KV cache", "model-too-large"),
    ("ascend_direct_transport.cpp:164] Failed to initialize AdxlEngine, status: 503900", "hccl-device-ip-wrong"),
    ("OnesLike ADD_TO_LAUNCHER_LIST_AICORE failed", "cann-kernels-missing"),
    ("ModuleNotFoundError: No module named 'torch._inductor.triton_heuristics'", "torch-npu-torch-mismatch"),
    ("InitializePlatformInfo:File path[] is not valid.", "soc-platform-config-missing"),
    ("LoadOpInfoJson] Get op info json suffix path failed, soc_version: Ascend310P3", "soc-platform-config-missing"),
    ("ModuleNotFoundError: No module named 'dlinfer'", "custom-ops-missing"),
    ("/bin/sh: 1: clang++: not found", "compiler-too-old"),
    ("/bin/sh: ninja: command not found", "torch-npu-not-importable-at-build"),
    ("torch_npu.dynamo.torchair has no attribute get_npu_backend", "torch-npu-post-release-wrong"),
    ("_scaled_mm is supported only on the Ascend950 platform and after", "chip-unsupported"),
]  # fmt: skip


@pytest.mark.parametrize(("log", "cause"), CUT)
def test_a_cut_line_alone_names_its_commonest_cause(log: str, cause: str) -> None:
    assert causes_of(log)[:1] == [cause]


@pytest.mark.parametrize(
    ("log", "causes"),
    [
        ("HCCL bind 16666: Address already in use", ["hccl-port-in-use"]),
        ("OSError: [Errno 98] Address already in use", ["master-port-in-use", "hccl-port-in-use"]),
        ("aclnnX: Tensor self not implemented for DT_BFLOAT16", ["chip-unsupported", "operator-unsupported"]),
    ],
)
def test_what_else_it_may_be_stands_behind(log: str, causes: list[str]) -> None:
    assert causes_of(log)[: len(causes)] == causes
