"""The checks of Python packages: what they name first, where they stay silent, and when they are skipped."""

from __future__ import annotations

import pytest
from tests.doctor.helpers import causes_of, diagnose_text, run_check

from ascendenv.doctor.checks.package.broken_vllm import BrokenVllm
from ascendenv.doctor.checks.package.cuda_only import CudaOnly
from ascendenv.doctor.checks.package.cuda_torch import CudaTorch
from ascendenv.doctor.checks.package.no_wheel import NoWheel
from ascendenv.doctor.checks.package.not_on_index import NotOnIndex
from ascendenv.doctor.checks.package.placeholder import Placeholder
from ascendenv.doctor.checks.package.requirements import Requirement, read_requirement, requirements_in
from ascendenv.doctor.checks.package.triton_clash import TritonClash
from ascendenv.doctor.checks.package.triton_compiler import TritonCompiler
from ascendenv.doctor.checks.package.unreachable_index import UnreachableIndex
from ascendenv.doctor.checks.package.vllm import Pair
from ascendenv.doctor.checks.package.vllm_extension import VllmExtension
from ascendenv.doctor.checks.package.vllm_pair import VllmPair
from ascendenv.doctor.finding import Confidence, Severity, Skip
from ascendenv.facts.unknown import NOT_GIVEN
from ascendenv.matrix.store import shipped_matrix
from ascendenv.versions import pep440

LIST_GET = "_ZN3c108ListType3getERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
RETRY = (
    "WARNING: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection broken by "
    "'ConnectTimeoutError(<HTTPSConnection object at 0xffff9>, 'Connection to index.example timed out.')': /simple/torch-npu/"
)
NONE = "ERROR: Could not find a version that satisfies the requirement torch-npu==2.7.1 (from versions: none)"
STAGE = "[ConvertLinalgRToBinary] encounters error:"


def pins(*names: str) -> str:
    return "\n".join(f"[pip3] {name}" for name in names)


@pytest.mark.parametrize(
    ("cause", "log", "report"),
    [
        # wheels
        ("python-no-wheel", "ERROR: torch_npu-2.1.0.post3-cp310-cp310-manylinux_2_17_aarch64.whl is not a supported wheel on this platform.", None),
        ("python-no-wheel", "ERROR: Package 'vllm-ascend' requires a different Python: 3.9.18 not in '<3.12,>=3.10'", None),
        ("python-no-wheel", "RuntimeError: Python version should be >= 3.9", "torch-npu 2.7.1"),
        ("python-no-wheel", "Python版本过低，需要 3.10 以上", "torch-npu 2.7.1"),
        ("python-no-wheel", NONE, "Python version: 3.13.1 (64-bit runtime)\nOS: Ubuntu 24.04 (aarch64)"),
        ("python-no-wheel", "  Because torch-npu==2.7.1 has no wheels with a matching Python ABI tag (e.g., `cp313`) and you require it", None),
        # indexes
        ("package-not-on-index", NONE, "Python version: 3.11.9 (64-bit runtime)"),
        ("package-not-on-index", "ERROR: No matching distribution found for triton-ascend==3.2.1", None),
        ("package-not-on-index", "ERROR: Could not find a version that satisfies the requirement torch-npu==2.7.1.dev20250724 (from versions: 2.1.0, 2.5.1)", None),
        ("package-not-on-index", "  ╰─▶ Because there is no version of torch-npu==2.7.1.dev20250724 and you require it", None),
        ("package-not-on-index", "torch-npu >= 2.7.1.dev20250724 这个版本根本不存在啊", None),
        ("package-not-on-index", "ERROR: Could not find a version that satisfies the requirement mindie_turbo==2.0rc1 (from versions: none)", "torch-npu 2.5.1"),
        ("package-index-unreachable", f"{RETRY}\n{NONE}", None),
        ("package-index-unreachable", "pip._vendor.urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='files.example.org', port=443): Read timed out.", "torch-npu 2.5.1"),
        ("package-index-unreachable", "Could not fetch URL https://index.example/simple/torch-npu/: There was a problem confirming the ssl certificate", None),
        ("package-index-unreachable", "  Caused by: Failed to fetch: `https://index.example/simple/torch-npu/`", None),
        ("package-index-unreachable", None, "/etc/pip.conf: absent\nnetwork: default index unreachable\nimage: cann:8.5.0-910b"),
        ("python-no-wheel", "ERROR: Ignored the following versions that require a different python version: 0.9.1 Requires-Python >=3.10\nERROR: Could not find a version that satisfies the requirement vllm-ascend==0.9.1 (from versions: none)", None),
        ("python-no-wheel", "ERROR: No matching distribution found for vllm-ascend==0.13.0", "Python version: 3.9.18 (64-bit runtime)"),
        ("python-no-wheel", "torch-npu仅支持3.8-3.10之间版本", None),
        # the CPU build of torch
        ("x86-needs-cpu-torch-index", "    The user requested torch==2.9.0\n    torch-npu 2.9.0 depends on torch==2.9.0+cpu\nERROR: ResolutionImpossible: for help", None),
        ("x86-needs-cpu-torch-index", "ERROR: Cannot install torch-npu==2.3.1, torch==2.3.1 and torchvision==0.18.1 because these package versions have conflicting dependencies.", None),
        ("x86-needs-cpu-torch-index", "ERROR: Could not find a version that satisfies the requirement torch==2.5.1+cpu (from versions: 2.0.0, 2.5.1)", None),
        ("x86-needs-cpu-torch-index", "RuntimeError: Found no NVIDIA driver on your system. Please check", "torch-npu 2.7.1"),
        ("x86-needs-cpu-torch-index", "ERROR: Failed to build 'file:///src/vllm-ascend' when installing build dependencies", "Architecture: x86_64\ntorch-npu 2.7.1"),
        ("x86-needs-cpu-torch-index", None, pins("torch==2.7.1+cu126", "torch-npu==2.7.1")),
        ("x86-needs-cpu-torch-index", "require torch==2.8.0，torch-npu==2.8.0，但是torch-npu要求torch+cpu，导致安装停止", None),
        # vllm and its plugin
        ("vllm-plugin-mismatch", "ModuleNotFoundError: No module named 'vllm.v1.attention.backends.mla.prefill'", None),
        ("vllm-plugin-mismatch", "ImportError: cannot import name 'cdiv' from 'vllm.utils' (/home/u/vllm/vllm/utils/__init__.py)", None),
        ("vllm-plugin-mismatch", "ModuleNotFoundError: No module named 'vllm_ascend.distributed'", None),
        ("vllm-plugin-mismatch", "ImportError: cannot import name 'VllmConfig' from partially initialized module 'vllm.config' (most likely due to a circular import) (/x/vllm/config.py)", None),
        ("vllm-plugin-mismatch", "AttributeError: '_OpNamespace' '_C' object has no attribute 'rms_norm'", None),
        ("vllm-plugin-mismatch", "TypeError: NPUPlatform.get_attn_backend_cls() got an unexpected keyword argument 'use_sparse'", None),
        ("vllm-plugin-mismatch", "   vllm 0.13.0 depends on torch==2.9.0\n   vllm-ascend 0.13.0 depends on torch==2.8.0", None),
        ("vllm-plugin-mismatch", "vllm 0.18.0 requires torch==2.10.0, but you have torch 2.9.0 which is incompatible.", None),
        ("vllm-plugin-mismatch", "vllm==0.10.2 依赖torch2.8.0，vllm-ascend 依赖torch2.7.1", None),
        ("vllm-plugin-mismatch", None, "vLLM Version: 0.10.0\nvLLM Ascend Version: 0.9.1rc1"),
        ("broken-vllm-package", "ImportError: cannot import name 'SamplingParams' from 'vllm' (unknown location)", None),
        ("broken-vllm-package", "AttributeError: module 'vllm_ascend' has no attribute 'register'", None),
        ("broken-vllm-package", "ImportError: cannot import name 'LLM' from 'vllm' (/home/u/vllm.py)", None),
        ("broken-vllm-package", "AttributeError: module 'vllm' has no attribute 'LLM'", "torch-npu 2.7.1"),
        ("vllm-not-empty-target", f"Failed to import from vllm._C with ImportError('/x/vllm/_C.abi3.so: undefined symbol: {LIST_GET}')", None),
        ("vllm-not-empty-target", "WARNING Failed to import from vllm._C with ImportError('libcudart.so.12: cannot open shared object file: No such file or directory')", "torch-npu 2.7.1"),
        # triton
        ("triton-clash", "AttributeError: module 'triton' has no attribute 'next_power_of_2'", "torch-npu 2.7.1"),
        ("triton-clash", "ImportError: cannot import name 'Language' from 'triton.backends.compiler' (/x/triton/backends/compiler.py)", "torch-npu 2.7.1"),
        ("triton-clash", "ModuleNotFoundError: No module named 'triton._C.libtriton.ascend'; 'triton._C.libtriton' is not a package", None),
        ("triton-clash", "ModuleNotFoundError: No module named 'triton.backends.ascend'\nRuntimeError: Failed to load the backend extension: torch_npu.", None),
        ("triton-clash", "RuntimeError: 0 active drivers ([]). There should only be one.", "torch-npu 2.7.1"),
        ("triton-clash", None, pins("torch==2.9.0+cpu", "torch-npu==2.9.0", "triton==3.6.0", "triton-ascend==3.2.0")),
        ("triton-ascend-version", f"triton.compiler.errors.MLIRCompilationError: \n{STAGE}\nFailed to run BiShengIR pipeline", None),
        ("triton-ascend-version", "bishengir-compile: for the --target option: Cannot find option named 'Ascend910_9391'!", None),
        ("triton-ascend-version", "bishengir-compile: Unknown command line argument '--enable-x'.  Try: 'bishengir-compile --help'", None),
        ("triton-ascend-version", "AttributeError: module 'triton.language' has no attribute 'constexpr_function'", "triton-ascend 3.2.0rc4"),
        ("triton-ascend-version", "Failed to import Triton kernels. Please make sure your triton version is compatible. Error: No module named 'triton.language.target_info'", None),
        ("triton-ascend-version", None, "triton_ascend: 3.6.0 dev build\nsymptom: npu driver not found"),
        ("chip-unsupported", f"{STAGE}\nbishengir-compile: for the --target option: Cannot find option named 'Ascend310P3'!", None),
        ("triton-ascend-version", "FileNotFoundError: [Errno 2] No such file or directory: 'bishengir-compile'", "torch-npu 2.7.1"),
        # CUDA-only
        ("cuda-only-packages", "ImportError: /x/flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so: undefined symbol: _ZN3c104cuda9SetDeviceEi", "torch-npu 2.7.1"),
        ("cuda-only-packages", "OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.", "torch-npu 2.7.1"),
        ("cuda-only-packages", "ImportError: FlashAttention2 has been toggled on, but it cannot be used due to the following error: the package flash_attn seems to be not installed.", "torch-npu 2.7.1"),
        ("cuda-only-packages", "ImportError: libcudart.so.12: cannot open shared object file: No such file or directory", "torch-npu 2.7.1"),
        ("cuda-only-packages", "ModuleNotFoundError: No module named 'transformer_engine'", "torch-npu 2.7.1"),
        ("cuda-only-packages", "PackageNotFoundError: No package metadata was found for flash_attn", "torch-npu 2.7.1"),
        ("cuda-only-packages", None, pins("torch==2.7.1+cpu", "torch-npu==2.7.1", "xformers==0.0.30", "bitsandbytes==0.45.3")),
        ("placeholder-package", None, pins("torch==2.7.1+cpu", "torch-npu==2.7.1", "ascend==0.0.1")),
        ("placeholder-package", "ERROR: No matching distribution found for cann-python", None),
    ],
)  # fmt: skip
def test_the_cause_that_is_named_first(cause: str, log: str | None, report: str | None) -> None:
    assert causes_of(log, report)[0] == cause


@pytest.mark.parametrize(
    ("check", "log", "report"),
    [
        (NoWheel, NONE, None),
        (NoWheel, "Python version: 3.11.13 (main, Jul 26 2025) [GCC 11.4.0] (64-bit runtime)", None),
        (NoWheel, "ERROR: Ignored the following versions that require a different python version: 1.21.2 Requires-Python >=3.7,<3.11", None),
        (NotOnIndex, "Successfully installed torch-npu-2.7.1", None),
        (NotOnIndex, "ERROR: No matching distribution found for cann", None),
        (UnreachableIndex, "ConnectionError: HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded", None),
        (UnreachableIndex, "ReadTimeout: HTTPSConnectionPool(host='api.example.org', port=443): Read timed out.", None),
        (UnreachableIndex, NONE, None),
        (CudaTorch, None, pins("torch==2.7.1+cpu", "torch-npu==2.7.1")),
        (CudaTorch, "ERROR: Cannot install torch==2.5.1 and torch-npu==2.6.0 because these package versions have conflicting dependencies.", None),
        (VllmPair, "ModuleNotFoundError: No module named 'vllm._C'", None),
        (VllmPair, "ImportError: cannot import name 'LLM' from 'vllm' (unknown location)", None),
        (VllmPair, "TypeError: Linear.__init__() got an unexpected keyword argument 'quant'", None),
        (VllmPair, None, "vLLM Version: 0.9.1\nvLLM Ascend Version: 0.9.1rc1"),
        (VllmPair, None, "vLLM Version: 0.14.1\nvLLM Ascend Version: 0.14.0rc1"),
        (VllmPair, None, "vLLM Version: 0.11.1rc6.dev0+g2918c1b49.empty\nvLLM Ascend Version: 0.11.0rc1.dev356+ge98543267"),
        (BrokenVllm, "ImportError: cannot import name 'cdiv' from 'vllm.utils' (/x/vllm/utils.py)", None),
        (BrokenVllm, "ModuleNotFoundError: No module named 'vllm._C'", None),
        (VllmExtension, "ImportError: libcudart.so.12: cannot open shared object file: No such file or directory", None),
        (VllmExtension, f"/x/torch_npu/lib/libtorch_npu.so: undefined symbol: {LIST_GET}", None),
        (TritonClash, "Triton is not installed. Using dummy decorators. Install it via `pip install triton`", None),
        (TritonClash, "AttributeError: module 'triton.language' has no attribute 'constexpr_function'", None),
        (TritonClash, None, pins("triton==3.4.0", "torch==2.9.0+cu128")),
        (TritonCompiler, "AttributeError: module 'triton' has no attribute 'language'", None),
        (TritonCompiler, f"{STAGE}\nbishengir-compile: /usr/lib64/libm.so.6: version `GLIBC_2.29' not found (required by bishengir-compile)", None),
        (CudaOnly, None, pins("torch==2.7.1+cpu", "torch-npu==2.7.1", "nvidia-ml-py==12.0")),
        (CudaOnly, None, pins("torch==2.7.1+cu128", "flash-attn==2.7.4")),
        (Placeholder, "ModuleNotFoundError: No module named 'acl'", None),
        (Placeholder, None, pins("torch-npu==2.7.1")),
    ],
)  # fmt: skip
def test_it_stays_silent(check: type, log: str | None, report: str | None) -> None:
    assert not run_check(check, log=log, report=report)


@pytest.mark.parametrize("check", [NoWheel, NotOnIndex, UnreachableIndex, BrokenVllm, VllmExtension])
def test_it_is_skipped_without_signals(check: type) -> None:
    assert isinstance(run_check(check, log="x", signals=NOT_GIVEN), Skip)


@pytest.mark.parametrize(
    ("wheel", "python", "arch", "words"),
    [
        ("torch_npu-2.7.1-cp311-cp311-manylinux_2_28_aarch64.whl", "3.12.1", "aarch64", "this is Python 3.12.1"),
        ("torch_npu-2.7.1-cp311-cp311-manylinux_2_28_aarch64.whl", "3.11.9", "x86_64", "the processor is x86_64"),
        ("torch_npu-2.7.1-cp311-cp311-manylinux_2_28_aarch64.whl", "3.11.9", "aarch64", "one for each Python version"),
        ("odd.whl", "3.11.9", "aarch64", "one for each Python version"),
    ],
)  # fmt: skip
def test_the_tags_tell_what_does_not_fit(wheel: str, python: str, arch: str, words: str) -> None:
    log = f"ERROR: {wheel} is not a supported wheel on this platform."

    found = run_check(NoWheel, log=log, python=pep440(python), arch=arch)

    assert isinstance(found, list)
    assert words in str(found[0].why)


@pytest.mark.parametrize(
    ("python", "first"), [("3.13.0", "python-no-wheel"), ("3.11.9", "package-not-on-index"), ("3.14.0", "python-no-wheel")]
)  # fmt: skip
def test_the_matrix_tells_a_missing_wheel_from_a_missing_index(python: str, first: str) -> None:
    found = run_check(NotOnIndex, log=NONE, python=pep440(python), arch="aarch64")

    assert isinstance(found, list)
    assert found[0].cause == first


def test_a_development_build_comes_from_the_vendors_index() -> None:
    log = "ERROR: No matching distribution found for torch-npu==2.5.1.post1.dev20250619"

    found = run_check(NotOnIndex, log=log)

    assert isinstance(found, list)
    assert "--extra-index-url" in found[0].fix[0].run
    assert "development builds" in str(found[0].why)


def test_an_empty_answer_follows_from_an_index_that_was_not_reached() -> None:
    by_id = {one.id: one for one in diagnose_text(f"{RETRY}\n{NONE}").findings}

    assert by_id["PKG002"].because_of == ("PKG003",)


def test_an_index_that_lists_versions_was_reached() -> None:
    log = f"{RETRY}\nERROR: Could not find a version that satisfies the requirement torch-npu==9.9 (from versions: 2.1.0)"

    found = run_check(UnreachableIndex, log=log)

    assert isinstance(found, list)
    assert found[0].confidence is Confidence.POSSIBLE


@pytest.mark.parametrize(
    ("vllm", "plugin", "fits"),
    [
        ("0.9.1", "0.9.1rc1", True),
        ("0.9.1+empty", "0.9.1", True),
        ("0.8.5.post1", "0.8.5rc1", True),
        ("0.10.1.1", "0.10.1rc1", True),
        ("0.14.1", "0.14.0rc1", True),
        ("0.14.0", "0.14.0rc1", False),
        ("0.11.0", "0.9.1", False),
        ("9.9.9", "9.9.9rc7", True),
        ("9.9.8", "9.9.9rc7", False),
        ("0.9.1", "0.9.1rc1.dev3+gabc", None),
        (None, "0.9.1", None),
        ("0.9.1", None, None),
    ],
)
def test_which_vllm_goes_with_which_plugin(vllm: str | None, plugin: str | None, fits: bool | None) -> None:
    pair = Pair(pep440(vllm) if vllm else None, pep440(plugin) if plugin else None)

    assert pair.fits(shipped_matrix()) is fits


@pytest.mark.parametrize(
    ("log", "severity"),
    [
        (
            "vllm 0.18.0 requires torch==2.10.0, but you have torch 2.9.0 which is incompatible.",
            Severity.WARNING,
        ),
        (
            "   vllm 0.13.0 depends on torch==2.9.0\n   vllm-ascend 0.13.0 depends on torch==2.8.0",
            Severity.ERROR,
        ),
    ],
)
def test_what_pip_says_after_an_install_is_expected(log: str, severity: Severity) -> None:
    found = run_check(VllmPair, log=log)

    assert isinstance(found, list)
    assert {one.severity for one in found} == {severity}


def test_the_plugins_row_is_what_is_expected() -> None:
    found = run_check(VllmPair, report="vLLM Version: 0.11.0\nvLLM Ascend Version: 0.9.1")

    assert isinstance(found, list)
    assert "torch_npu 2.5.1.post1" in str(found[0].expected)
    assert any("vllm==0.9.1" in step.run for step in found[0].fix)


@pytest.mark.parametrize(
    ("log", "severity"),
    [
        ("WARNING Failed to import from vllm._C with ImportError('libcudart.so.12: cannot open shared object file')", Severity.WARNING),
        (f"ImportError: /x/vllm/_C.abi3.so: undefined symbol: {LIST_GET}", Severity.ERROR),
    ],
)  # fmt: skip
def test_a_warning_of_vllm_stays_a_warning(log: str, severity: Severity) -> None:
    found = run_check(VllmExtension, log=log)

    assert isinstance(found, list)
    assert found[0].severity is severity


@pytest.mark.parametrize(
    "log",
    [
        "WARNING: No module named 'flash_attn', falling back to sdpa",
        "The installed version of bitsandbytes was compiled without GPU support. 8-bit optimizers are unavailable.",
        "W tensorflow: Could not load dynamic library 'libcudart.so.11.0'; dlerror: libcudart.so.11.0: cannot open shared object file",
    ],
)
def test_what_a_program_notes_in_passing_is_no_error(log: str) -> None:
    found = run_check(CudaOnly, log=log)

    assert isinstance(found, list)
    assert {one.severity for one in found} == {Severity.WARNING}


def test_a_notice_about_triton_kernels_is_no_error() -> None:
    log = "ERROR [config.py:29] Failed to import Triton kernels. Error: No module named 'triton.language.target_info'"

    found = run_check(TritonCompiler, log=log)

    assert isinstance(found, list)
    assert {one.severity for one in found} == {Severity.WARNING}


def test_the_fix_takes_the_paired_triton_ascend() -> None:
    found = run_check(
        TritonClash, log="AttributeError: module 'triton' has no attribute 'jit'", report="CANN: 9.1.0"
    )

    assert isinstance(found, list)
    assert any("triton-ascend==3.2.2" in step.run for step in found[0].fix)


def test_what_takes_the_place_is_named() -> None:
    found = run_check(CudaOnly, report=pins("torch==2.7.1+cpu", "torch-npu==2.7.1", "flash-attn==2.7.4"))

    assert isinstance(found, list)
    assert "npu_fusion_attention" in str(found[0].expected)
    assert found[0].fix[0].run == "pip uninstall -y flash-attn"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("torch-npu==2.7.1", Requirement("torch-npu", "==", "2.7.1")),
        ("torch_npu>=2.5.1", Requirement("torch-npu", ">=", "2.5.1")),
        ("vllm[audio] == v0.9.1", Requirement("vllm", "==", "0.9.1")),
        ("triton-ascend", Requirement("triton-ascend")),
        ("", None),
        ("==2", None),
    ],
)
def test_requirements_are_read(text: str, read: Requirement | None) -> None:
    assert read_requirement(text) == read


def test_all_requirements_of_a_message_are_read() -> None:
    found = requirements_in("Cannot install torch-npu==2.3.1, torch>=2.3.1 and x because")

    assert [str(one) for one in found] == ["torch-npu==2.3.1", "torch>=2.3.1"]
    assert Requirement("x", "==", "not a version!").pinned is None
