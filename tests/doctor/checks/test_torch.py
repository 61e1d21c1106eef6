"""The checks of torch and torch_npu: what they name first, where they stay silent, and when they are skipped."""

from __future__ import annotations

from typing import Any

import pytest
from tests.doctor.helpers import causes_of, diagnose_text, run_check

from ascendenv.doctor.checks.torch.backend_not_loaded import BackendNotLoaded
from ascendenv.doctor.checks.torch.broken_install import BrokenInstall
from ascendenv.doctor.checks.torch.cuda_asked_for import CudaAskedFor
from ascendenv.doctor.checks.torch.foreign_extension import ForeignExtension
from ascendenv.doctor.checks.torch.headers_not_found import HeadersNotFound
from ascendenv.doctor.checks.torch.missing_operator import MissingOperator
from ascendenv.doctor.checks.torch.missing_package import MissingPackage
from ascendenv.doctor.checks.torch.pair_mismatch import PairMismatch
from ascendenv.doctor.checks.torch.shadowed_package import ShadowedPackage
from ascendenv.doctor.checks.torch.transfer_shim import TransferShim
from ascendenv.doctor.checks.torch.two_accelerators import TwoAccelerators
from ascendenv.doctor.checks.torch.undeclared_dependencies import UndeclaredDependencies
from ascendenv.doctor.checks.torch.wrong_post_release import WrongPostRelease
from ascendenv.doctor.finding import Confidence, Severity, Skip
from ascendenv.facts.model import Package, Packages
from ascendenv.facts.unknown import NOT_GIVEN
from ascendenv.versions import pep440

WRAPPER = (
    "RuntimeError: Failed to load the backend extension: torch_npu. You can disable extension auto-loading with "
    "TORCH_DEVICE_BACKEND_AUTOLOAD=0."
)
NPU = (
    "+------------------------------------------------------------------------------------------------+\n"
    "| npu-smi 25.2.0                   Version: 25.2.0                                               |\n"
    "+---------------------------+---------------+----------------------------------------------------+\n"
    "| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|\n"
    "| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |\n"
    "+===========================+===============+====================================================+\n"
    "| 3     910B2               | OK            | 93.1        36                0    / 0             |\n"
    "| 0                         | 0000:C1:00.0  | 0           0    / 0          3418 / 65536         |\n"
)
HEADER = "csrc/ops.cpp:20:10: fatal error: torch_npu/csrc/core/npu/NPUStream.h: No such file or directory"
NO_C = "ModuleNotFoundError: No module named 'torch_npu._C'"
IS_CONTIGUOUS = "_ZNK3c1010TensorImpl20is_contiguous_customENS_12MemoryFormatE"


def frame(root: str) -> str:
    return f'  File "{root}/torch_npu/npu/utils.py", line 11, in <module>\n    import torch_npu._C\n'


def pip_list(*pins: str) -> str:
    rows = [f"{name:30} {version}" for name, version in (pin.split("==") for pin in pins)]
    return "\n".join(
        ["Package                        Version", "------------------------------ ---------", *rows]
    )


def packages(*pins: str, complete: bool = True) -> Packages:
    rows = [Package(*pin.split("==")) for pin in pins]
    return Packages({row.name: row for row in rows}, complete)


@pytest.mark.parametrize(
    ("cause", "log", "report"),
    [
        # a symbol of torch that torch_npu misses, in all its libraries and launchers
        ("torch-npu-torch-mismatch", f"ImportError: /x/torch_npu/lib/libtorch_npu.so: undefined symbol: {IS_CONTIGUOUS}", None),
        ("torch-npu-torch-mismatch", "ImportError: /x/torch_npu/_C.cpython-311-aarch64-linux-gnu.so: undefined symbol: THPVariableClass", None),
        ("torch-npu-torch-mismatch", "[rank7]: OSError: /x/torch_npu/lib/libop_plugin_atb.so: undefined symbol: _ZN5torch7Library4_defEON3c1012OperatorNameE", None),
        ("torch-npu-torch-mismatch", "(EngineCore_DP0 pid=7) ERROR 12-16 01:53:33 [core.py:845] undefined symbol: _ZN2at4_ops5zeros4callEv", None),
        ("torch-npu-torch-mismatch", "ImportError: libtorch_npu.so: undefined symbol: _ZN3c106detail14torchCheckFailEPKcS2_jRKSs", "torch 2.1.0\ntorch_npu 2.1.0.post3"),
        ("torch-npu-torch-mismatch", f"{WRAPPER}", pip_list("torch==2.8.0", "torch-npu==2.7.1")),
        ("torch-npu-torch-mismatch", "Segmentation fault (core dumped)", "torch 2.6.0\ntorch_npu 2.5.1"),
        ("torch-npu-torch-mismatch", "段错误 (核心已转储)", "torch 2.6.0\ntorch_npu 2.5.1"),
        ("torch-npu-torch-mismatch", None, pip_list("torch==2.8.0", "torch_npu==2.7.1.post1")),
        ("torch-npu-torch-mismatch", "  torch-npu 2.7.1 requires torch==2.7.1, but you have torch 2.8.0+cpu which is incompatible.", None),
        ("torch-npu-torch-mismatch", "ERROR: Cannot install torch==2.5.1 and torch-npu==2.6.0 because these package versions have conflicting dependencies.", None),
        # extensions of others
        ("extension-built-for-other-torch-npu", "/x/mmcv/_ext.cpython-39-aarch64-linux-gnu.so: undefined symbol: _ZN7c10_npu10NpuRunMode9cur_mode_E", None),
        ("extension-built-for-other-torch-npu", f"ImportError: /x/deep_ep/deep_ep_cpp.cpython-311-aarch64-linux-gnu.so: undefined symbol: {IS_CONTIGUOUS}", None),
        ("extension-built-for-other-torch-npu", "ImportError: /x/torchvision_npu/_C.so: undefined symbol: _ZN6at_npu6native9OpCommandC1Ev", None),
        ("extension-built-for-other-torch-npu", "/usr/bin/ld: main.o: undefined reference to `torch_npu::init_npu(std::string const&)'", None),
        ("extension-built-for-other-torch-npu", "Failed to import 'vllm_ascend.vllm_ascend_C': /x/vllm_ascend/vllm_ascend_C.cpython-311-aarch64-linux-gnu.so: undefined symbol: _ZN7c10_npu19getCurrentNPUStreamEa", None),
        # what torch_npu does not have yet
        ("torch-npu-too-old-for-framework", "AttributeError: module 'torch_npu' has no attribute '_npu_rotary_embedding'", "torch-npu: 2.5.1rc1\nvllm-ascend: 0.7.3rc1"),
        ("torch-npu-too-old-for-framework", "[rank0]: AttributeError: module 'torch_npu' has no attribute 'npu_geglu'", None),
        ("torch-npu-too-old-for-framework", "AttributeError: '_OpNamespace' 'npu' object has no attribute 'npu_moe_init_routing_v2'", None),
        ("torch-npu-too-old-for-framework", "AttributeError: module 'torch.npu' has no attribute 'mem_get_info'", None),
        ("torch-npu-too-old-for-framework", "AttributeError: module 'torch' has no attribute 'npu_giou'", None),
        ("torch-npu-too-old-for-framework", "ImportError: cannot import name 'npu_dtype_cast' from 'torch_npu.contrib' (/x/site-packages/torch_npu/contrib/__init__.py)", None),
        ("torch-npu-too-old-for-framework", "ModuleNotFoundError: No module named 'torch_npu._inductor'", None),
        ("torch-npu-too-old-for-framework", "ModuleNotFoundError: No module named 'torchnpugen'", None),
        ("torch-npu-too-old-for-framework", "启动时提示torch-npu缺少torch_npu.npu_selfattention、torch_npu.npu_rope函数", None),
        ("torch-npu-too-old-for-framework", None, pip_list("torch==2.5.1", "torch-npu==2.5.1rc1", "vllm-ascend==0.7.3rc1")),
        # torchair of another build
        ("torch-npu-post-release-wrong", "AttributeError: module 'torch_npu.dynamo.torchair' has no attribute 'get_npu_backend'", None),
        ("torch-npu-post-release-wrong", "ImportError: cannot import name 'CompilerConfig' from 'torchair' (/x/torchair/__init__.py)", None),
        ("torch-npu-post-release-wrong", "ModuleNotFoundError: No module named 'torch_npu.dynamo.torchair'", None),
        # something else than the whole wheel was imported
        ("import-from-source-dir", frame("/data/package/pytorch") + NO_C, None),
        ("import-from-source-dir", NO_C, None),
        ("import-from-source-dir", f"AttributeError: module 'torch_npu' has no attribute '_autoload'\n\n{WRAPPER}", None),
        ("import-from-source-dir", "ImportError: cannot import name 'npu' from 'torch_npu' (unknown location)", None),
        ("torch-npu-broken-install", frame("/usr/lib/python3.10/site-packages") + NO_C, None),
        ("torch-npu-broken-install", "ImportError: libtorch_npu.so: cannot open shared object file: No such file or directory", None),
        ("torch-npu-broken-install", "OSError: /x/torch_npu/lib/libtorch_npu.so: file too short", None),
        ("torch-npu-broken-install", "ImportError: /x/torch_npu/_C.so: undefined symbol: _ZN9torch_npu5utils8initTypeEv", None),
        ("torch-npu-missing", "Failed to import torch_npu.\nModuleNotFoundError: No module named 'torch_npu'", None),
        ("torch-npu-missing", "NameError: name 'torch_npu' is not defined", None),
        ("torch-npu-missing", "AttributeError: module 'torch' has no attribute 'npu'", None),
        ("torch-npu-missing", "RuntimeError: Expected one of cpu, cuda, mps, meta, privateuseone device type at start of device string: npu", None),
        ("torch-npu-missing", "ImportError: torch_npu is not installed", None),
        # what torch_npu imports
        ("torch-npu-python-deps-missing", f"{frame('/opt/venv/lib/python3.11/site-packages')}ModuleNotFoundError: No module named 'yaml'\n\n{WRAPPER}", None),
        ("torch-npu-python-deps-missing", "ModuleNotFoundError: No module named 'yaml'", None),
        ("torch-npu-python-deps-missing", f"ModuleNotFoundError: No module named 'numpy'\n{WRAPPER}", None),
        ("torch-npu-python-deps-missing", f"ModuleNotFoundError: No module named 'pybind11'\n{WRAPPER}", None),
        # two of a kind
        ("backend-autoload-conflict", "RuntimeError: Two accelerators cannot be used at the same time in PyTorch: npu and npu.", None),
        ("backend-autoload-conflict", "RuntimeError: Two accelerators cannot be used at the same time in PyTorch: npu and cuda.", None),
        ("backend-autoload-conflict", "RuntimeError: The runtime module of 'npu' has already been registered with '<module 'torch_npu.npu'>'", None),
        ("backend-autoload-conflict", "RuntimeError: torch.register_privateuse1_backend() has already been set! Current backend: npu", None),
        # the shim
        ("transfer-to-npu-shim", None, 'TORCH_TRANSFER_TO_NPU=1\ntriton_active_drivers: ["nvidia", "ascend"]\ntorch-npu 2.9.0'),
        ("transfer-to-npu-shim", "RuntimeError: 2 active drivers ([<class 'triton.backends.nvidia.driver.CudaDriver'>, <class 'triton.backends.ascend.driver.NPUDriver'>]). There should only be one.", None),
        ("transfer-to-npu-shim", ">>> from torch_npu.contrib import transfer_to_npu\ntorch.cuda.is_available() = True", None),
        ("transfer-to-npu-shim", "The torch.cuda.* and torch.cuda.amp.* are replaced with torch.npu.* and torch.npu.amp.* now..\nDistributed environment: MULTI_GPU  Backend: hccl", None),
        # CUDA
        ("torch-npu-too-old-for-framework", "AssertionError: Torch not compiled with CUDA enabled", None),
        ("torch-npu-too-old-for-framework", '  File "/x/site-packages/vllm_ascend/worker.py", line 188, in load_model\nAssertionError: Torch not compiled with CUDA enabled', None),
        ("cuda-hard-coded", "RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False.", "torch-npu 2.7.1"),
        # builds
        ("torch-npu-not-importable-at-build", HEADER, NPU),
        ("torch-npu-not-importable-at-build", "  Could NOT find Torch_npu (missing: TORCH_NPU_INCLUDE_DIRS)", None),
        ("torch-npu-not-importable-at-build", "csrc/a.cpp:3:10: 致命错误：torch_npu/csrc/core/npu/NPUStream.h：没有那个文件或目录", None),
        ("torch-npu-not-importable-at-build", '  File "/tmp/pip-build-env-hg9f334z/overlay/lib/python3.9/site-packages/x.py"\nModuleNotFoundError: No module named \'torch_npu\'', None),
        ("driver-absent-at-build-time", f"Dockerfile:30\n{HEADER}", None),
        ("driver-absent-at-build-time", f"/usr/bin/ld: cannot find -lascend_hal\n{HEADER}", None),
    ],
)  # fmt: skip
def test_the_cause_that_is_named_first(cause: str, log: str | None, report: str | None) -> None:
    assert causes_of(log, report)[0] == cause


@pytest.mark.parametrize(
    ("check", "log", "report"),
    [
        (PairMismatch, "ImportError: /x/libtorch_npu.so: undefined symbol: aclrtDeviceGetBareTgid", None),
        (PairMismatch, f"ImportError: /x/vllm/_C.abi3.so: undefined symbol: {IS_CONTIGUOUS}", None),
        (PairMismatch, None, "torch 2.7.1+cpu\ntorch_npu 2.7.1.post2"),
        (PairMismatch, None, "torch 2.7.1"),
        (ForeignExtension, f"ImportError: /x/torch_npu/lib/libtorch_npu.so: undefined symbol: {IS_CONTIGUOUS}", None),
        (ForeignExtension, "OSError: /x/libatb.so: undefined symbol: _ZN3Mki2DlC1ERKSsb", None),
        (ForeignExtension, f"ImportError: /x/vllm/_C.abi3.so: undefined symbol: {IS_CONTIGUOUS}", None),
        (MissingOperator, "AttributeError: '_OpNamespace' '_C_ascend' object has no attribute 'npu_hc_pre'", None),
        (MissingOperator, "AttributeError: module 'torch_npu' has no attribute '_autoload'", None),
        (MissingOperator, "AttributeError: module 'numpy' has no attribute 'long'", None),
        (MissingOperator, "    torch_npu.npu_fusion_attention(q, k, v)", None),
        (MissingOperator, "flash_attn has no NPU build, using torch_npu.npu_fusion_attention instead", None),
        (MissingOperator, None, pip_list("torch==2.7.1", "torch-npu==2.7.1", "vllm-ascend==0.11.0rc1")),
        (WrongPostRelease, "AttributeError: module 'torch_npu' has no attribute 'npu_rope'", None),
        (ShadowedPackage, "ModuleNotFoundError: No module named 'torch_npu'", None),
        (ShadowedPackage, "AttributeError: module 'torch' has no attribute 'npu'", None),
        (MissingPackage, NO_C, None),
        (MissingPackage, None, "torch 2.7.1"),
        (BrokenInstall, "ImportError: libhccl.so: cannot open shared object file: No such file or directory", None),
        (UndeclaredDependencies, "ModuleNotFoundError: No module named 'numpy'", None),
        (UndeclaredDependencies, f"ModuleNotFoundError: No module named 'tbe'\n{WRAPPER}", None),
        (BackendNotLoaded, f"ImportError: libhccl.so: cannot open shared object file: x\n{WRAPPER}", None),
        (BackendNotLoaded, f"AttributeError: module 'triton' has no attribute 'language'\n{WRAPPER}", None),
        (TwoAccelerators, WRAPPER, None),
        (TransferShim, "RuntimeError: 0 active drivers ([]). There should only be one.", None),
        (TransferShim, "The torch.cuda.* and torch.cuda.amp.* are replaced with torch.npu.* and torch.npu.amp.* now..", None),
        (TransferShim, "TORCH_TRANSFER_TO_NPU=0", None),
        (CudaAskedFor, "Is CUDA available: False", None),
        (HeadersNotFound, "   20 | #include <torch_npu/csrc/core/npu/NPUStream.h>", None),
        (HeadersNotFound, "fatal error: 'filesystem' file not found", None),
    ],
)  # fmt: skip
def test_it_stays_silent(check: type, log: str | None, report: str | None) -> None:
    assert not run_check(check, log=log, report=report)


@pytest.mark.parametrize(
    "check",
    [ForeignExtension, WrongPostRelease, ShadowedPackage, BrokenInstall, UndeclaredDependencies, TwoAccelerators, HeadersNotFound],
)  # fmt: skip
def test_it_is_skipped_without_signals(check: type) -> None:
    assert isinstance(run_check(check, log="x", signals=NOT_GIVEN), Skip)


def test_versions_that_differ_are_a_warning_until_an_import_breaks() -> None:
    quiet = run_check(PairMismatch, report="torch 2.8.0\ntorch_npu 2.7.1")
    broken = run_check(PairMismatch, log="Segmentation fault", report="torch 2.8.0\ntorch_npu 2.7.1")

    assert isinstance(quiet, list)
    assert isinstance(broken, list)
    assert [one.severity for one in (*quiet, *broken)] == [Severity.WARNING, Severity.ERROR]


def test_a_library_that_is_missing_explains_the_crash_so_the_mismatch_stays_a_warning() -> None:
    log = f"ImportError: libhccl.so: cannot open shared object file: No such file or directory\n{WRAPPER}"

    found = run_check(PairMismatch, log=log, report="torch 2.8.0\ntorch_npu 2.7.1")

    assert isinstance(found, list)
    assert found[0].severity is Severity.WARNING


@pytest.mark.parametrize(
    ("torch", "torch_npu", "words"),
    [
        ("2.13.0", "2.10.0.post4", "compiled against torch 2.10.0"),
        ("2.2.0", "2.2.0", "another torch is loaded"),
        (None, None, "torch_npu 2.1.0.post8 to 2.8.0.post5 ask for it"),
    ],
)
def test_the_reason_says_which_versions_differ(torch: str | None, torch_npu: str | None, words: str) -> None:
    known: dict[str, Any] = {
        name: pep440(text) for name, text in (("torch", torch), ("torch_npu", torch_npu)) if text
    }

    found = run_check(
        PairMismatch, log=f"/x/torch_npu/lib/libtorch_npu.so: undefined symbol: {IS_CONTIGUOUS}", **known
    )

    assert isinstance(found, list)
    assert words in str(found[0].why)


def test_the_fix_pins_the_pair_for_this_box() -> None:
    found = run_check(
        PairMismatch, report="torch 2.8.0\ntorch_npu 2.7.1.post2", arch="x86_64", python=pep440("3.11")
    )

    assert isinstance(found, list)
    assert "torch-npu==2.7.1.post2" in found[0].fix[0].run
    assert "torch==2.7.1+cpu" in found[0].fix[0].run


@pytest.mark.parametrize(
    ("root", "confidence"),
    [("/home/user/src", Confidence.CERTAIN), ("/usr/lib/python3/dist-packages", Confidence.LIKELY)],
)
def test_the_path_in_the_traceback_decides_how_sure(root: str, confidence: Confidence) -> None:
    found = run_check(ShadowedPackage, log=frame(root) + NO_C)

    assert isinstance(found, list)
    assert found[0].confidence is confidence


def test_an_empty_folder_is_no_installation() -> None:
    found = run_check(ShadowedPackage, log=NO_C, packages=packages("torch==2.7.1"))

    assert isinstance(found, list)
    assert found[0].cause == "torch-npu-missing"


def test_libraries_of_an_absent_torch_npu_are_no_broken_install() -> None:
    log = "ImportError: libtorch_npu.so: cannot open shared object file: No such file or directory"

    found = run_check(BrokenInstall, log=log, packages=packages("torch==2.7.1"))

    assert isinstance(found, list)
    assert found[0].cause == "torch-npu-missing"


def test_an_npu_machine_with_torch_alone_gets_a_warning() -> None:
    found = run_check(
        MissingPackage, report=NPU, torch=pep440("2.7.1"), packages=packages("torch==2.7.1", "pip==24.0")
    )

    assert isinstance(found, list)
    assert (found[0].cause, found[0].severity) == ("torch-npu-missing", Severity.WARNING)


@pytest.mark.parametrize(
    ("report", "first"),
    [
        (None, "cann-env-not-sourced"),
        ("ASCEND_HOME_PATH=/usr/local/Ascend/cann", "torch-npu-python-deps-missing"),
        (
            pip_list("torch==2.9.0", "torch-npu==2.9.0", "triton==3.5.0", "triton-ascend==3.2.0"),
            "triton-clash",
        ),
    ],
)
def test_a_bare_wrapper_is_weighed_by_the_rest(report: str | None, first: str) -> None:
    found = run_check(BackendNotLoaded, log=WRAPPER, report=report)

    assert isinstance(found, list)
    assert found[0].cause == first
    assert found[0].fix[0].note


def test_the_absent_parts_of_vllm_do_not_explain_the_wrapper() -> None:
    log = f"WARNING Failed to import from vllm._C with ModuleNotFoundError(\"No module named 'vllm._C'\")\n{WRAPPER}"

    assert run_check(BackendNotLoaded, log=log)


def test_a_second_registration_after_another_failure_is_only_possible() -> None:
    log = (
        "ImportError: libhccl.so: cannot open shared object file: No such file or directory\n"
        "RuntimeError: Two accelerators cannot be used at the same time in PyTorch: npu and npu."
    )

    found = run_check(TwoAccelerators, log=log)

    assert isinstance(found, list)
    assert found[0].confidence is Confidence.POSSIBLE


def test_a_missing_library_of_torch_npu_follows_from_the_double_registration() -> None:
    log = (
        "ImportError: libtorch_npu.so: cannot open shared object file: No such file or directory\n"
        "RuntimeError: Two accelerators cannot be used at the same time in PyTorch: npu and npu."
    )

    by_id = {one.id: one for one in diagnose_text(log).findings}

    assert by_id["TOR007"].because_of == ("TOR010",)


def test_cuda_is_asked_for_where_torch_npu_is_absent() -> None:
    log = "AssertionError: Torch not compiled with CUDA enabled"

    found = run_check(CudaAskedFor, log=log, packages=packages("torch==2.7.1"))

    assert isinstance(found, list)
    assert found[0].cause == "torch-npu-missing"


def test_the_framework_row_names_the_build() -> None:
    log = "AttributeError: module 'torch_npu' has no attribute '_npu_flash_attention'"

    found = run_check(
        MissingOperator, log=log, packages=packages("vllm-ascend==0.9.1", "torch-npu==2.5.1rc1")
    )

    assert isinstance(found, list)
    assert "torch-npu==2.5.1.post1" in found[0].fix[0].run
