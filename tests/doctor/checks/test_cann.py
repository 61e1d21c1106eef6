"""The checks of the CANN toolkit: what they name first, where they stay silent, and when they are skipped."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest
from tests.doctor.helpers import causes_of, diagnose_text, run_check

from ascendenv.doctor.checks.cann.aclnn_operator_missing import AclnnOperatorMissing
from ascendenv.doctor.checks.cann.binary_for_other_cann import BinaryForOtherCann
from ascendenv.doctor.checks.cann.broken_link import BrokenCannLink
from ascendenv.doctor.checks.cann.compile_folder_not_writable import CompileFolderNotWritable
from ascendenv.doctor.checks.cann.compiler_not_started import CompilerNotStarted
from ascendenv.doctor.checks.cann.compiler_package_missing import CompilerPackageMissing
from ascendenv.doctor.checks.cann.crash_on_other_cann import CrashOnOtherCann
from ascendenv.doctor.checks.cann.custom_library_missing import CustomLibraryMissing
from ascendenv.doctor.checks.cann.environment_not_sourced import CannEnvironmentNotSourced
from ascendenv.doctor.checks.cann.kernels_not_found import KernelsNotFound
from ascendenv.doctor.checks.cann.library_not_found import CannLibraryNotFound
from ascendenv.doctor.checks.cann.mixed_toolkits import MixedToolkits
from ascendenv.doctor.checks.cann.numpy_too_new import NumpyTooNew
from ascendenv.doctor.checks.cann.operator_compile_failed import OperatorCompileFailed
from ascendenv.doctor.checks.cann.opp_unreadable import OppUnreadable
from ascendenv.doctor.checks.cann.ops_mismatch import OpsMismatch
from ascendenv.doctor.checks.cann.platform_info_missing import PlatformInfoMissing
from ascendenv.doctor.checks.cann.prerelease_toolkit import PrereleaseToolkit
from ascendenv.doctor.checks.cann.roots import is_sourced, separate_roots
from ascendenv.doctor.checks.cann.scipy_numpy_mismatch import ScipyNumpyMismatch
from ascendenv.doctor.checks.cann.symbol_missing import CannSymbolMissing
from ascendenv.doctor.checks.cann.tbe_not_importable import TbeNotImportable
from ascendenv.doctor.checks.cann.torch_npu_mismatch import TorchNpuMismatch
from ascendenv.doctor.finding import Severity, Skip
from ascendenv.facts.evidence import Evidence
from ascendenv.facts.model import Link, OpsPackage, Package, Packages
from ascendenv.signals.model import Signal, Signals
from ascendenv.versions import pep440, vendor

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

HCCL = "ImportError: libhccl.so: cannot open shared object file: No such file or directory"
COMPILEOPT = (
    "RuntimeError: SetPrecisionMode:torch_npu/csrc/framework/LazyInitAclops.cpp:155 NPU function error: "
    "at_npu::native::AclSetCompileopt(aclCompileOpt::ACL_PRECISION_MODE, precision_mode), error code is 500001"
)
PTA = "[ERROR] 2025-04-28-02:50:24 (PID:1439, Device:0, RankID:-1) ERR00100 PTA call acl api failed"
GE = "       GEInitialize failed.[FUNC:GEInitialize][FILE:ge_api.cc][LINE:337]"
SOURCED = (
    "LD_LIBRARY_PATH=/usr/local/Ascend/ascend-toolkit/latest/lib64:/usr/local/Ascend/driver/lib64\n"
    "ASCEND_HOME_PATH=/usr/local/Ascend/ascend-toolkit/latest\n"
    "ASCEND_OPP_PATH=/usr/local/Ascend/ascend-toolkit/latest/opp\n"
)


def toolkit(version: str, root: str = "/usr/local/Ascend/ascend-toolkit") -> str:
    return (
        f"CANN:\npackage_name=Ascend-cann-toolkit\nversion={version}\narch=aarch64\nos=linux\n"
        f"path={root}/{version}/aarch64-linux\n"
    )


def missing(library: str) -> str:
    return f"ImportError: {library}: cannot open shared object file: No such file or directory"


def not_in_opapi(operator: str) -> str:
    return (
        f"RuntimeError: {operator} or {operator}GetWorkspaceSize not in libopapi.so, or libopapi.sonot found."
    )


FIRST = [
    (
        "headers of torch_npu against another CANN",
        "/x/torch_npu/include/torch_npu/csrc/framework/interface/AclOpCompileInterface.h:146:55: error: use of undeclared identifier 'aclOpExecutor'; did you mean 'aclopExecute'?",
        None,
        "torch-npu-cann-mismatch",
    ),
    (
        "the same, GCC",
        "/x/torch_npu/include/torch_npu/csrc/core/npu/interface/AclInterface.h:20:5: error: ‘aclrtUuid’ was not declared in this scope",
        None,
        "torch-npu-cann-mismatch",
    ),
    (
        "CANN's own headers",
        "/usr/local/Ascend/cann-8.5.0/aarch64-linux/asc/impl/utils/kernel_macros.h:24:10: fatal error: 'cstdint' file not found",
        None,
        "op-compile-failed",
    ),
    (
        "the same without a path",
        "kernel_macros.h:24:10: fatal error: 'cstdint' file not found",
        None,
        "op-compile-failed",
    ),
    (
        "pip about the wheels of CANN",
        "te 0.4.0 requires cloudpickle, which is not installed.\nopc-tool 0.1.0 requires attrs, which is not installed.",
        None,
        "cann-python-deps-missing",
    ),
    (
        "pip about one more of them",
        "dataflow 0.0.1 requires jinja2, which is not installed.",
        None,
        "cann-python-deps-missing",
    ),
    # --- a library of CANN cannot be opened
    ("bare", HCCL, None, "cann-env-not-sourced"),
    (
        "autoload",
        f"{HCCL}\nRuntimeError: Failed to load the backend extension: torch_npu. You can disable",
        None,
        "cann-env-not-sourced",
    ),
    (
        "mindspore",
        "Load dynamic library: libmindspore_ascend.so.2 failed. libge_runner.so: cannot open shared object file: No such file or directory",
        None,
        "cann-env-not-sourced",
    ),
    (
        "pyacl program",
        "./main: error while loading shared libraries: libascendcl.so: cannot open shared object file: No such file or directory",
        None,
        "cann-env-not-sourced",
    ),
    (
        "Chinese loader",
        "ImportError: libhccl.so: 无法打开共享目标文件: 没有那个文件或目录",
        None,
        "cann-env-not-sourced",
    ),
    (
        "ldd",
        "        libascendcl.so => not found\n        libge_runner.so => not found",
        None,
        "cann-env-not-sourced",
    ),
    (
        "linker",
        "/usr/bin/ld: cannot find -lascendcl\ncollect2: error: ld returned 1 exit status",
        None,
        "cann-env-not-sourced",
    ),
    ("docker exec", HCCL, "docker exec app python train.py fails\nssh session works", "cann-env-not-sourced"),
    (
        "bashrc of a Chinese reporter",
        HCCL,
        "环境变量写在 ~/.bashrc 末尾，非交互 shell 不会加载",
        "cann-env-not-sourced",
    ),
    ("cron", HCCL, "started by crontab, the same command works in a terminal", "cann-env-not-sourced"),
    ("toolkit seen, not sourced", HCCL, toolkit("8.2.RC1"), "cann-env-not-sourced"),
    ("image", HCCL, "docker run -it quay.io/ascend/vllm-ascend:v0.11.0rc1 bash", "cann-env-not-sourced"),
    (
        "no set_env.sh",
        f"bash: /usr/local/Ascend/ascend-toolkit/set_env.sh: No such file or directory\n{HCCL}",
        None,
        "cann-missing",
    ),
    ("told missing", HCCL, "torch_npu was built in a container without CANN", "cann-missing"),
    ("no toolkit, Chinese", HCCL, "已安装 torch_npu，未安装 CANN", "cann-missing"),
    ("no npu-smi", f"bash: npu-smi: command not found\n{HCCL}", None, "cann-missing"),
    (
        "dangling latest",
        HCCL,
        "/usr/local/Ascend/ascend-toolkit/latest: broken symbolic link to ./8.2.RC1",
        "cann-symlink-broken",
    ),
    (
        "empty folder",
        HCCL,
        '{"/usr/local/Ascend/cann-9.1.0": "empty", "npu-smi": "works"}',
        "cann-symlink-broken",
    ),
    (
        "ls of a link",
        f"ls: cannot access '/usr/local/Ascend/cann/lib64': No such file or directory\n{HCCL}",
        None,
        "cann-symlink-broken",
    ),
    ("link, Chinese", HCCL, "/usr/local/Ascend/ascend-toolkit/latest 软链接失效", "cann-symlink-broken"),
    ("a part of a sourced toolkit", missing("libhixl.so"), SOURCED + toolkit("8.2.RC1"), "cann-lib-missing"),
    ("a part only", missing("libhcomm.so"), None, "cann-lib-missing"),
    ("words", "libascend_trace.so could not be located", None, "cann-lib-missing"),
    (
        "libgraph dropped",
        missing("libgraph.so"),
        SOURCED + "CANN 9.2.0\ntorch_npu 2.8.0",
        "torch-npu-cann-mismatch",
    ),
    (
        "libregister dropped",
        "OSError: libregister.so: cannot open shared object file: No such file or directory",
        "cann: 9.2.0",
        "torch-npu-cann-mismatch",
    ),
    ("libgraph of an older CANN", missing("libgraph.so"), toolkit("8.1.RC1"), "cann-env-not-sourced"),
    # --- variables
    (
        "opp path",
        "Exception: ASCEND_OPP_PATH environment variable is not set. Please check whether the opp package has been installed. If exist, please run 'source set_env.sh' in the CANN installation path.",
        None,
        "cann-env-not-sourced",
    ),
    ("pyacl package", "ModuleNotFoundError: No module named 'acl'", None, "cann-env-not-sourced"),
    (
        "device type",
        '    raise RuntimeError("Failed to infer device type")\nRuntimeError: Failed to infer device type',
        None,
        "cann-env-not-sourced",
    ),
    # --- symbols
    (
        "acl function",
        "ImportError: /opt/py/site-packages/torch_npu/lib/libtorch_npu.so: undefined symbol: aclrtDeviceGetBareTgid",
        None,
        "torch-npu-cann-mismatch",
    ),
    ("profiler function", "undefined symbol: MsprofRegTypeInfo", None, "torch-npu-cann-mismatch"),
    (
        "hccl function",
        "ImportError: libtorch_npu.so: undefined symbol: HcclCommInitClusterInfoConfig",
        None,
        "torch-npu-cann-mismatch",
    ),
    (
        "ge class",
        "ImportError: /x/torch_npu/lib/libtorch_npu.so: undefined symbol: _ZN2ge5Graph8AddSinkEv",
        None,
        "torch-npu-cann-mismatch",
    ),
    (
        "found late",
        "RuntimeError: Failed to find function aclrtSetDeviceSatMode\n[ERROR] ERR04008 PROF resource not found",
        None,
        "torch-npu-cann-mismatch",
    ),
    (
        "two toolkits",
        "/usr/local/Ascend/cann-8.5.0/aarch64-linux/lib64/libgraph_base.so: undefined symbol: _ZN2ge16GetSanitizedNameERKSs",
        None,
        "cann-versions-mixed",
    ),
    (
        "server",
        "./llama-box: symbol lookup error: ./llama-box: undefined symbol: aclrtMallocAsync",
        None,
        "binary-built-for-other-cann",
    ),
    (
        "plugin",
        "Failed to load libhuawei_ascend_npu.so, /opt/lite/libhuawei_ascend_npu.so: undefined symbol: _ZN2ge8Operator7SetAttrEPKcb",
        None,
        "binary-built-for-other-cann",
    ),
    (
        "custom operator",
        "execute_add_op: symbol lookup error: ./build/execute_add_op: undefined symbol: aclnnAddCustomGetWorkspaceSize",
        None,
        "custom-ops-missing",
    ),
    # --- the compiler
    (
        "decorator",
        f"{COMPILEOPT}\n{PTA}\nEnvironment_Error_Import_Python_Module_Failed(EC0010): Failed to import Python module ModuleNotFoundError: No module named 'decorator'.",
        None,
        "cann-python-deps-missing",
    ),
    (
        "scipy",
        f"{COMPILEOPT}\n{GE}\nEC0010: Failed to import Python module [ModuleNotFoundError: No module named 'scipy'].",
        None,
        "cann-python-deps-missing",
    ),
    (
        "attr in a rank",
        "[rank3]: EC0010: [PID: 77] Failed to import Python module [ModuleNotFoundError: No module named 'attr'].",
        None,
        "cann-python-deps-missing",
    ),
    (
        "older code",
        "E40020: Failed to import Python module [ModuleNotFoundError: No module named 'sympy'].",
        None,
        "cann-python-deps-missing",
    ),
    ("bare module", "ModuleNotFoundError: No module named 'decorator'", None, "cann-python-deps-missing"),
    (
        "an unlisted module",
        "EC0010: Failed to import Python module ModuleNotFoundError: No module named 'synr_next'.",
        None,
        "cann-python-deps-missing",
    ),
    (
        "common module while compiling",
        f"{COMPILEOPT}\nModuleNotFoundError: No module named 'google'",
        None,
        "cann-python-deps-missing",
    ),
    (
        "told",
        None,
        '{"missing_python_packages": ["psutil"], "symptom": "CANN initialisation error"}',
        "cann-python-deps-missing",
    ),
    ("tbe", f"{COMPILEOPT}\nModuleNotFoundError: No module named 'tbe'", None, "cann-pythonpath-wrong"),
    (
        "tbe in plog",
        "[ERROR] TUNE(99,python):2024-04-08-15:18:43.444.270 [pywrapper.cpp:94][CANNKB][Tid:99]\"ModuleNotFoundError: No module named 'tbe.common'\n[ERROR] TEFUSION(99,python):2024-04-08-15:18:43.444.546 [fusion_manager.cc:660]99 InitCannKB call CannKbInit failed. res = [3].",
        None,
        "cann-pythonpath-wrong",
    ),
    (
        "te_fusion",
        "ImportError: No module named te_fusion\nRuntimeError: error code is 500001",
        None,
        "cann-pythonpath-wrong",
    ),
    (
        "PYTHONPATH in the job script",
        f"{COMPILEOPT}\nModuleNotFoundError: No module named 'tbe'",
        "PYTHONPATH=. torchrun --nproc_per_node 8 train.py",
        "cann-pythonpath-wrong",
    ),
    (
        "platform",
        f"{COMPILEOPT}\nEH9999: [Init][PlatformInfo]init runtime platform info failed, SocVersion = Ascend910_9382[FUNC:ReportInnerError]",
        None,
        "soc-platform-config-missing",
    ),
    (
        "platform, other words",
        "EH9999: [Inner] [PLATFORM]PlatformInfoInit runtime platform info failed. SocVersion Ascend310P3[FUNC:ReportInnerError]",
        None,
        "soc-platform-config-missing",
    ),
    (
        "bare 500001",
        f"{COMPILEOPT}\n{PTA}\n[Error]: The internal ACL of the system is incorrect.",
        None,
        "op-compiler-init-failed",
    ),
    ("jit compile", "RuntimeError: Get ACL JitCompile default value failed", None, "op-compiler-init-failed"),
    (
        "env of GE",
        "EH9999: Inner Error!\nEH9999  [Init][Env]init env failed![FUNC:ReportInnerError][FILE:log_inner.cpp][LINE:145]\n        build op model failed, result = 500001",
        None,
        "op-compiler-init-failed",
    ),
    (
        "other TVM",
        "ValueError: Cannot find global function cce.product_init\n" + COMPILEOPT,
        None,
        "op-compiler-init-failed",
    ),
    (
        "numpy 2 beside 500001",
        COMPILEOPT,
        "[pip3] numpy==2.0.2\n[pip3] torch==2.7.1\n" + toolkit("8.2.RC1"),
        "numpy2-incompatible",
    ),
    (
        "numpy 2, CANN not told",
        COMPILEOPT,
        "numpy 2.2.6\ntorch 2.5.1\ntorch-npu 2.5.1",
        "numpy2-incompatible",
    ),
    (
        "numpy 2 with CANN 9.1",
        COMPILEOPT,
        "[pip3] numpy==2.2.6\n[pip3] torch-npu==2.10.0.post4\n" + toolkit("9.1.0", "/usr/local/Ascend/cann"),
        "op-compiler-init-failed",
    ),
    (
        "numpy conflict",
        "pkg_resources.ContextualVersionConflict: (numpy 2.1.3 (/opt/lib/python3.11/site-packages), Requirement.parse('numpy<2.0.0'), {'vllm-ascend'})",
        None,
        "numpy2-incompatible",
    ),
    (
        "pip on numpy",
        "vllm-ascend 0.9.0 requires numpy<2.0.0, but you have numpy 2.2.6 which is incompatible.",
        None,
        "numpy2-incompatible",
    ),
    (
        "numpy removed a name",
        f"{COMPILEOPT}\nEC0010: Failed to import Python module [AttributeError: `np.float_` was removed in the NumPy 2.0 release. Use `np.float64` instead.].",
        None,
        "numpy2-incompatible",
    ),
    (
        "scipy and numpy",
        "AttributeError: module 'numpy' has no attribute 'long'. Did you mean: 'log'?",
        "scipy 1.18.1\nnumpy 1.26.4",
        "scipy-numpy-mismatch",
    ),
    (
        "scipy and numpy while compiling",
        f"{COMPILEOPT}\nEC0010: Failed to import Python module [AttributeError: module 'numpy' has no attribute 'long'].",
        None,
        "scipy-numpy-mismatch",
    ),
    (
        "compile",
        "E40021: Failed to compile Op [te_gatherv2_0].\n[GraphOpt][FusedGraph][RunCompile] Failed to compile graph with compiler Normal mode Op Compiler",
        None,
        "op-compile-failed",
    ),
    (
        "kernel_meta",
        "[SubGraphOpt][ParseJson][PkgTvmJsInfo] Parse blockDim failed, the json file:/home/u/kernel_meta/kernel_meta_1/kernel_meta/te_cast_1.json.",
        None,
        "op-compile-failed",
    ),
    (
        "op model",
        "EZ9999: Inner Error!\n        build op model failed, result = 500002[FUNC:ReportInnerError][FILE:log_inner.cpp][LINE:145]",
        None,
        "op-compile-failed",
    ),
    (
        "read-only folder",
        "OSError: [Errno 30] Read-only file system: '/workspace/kernel_meta/kernel_meta_123'",
        None,
        "workdir-not-writable",
    ),
    (
        "root folder",
        "PermissionError: [Errno 13] Permission denied: '/kernel_meta'",
        None,
        "workdir-not-writable",
    ),
    (
        "debug folder",
        f"{COMPILEOPT}\nE10001: The value [/app] of the option ge.debugDir is invalid. Reason: the path is not writable",
        None,
        "workdir-not-writable",
    ),
    # --- operators
    (
        "kernels",
        "RuntimeError: call aclnnAdd failed, detail:EZ1001: [PID: 7] 2025-03-04-15:41:40.695.851 Get path and read binary_info_config.json failed, please check if the opp_kernel package is installed!",
        None,
        "cann-kernels-missing",
    ),
    ("kernels told", "opp_kernels is not installed", None, "cann-kernels-missing"),
    (
        "dynamic kernels",
        "EZ9999: Inner Error!\nEZ9999: [PID: 3513] Parse dynamic kernel config fail.\n       AclOpKernelInit failed opType\n       ZerosLike ADD_TO_LAUNCHER_LIST_AICORE failed.",
        None,
        "cann-kernels-wrong-chip",
    ),
    (
        "EZ1013",
        "RuntimeError: zero_: NPU function error: call aclnnInplaceZero failed, error code is 561103\nConfig_Error(EZ1013): In the dynamic shape scenario, the JSON configuration file of operator aclnnInplaceZero_55_ZerosLikeAiCore cannot be found.",
        None,
        "cann-kernels-wrong-chip",
    ),
    (
        "other chip by package",
        "call aclnnInplaceZero failed, error code is 561103\nParse dynamic kernel config fail",
        "installed: Ascend-cann-310p-ops_9.0.0_linux-aarch64.run\nchip: Ascend910B3",
        "cann-kernels-wrong-chip",
    ),
    (
        "custom kernels",
        "ParseDynamicKernelConfig failed\nOp KdaGateCumsum does not has any binary",
        None,
        "custom-ops-missing",
    ),
    (
        "config.ini",
        "[WARNING]  Can not open file: /usr/local/Ascend/cann/opp/vendors/config.ini.\n[ERROR] Get path and read binary_info_config.json failed, please check if the opp_kernel package is installed!",
        None,
        "opp-files-unreadable",
    ),
    (
        "opp permission",
        "PermissionError: [Errno 13] Permission denied: '/usr/local/Ascend/ascend-toolkit/latest/opp/built-in/op_impl/ai_core/tbe/config/ascend910b/aic-ascend910b-ops-info.json'",
        None,
        "opp-files-unreadable",
    ),
    ("framework operator", not_in_opapi("aclnnAddRmsNormBias"), None, "custom-ops-missing"),
    (
        "framework operator, wrapped",
        "aclnnDispatchFFNCombine or aclnnDispatchFFNCombineGetWorkspaceSize\nnot in libopapi.so, or libopapi.so not found.\n",
        None,
        "custom-ops-missing",
    ),
    (
        "own operator of an old CANN",
        not_in_opapi("aclnnFusedInferAttentionScoreV3"),
        "torch_npu 2.8.0.post2\n" + toolkit("8.1.RC1"),
        "cann-too-old",
    ),
    ("own operator", not_in_opapi("aclnnPromptFlashAttentionV3"), None, "cann-too-old"),
    (
        "kernels library",
        "ERROR camem: Failed to import vllm_ascend_C:libvllm_ascend_kernels.so: cannot open shared object file: No such file or directory",
        None,
        "custom-ops-missing",
    ),
    (
        "unregistered",
        "AttributeError: '_OpNamespace' '_C_ascend' object has no attribute 'weak_ref_tensor'",
        None,
        "custom-ops-missing",
    ),
    ("camem", "AssertionError: camem allocator is not available", None, "custom-ops-missing"),
    # --- releases
    ("alpha", None, "CANN: 8.3.RC1.alpha002\nchip: 910B3\naclrtHostRegister fails", "cann-alpha-release"),
    ("alpha alone", None, toolkit("8.2.RC1.alpha003"), "cann-alpha-release"),
    (
        "mixed by variables",
        None,
        "ASCEND_HOME_PATH=/opt/Ascend/cann-8.5.0\nLD_LIBRARY_PATH=/opt/Ascend/cann-8.5.0/lib64:/opt/Ascend/cann-9.0.0/lib64",
        "cann-versions-mixed",
    ),
    ("mixed, told", "error code is 507033", "LD_LIBRARY_PATH holds two toolkits", "cann-versions-mixed"),
    (
        "another CANN at run time",
        "[W utility.cc:57 InitializeAscendCL] CANN version mismatch. The build version is 0.0.0, but the current environment version is 6.0.1.",
        None,
        "cann-versions-mixed",
    ),
    (
        "built for another CANN",
        "CANN version mismatch. The build version is 6.3.RC1, but the current environment version is 5.1.2.",
        None,
        "binary-built-for-other-cann",
    ),
    ("binary", None, "binary_built_for: 8.0.RC3\ncann: 8.2.RC1", "binary-built-for-other-cann"),
    (
        "older than told",
        None,
        "cann: older than 8.0 (exact version not seen)\ntorch_npu 2.5.1",
        "cann-too-old",
    ),
    ("table, older", None, "torch_npu 2.8.0.post2\n" + toolkit("8.2.RC1"), "cann-too-old"),
    (
        "table, newer",
        None,
        "torch_npu 2.5.1\n" + toolkit("9.0.0", "/usr/local/Ascend/cann"),
        "torch-npu-cann-mismatch",
    ),
    ("crash", ">>> import torch_npu\nSegmentation fault (core dumped)", "CANN 8.0.RC3", "cann-too-old"),
    (
        "parts of a toolkit",
        "libgraph.so: cannot open shared object file\nlibgraph_base.so: cannot open shared object file\nlibhccl.so FAIL libhcomm.so: cannot open shared object file",
        None,
        "cann-lib-missing",
    ),
    ("no NPU, Chinese", HCCL, "无 NPU 的机器上装了 torch-npu", "cann-missing"),
    (
        "library on the line before",
        "libgraph.so FAIL\n/opt/Ascend/cann-8.5.0/aarch64-linux/lib64/libgraph_base.so:\nundefined symbol: _ZN2ge16GetSanitizedNameERKSs\n",
        None,
        "cann-versions-mixed",
    ),
    (
        "custom operator at link time",
        "main.cpp: undefined reference to `aclnnPpMatMulOpt'",
        None,
        "custom-ops-missing",
    ),
    (
        "folder of this chip is lean",
        "AclOpKernelInit failed, error 561103",
        "tbe/kernel/ascend910b/ contains only `ops_oam`\nchip: Ascend910B2",
        "cann-kernels-missing",
    ),
    (
        "folder of another chip is full",
        "Parse dynamic kernel config fail.",
        "`ascend910_93` 仅 9 个（`ascend910b` 有 9,538）\nchip: Ascend910_9382",
        "cann-kernels-wrong-chip",
    ),
    (
        "release asked for",
        "RuntimeError: npu_mla_prolog requires CANN >= 8.3.RC1",
        toolkit("8.1.RC1"),
        "cann-too-old",
    ),
    ("told not to fit", None, "torch_npu2.7.1 和CANN 8.3.RC1不兼容", "torch-npu-cann-mismatch"),
    (
        "package names its CANN",
        None,
        "deep-ep==1.0.0+3f61eab6.cann.8.3.rc2.b210\n" + toolkit("8.1.RC1"),
        "binary-built-for-other-cann",
    ),
    ("stubs", "aclInit failed, errorCode = 100039", None, "cann-versions-mixed"),
    (
        "numpy lost a name",
        "AttributeError: module 'numpy' has no attribute 'product'",
        toolkit("8.1.RC1"),
        "numpy2-incompatible",
    ),
    (
        "numpy alias while compiling",
        f"{COMPILEOPT}\nAttributeError: module 'numpy' has no attribute 'bool'",
        None,
        "numpy2-incompatible",
    ),
]


@pytest.mark.parametrize(
    ("log", "report", "cause"), [row[1:] for row in FIRST], ids=[row[0] for row in FIRST]
)
def test_the_first_cause(log: str | None, report: str | None, cause: str) -> None:
    assert causes_of(log, report)[:1] == [cause]


CONSEQUENCES = [
    (
        "500001 of a Python package",
        f"{COMPILEOPT}\nEC0010: Failed to import Python module ModuleNotFoundError: No module named 'scipy'.",
        "CAN008",
        "CAN005",
    ),
    ("500001 of PYTHONPATH", f"{COMPILEOPT}\nModuleNotFoundError: No module named 'tbe'", "CAN008", "CAN006"),
    (
        "500001 of platform data",
        f"{COMPILEOPT}\n[Init][PlatformInfo]init runtime platform info failed, SocVersion = Ascend310P3",
        "CAN008",
        "CAN007",
    ),
    (
        "500001 of scipy",
        f"{COMPILEOPT}\nAttributeError: module 'numpy' has no attribute 'long'",
        "CAN008",
        "CAN015",
    ),
    ("device type of a library", f"RuntimeError: Failed to infer device type\n{HCCL}", "CAN002", "CAN001"),
    (
        "kernels of permissions",
        "PermissionError: [Errno 13] Permission denied: '/usr/local/Ascend/cann/opp/vendors/config.ini'\nGet path and read binary_info_config.json failed",
        "CAN010",
        "CAN011",
    ),
    (
        "a failed operator of a dead compiler",
        f"{COMPILEOPT}\nbuild op model failed, result = 500001",
        "CAN009",
        "CAN008",
    ),
]


@pytest.mark.parametrize(
    ("log", "follows", "root"), [row[1:] for row in CONSEQUENCES], ids=[row[0] for row in CONSEQUENCES]
)
def test_what_follows_from_what(log: str, follows: str, root: str) -> None:
    finding = next(one for one in diagnose_text(log=log).findings if one.id == follows)

    assert root in finding.because_of


SILENT = [
    (CannLibraryNotFound, missing("libatb.so"), None),
    (CannLibraryNotFound, missing("libascend_hal.so"), None),
    (CannLibraryNotFound, "OSError: libcust_opapi.so: cannot open shared object file", None),
    (CannEnvironmentNotSourced, "Warning: ASCEND_HOME_PATH environment variable is not set.", None),
    (CannEnvironmentNotSourced, "RuntimeError: Failed to infer device type", SOURCED),
    (BrokenCannLink, "lrwxrwxrwx 1 root root 10 /usr/local/Ascend/cann -> cann-9.0.0", None),
    (CannSymbolMissing, "libtorch_npu.so: undefined symbol: _ZN5torch10ValueErrorC1EPKcz", None),
    (
        CannSymbolMissing,
        "libtorch_npu.so: undefined symbol: _ZN3atb15CreateOperationINS_5infer14GroupTopkParamEEE",
        None,
    ),
    (
        CannSymbolMissing,
        "[W compiler_depend.ts:659] Warning: 0Failed to find function aclrtSynchronizeDeviceWithTimeout (function operator())",
        None,
    ),
    (CompilerPackageMissing, "ModuleNotFoundError: No module named 'transformers'", None),
    (CompilerPackageMissing, "ModuleNotFoundError: No module named 'google'", None),
    (CompilerPackageMissing, "ModuleNotFoundError: No module named 'tbe'\n" + COMPILEOPT, None),
    (TbeNotImportable, "ModuleNotFoundError: No module named 'tensorboard'", None),
    (PlatformInfoMissing, "get platform info failed, drvErr=87.", None),
    (CompilerNotStarted, "error code is 507033", None),
    (OperatorCompileFailed, "rm -rf kernel_meta", None),
    (KernelsNotFound, "call aclnnAdd failed, error code is 161002", None),
    (OppUnreadable, "PermissionError: [Errno 13] Permission denied: '/kernel_meta'", None),
    (AclnnOperatorMissing, "call aclnnSwiGlu failed", None),
    (
        CustomLibraryMissing,
        "Failed to import vllm_ascend_C: /x/vllm_ascend_C.so: undefined symbol: _ZN3c10",
        None,
    ),
    (NumpyTooNew, COMPILEOPT, "numpy 1.26.4"),
    (NumpyTooNew, None, "[pip3] numpy==2.2.6\n" + toolkit("9.1.0", "/usr/local/Ascend/cann")),
    (
        NumpyTooNew,
        "numba 0.61 requires numpy<2.3,>=1.24, but you have numpy 2.4.0 which is incompatible.",
        None,
    ),
    (NumpyTooNew, "AttributeError: module 'numpy' has no attribute 'bool'", None),
    (ScipyNumpyMismatch, "AttributeError: module 'numpy' has no attribute 'bool'", None),
    (CannSymbolMissing, "demo.cc:33: undefined reference to `aclInit'", None),
    (TorchNpuMismatch, "please upgrade CANN to 8.1.RC1", "CANN: 8.3.RC1"),
    (CompileFolderNotWritable, "PermissionError: [Errno 13] Permission denied: '/dev/davinci0'", None),
    (MixedToolkits, None, SOURCED),
    (MixedToolkits, None, "CANN version mismatch: local[8.3], remote[8.2]"),
    (PrereleaseToolkit, None, toolkit("8.3.RC1")),
    (PrereleaseToolkit, None, "CANN: 8.0.0.beta1"),
    (TorchNpuMismatch, None, "torch_npu 2.7.1\n" + toolkit("8.3.RC1")),
    (TorchNpuMismatch, None, "torch_npu 2.8.0\n" + toolkit("8.3.RC2")),
    (BinaryForOtherCann, None, "built with GCC 11.4.0\nCANN: 8.2.RC1"),
    (BinaryForOtherCann, None, "built with CANN 8.2.RC1\nCANN: 8.2.RC1"),
    (CrashOnOtherCann, "Segmentation fault (core dumped)", None),
    (CrashOnOtherCann, "import torch_npu\nSegmentation fault", "torch_npu 2.7.1\n" + toolkit("8.3.RC1")),
]


@pytest.mark.parametrize(("check", "log", "report"), SILENT)
def test_silent(check: type[Check], log: str | None, report: str | None) -> None:
    assert run_check(check, log, report) in ([], None) or isinstance(run_check(check, log, report), Skip)


@pytest.mark.parametrize("check", [PrereleaseToolkit, OpsMismatch])
def test_skipped_without_a_toolkit(check: type[Check]) -> None:
    assert isinstance(run_check(check, log="nothing of interest"), Skip)


@pytest.mark.parametrize(
    ("ops", "cann", "fires"),
    [
        ("8.0.RC3", "8.2.RC1", True),
        ("8.2.RC1", "8.2.RC1", False),
        ("8.2.RC1.B150", "8.2.RC1", False),
        ("8.5.2", "9.0.0", False),
    ],
)
def test_ops_of_another_release(ops: str, cann: str, fires: bool) -> None:
    found = run_check(OpsMismatch, cann=vendor(cann), ops=(OpsPackage("910b", vendor(ops)),))

    assert bool(found) is fires


def test_kernels_of_another_chip_are_told_by_the_packages() -> None:
    found = run_check(
        KernelsNotFound,
        log="Parse dynamic kernel config fail.",
        chip="Ascend910_9382",
        ops=(OpsPackage("910b", None),),
    )

    assert not isinstance(found, Skip)
    assert found[0].cause == "cann-kernels-wrong-chip"


def test_kernels_of_this_chip_rule_out_both() -> None:
    found = run_check(
        KernelsNotFound,
        log="Parse dynamic kernel config fail.",
        chip="Ascend910B3",
        ops=(OpsPackage("910b", None),),
    )

    assert not isinstance(found, Skip)
    assert "cann-kernels-wrong-chip" not in {one.cause for one in found}
    assert "cann-kernels-missing" not in {one.cause for one in found}


def test_a_link_that_the_collector_found_broken() -> None:
    found = run_check(
        BrokenCannLink, log="-", cann_links=(Link("/usr/local/Ascend/cann", "cann-9.0.0", broken=True),)
    )

    assert not isinstance(found, Skip)
    assert [(one.cause, one.severity) for one in found] == [("cann-symlink-broken", Severity.WARNING)]


def test_a_library_that_the_collector_found_missing() -> None:
    fault = Signal(
        "missing-library",
        {"library": "libhccl.so", "needed_by": "/x/libtorch_npu.so"},
        Evidence("/x/libtorch_npu.so", "libhccl.so"),
    )

    found = run_check(CannLibraryNotFound, signals=Signals((fault,)))

    assert not isinstance(found, Skip)
    assert found[0].cause == "cann-env-not-sourced"
    assert found[0].evidence == (fault.evidence,)


def test_libraries_of_two_toolkits_in_one_process() -> None:
    mapped = ("/usr/local/Ascend/cann-8.5.0/lib64/libascendcl.so", "/opt/Ascend/cann-9.0.0/lib64/libgraph.so")

    found = run_check(MixedToolkits, log="-", mapped_libraries=mapped)

    assert not isinstance(found, Skip)
    assert [(one.cause, one.severity) for one in found] == [("cann-versions-mixed", Severity.ERROR)]


def test_a_folder_that_cannot_be_written_is_a_warning_until_something_fails() -> None:
    found = run_check(CompileFolderNotWritable, log="-", working_folder_writable=False)

    assert not isinstance(found, Skip)
    assert [one.severity for one in found] == [Severity.WARNING]


@pytest.mark.parametrize(
    ("library", "packages", "severity"),
    [("2.1.0", "8.2.RC1", Severity.WARNING), ("1.26.4", "8.2.RC1", None), ("2.1.0", "9.1.0", None)],
)
def test_numpy_by_the_table(library: str, packages: str, severity: Severity | None) -> None:
    listed = Packages(MappingProxyType({"numpy": Package("numpy", library)}))

    found = run_check(NumpyTooNew, log="-", packages=listed, cann=vendor(packages))

    assert not isinstance(found, Skip)
    assert [one.severity for one in found] == ([] if severity is None else [severity])


@pytest.mark.parametrize(("complete", "fires"), [(True, True), (False, False)])
def test_a_whole_listing_without_the_documented_packages(complete: bool, fires: bool) -> None:
    listed = Packages(MappingProxyType({"torch": Package("torch", "2.5.1")}), complete=complete)

    found = run_check(CompilerPackageMissing, log=COMPILEOPT, packages=listed)

    assert bool(found) is fires


def test_the_fix_names_the_pair_for_this_box() -> None:
    found = run_check(
        CannSymbolMissing,
        log="libtorch_npu.so: undefined symbol: aclrtDeviceGetBareTgid",
        cann=vendor("8.2.RC1"),
        arch="aarch64",
        python=pep440("3.11.9"),
    )

    assert not isinstance(found, Skip)
    assert any("torch-npu==2.6.0" in step.run for step in found[0].fix)


@pytest.mark.parametrize(
    ("environment", "sourced"),
    [
        ({}, None),
        ({"ASCEND_HOME_PATH": "/usr/local/Ascend/cann-9.0.0"}, True),
        ({"LD_LIBRARY_PATH": "/usr/local/Ascend/cann-9.0.0/lib64"}, True),
        ({"LD_LIBRARY_PATH": "/usr/local/Ascend/driver/lib64"}, False),
    ],
)
def test_whether_a_toolkit_was_sourced(environment: dict[str, str], sourced: bool | None) -> None:
    assert is_sourced(environment) is sourced


@pytest.mark.parametrize(
    ("path", "roots"),
    [
        ("/usr/local/Ascend/ascend-toolkit/latest/lib64:/usr/local/Ascend/cann-8.5.0/lib64", ()),
        ("/usr/local/Ascend/ascend-toolkit/latest/lib64:/usr/local/Ascend/driver/lib64", ()),
        ("/usr/local/Ascend/nnal/atb/latest/atb/cxx_abi_1/lib:/usr/local/Ascend/cann/lib64", ()),
        (
            "/opt/Ascend/cann-8.5.0/lib64:/opt/Ascend/cann-9.0.0/lib64",
            ("/opt/Ascend/8.5.0", "/opt/Ascend/9.0.0"),
        ),
        (
            "/home/me/Ascend/cann/lib64:/usr/local/Ascend/cann/lib64",
            ("/home/me/Ascend/cann", "/usr/local/Ascend/cann"),
        ),
    ],
)
def test_toolkits_that_cannot_be_one_tree(path: str, roots: tuple[str, ...]) -> None:
    assert separate_roots({"LD_LIBRARY_PATH": path}) == roots


def test_a_full_disk_under_the_operator_compiler_is_why_it_does_not_start() -> None:
    log = "TBE raise error[[Errno 28] No space left on device]\nInitCannKB call CannKbInit failed. res = [6]."

    assert causes_of(log=log)[:3] == ["workdir-not-writable", "disk-full", "op-compiler-init-failed"]
