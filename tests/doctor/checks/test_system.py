"""The checks of C library, C++ runtime, compilers and limits: what is named first, and where they stay silent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.doctor.helpers import causes_of, diagnose_text, run_check

from ascendenv.doctor.checks.system.compiler_abi import CompilerAbi
from ascendenv.doctor.checks.system.glibc_too_old import GlibcTooOld
from ascendenv.doctor.checks.system.host_memory_exhausted import HostMemoryExhausted
from ascendenv.doctor.checks.system.libstdcxx_too_old import LibstdcxxTooOld
from ascendenv.doctor.checks.system.static_tls import StaticTls
from ascendenv.doctor.finding import Confidence, Severity, Skip

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check
    from ascendenv.doctor.finding import Finding


def found(check: type[Check], log: str | None = None, **facts: Any) -> list[Finding]:
    outcome = run_check(check, log=log, **facts)
    assert not isinstance(outcome, Skip)
    return outcome


FIRST = [
    # --- the C library
    ("python extension", "ImportError: /lib64/libc.so.6: version `GLIBC_2.34' not found (required by /opt/venv/lib/python3.10/site-packages/torch_npu/lib/libtorch_npu.so)", "glibc-too-old"),
    ("a program of CANN", "/root/Ascend/cann/bin/bishengir-compile: /usr/lib64/libm.so.6: version `GLIBC_2.29' not found (required by /root/Ascend/cann/bin/bishengir-compile)", "glibc-too-old"),
    ("the tool itself", "npu-smi: /lib/x86_64-linux-gnu/libpthread.so.0: version `GLIBC_2.30' not found (required by npu-smi)", "glibc-too-old"),
    ("cut line", "OSError: /lib64/libc.so.6: version `GLIBC_2.32' not found", "glibc-too-old"),
    ("several nodes", "x: /lib64/libc.so.6: version `GLIBC_2.28' not found (required by ./x)\nx: /lib64/libm.so.6: version `GLIBC_2.27' not found (required by ./x)", "glibc-too-old"),
    # --- the C++ runtime
    ("libstdc++ of the system", "ImportError: /lib64/libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by /x/torch_npu/lib/libtorch_npu.so)", "libstdcxx-too-old"),
    ("libstdc++ of conda", "ImportError: /root/miniconda3/envs/npu/bin/../lib/libstdc++.so.6: version `GLIBCXX_3.4.30' not found (required by /usr/local/Ascend/ascend-toolkit/latest/lib64/libascendcl.so)", "libstdcxx-too-old"),
    ("C++ ABI", "OSError: /usr/lib64/libstdc++.so.6: version `CXXABI_1.3.13' not found (required by /x/libge_runner.so)", "libstdcxx-too-old"),
    ("OpenMP", "ImportError: /lib64/libgomp.so.1: version `GOMP_4.5' not found (required by /x/libtorch_cpu.so)", "libstdcxx-too-old"),
    # --- static TLS
    ("libgomp of torch", "OSError: /opt/conda/lib/python3.10/site-packages/torch/lib/libgomp-d22c30c5.so.1: cannot allocate memory in static TLS block", "libgomp-static-tls"),
    ("libgomp of scikit-learn", "ImportError: /x/sklearn/__check_build/../../scikit_learn.libs/libgomp-d22c30c5.so.1.0.0: cannot allocate memory in static TLS block", "libgomp-static-tls"),
    ("OpenGL", "ImportError: /lib/aarch64-linux-gnu/libGLdispatch.so.0: cannot allocate memory in static TLS block", "libgomp-static-tls"),
    ("jemalloc", "ERROR: ld.so: object '/usr/lib/libjemalloc.so.2' from LD_PRELOAD cannot be preloaded: /usr/lib/libjemalloc.so.2: cannot allocate memory in static TLS block", "libgomp-static-tls"),
    ("torch", "ImportError: /x/torch/lib/libc10.so: cannot allocate memory in static TLS block", "libgomp-static-tls"),
    # --- ABI
    ("pybind11", "RuntimeError: incompatible pybind11 ABI: expected _gcc_libstdcpp_cxxabi1011, got _gcc_libstdcpp_cxxabi1014", "gcc-abi-mismatch"),
    ("own build that crashes", "built torch_npu from source: bash ci/build.sh --python=3.8\n>>> import torch_npu\nSegmentation fault (core dumped)", "gcc-abi-mismatch"),
    ("another GCC, in Chinese", "使用 gcc 7.3 编译 torch_npu 后 import 报错\n段错误 (核心已转储)", "gcc-abi-mismatch"),
    # --- compilers
    ("clang's words", "fatal error: 'filesystem' file not found", "compiler-too-old"),
    ("GCC's words", "csrc/utils.h:12:10: fatal error: filesystem: No such file or directory\n #include <filesystem>\ncompilation terminated.", "compiler-too-old"),
    ("option", "cc1plus: error: unrecognized command line option '-std=c++17'", "compiler-too-old"),
    ("header of torch", "/x/torch/include/c10/util/C++17.h:27:2: error: #error You need C++17 to compile PyTorch", "compiler-too-old"),
    ("member of std", "error: 'optional' is not a member of 'std'\n  std::optional<int> x;", "compiler-too-old"),
    ("at link time", "undefined reference to `std::filesystem::__cxx11::path::_M_split_cmpts()'", "compiler-too-old"),
    ("check of torch", "RuntimeError: The current installed version of g++ (4.8.5) is less than the minimum required version", "compiler-too-old"),
    ("C++ library not found", "csrc/utils.cpp:10:10: fatal error: 'cstdint' file not found", "compiler-too-old"),
    ("no compiler, cmake", "-- The CXX compiler identification is unknown\nCMake Error at CMakeLists.txt:14 (project):\n  No CMAKE_CXX_COMPILER could be found.", "compiler-too-old"),
    ("no compiler, distutils", "error: command '/usr/bin/g++' failed: No such file or directory", "compiler-too-old"),
    ("no compiler, shell", "/bin/sh: 1: g++: not found", "compiler-too-old"),
    ("no compiler, triton", "RuntimeError: Failed to find C compiler. Please specify via CC environment variable.", "compiler-too-old"),
    # --- CMake
    ("CMake 4", "CMake Error at third_party/Tensorpipe/CMakeLists.txt:1 (cmake_minimum_required):\n  Compatibility with CMake < 3.5 has been removed from CMake.\n\n  Update the VERSION argument <min> value.", "cmake-too-new"),
    ("old CMake", "CMake Error at CMakeLists.txt:1 (cmake_minimum_required):\n  CMake 3.19 or higher is required.  You are running version 3.16.3", "cmake-too-old"),
    # --- limits
    ("bus error", "RuntimeError: DataLoader worker (pid 3471) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory.", "shm-too-small"),
    ("ray", "WARNING services.py:2009 -- WARNING: The object store is using /tmp instead of /dev/shm because /dev/shm has only 67108864 bytes available.", "shm-too-small"),
    ("kernel killed it", "[187234.1] Out of memory: Killed process 99321 (python) total-vm:1904412232kB, anon-rss:1011213312kB", "host-out-of-memory"),
    ("pod", "    State: Terminated\n      Reason:       OOMKilled\n      Exit Code:    137", "host-out-of-memory"),
    ("torchrun", "  traceback : Signal 9 (SIGKILL) received by PID 38891\n  exitcode  : -9 (pid: 38891)", "host-out-of-memory"),
    ("no RAM", "RuntimeError: [enforce fail at alloc_cpu.cpp:114] data. DefaultCPUAllocator: can't allocate memory: you tried to allocate 68719476736 bytes.", "host-out-of-memory"),
    ("files", "OSError: [Errno 24] Too many open files: '/dev/null'", "open-files-limit"),
    ("threads", "OpenBLAS blas_thread_init: pthread_create failed for thread 63 of 64: Resource temporarily unavailable", "process-limit"),
    ("disk", "OSError: [Errno 28] No space left on device: '/root/atc_data/kernel_cache'", "disk-full"),
]  # fmt: skip


@pytest.mark.parametrize(("log", "cause"), [row[1:] for row in FIRST], ids=[row[0] for row in FIRST])
def test_the_cause_is_named_first(log: str, cause: str) -> None:
    assert causes_of(log)[:1] == [cause]


SILENT = [
    ("a node of a CUDA package", "x: /lib64/libc.so.6: version `GLIBC_2.34' not found (required by /x/nvidia/cudnn/lib/libcudnn.so)"),
    ("versions of a report", "GCC version: (GCC) 12.3.1\nCMake version: version 4.3.2\nLibc version: glibc-2.38"),
    ("a compiler call", "g++ -std=c++17 -O2 -c a.cc -o a.o"),
    ("a missing header of torch_npu", "fatal error: torch_npu/csrc/core/npu/NPUStream.h: No such file or directory"),
    ("deprecation of CMake", "Compatibility with CMake < 3.10 will be removed from a future version of CMake."),
    ("files that are absent", "FileNotFoundError: [Errno 2] No such file or directory: '/data/any'"),
    ("memory of the NPU", "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 0; 60.96 GiB total capacity;"),
]  # fmt: skip


@pytest.mark.parametrize("log", [row[1] for row in SILENT], ids=[row[0] for row in SILENT])
def test_silent_where_the_system_is_well(log: str) -> None:
    assert [one.id for one in diagnose_text(log).findings if one.id.startswith("SYS")] == []


@pytest.mark.parametrize(
    ("libc", "fires"),
    [("2.17", True), ("2.28", False), ("2.35", False), (None, False)],
)
def test_a_wheel_for_a_newer_glibc(libc: str | None, fires: bool) -> None:
    log = "ERROR: torch_npu-2.6.0-cp311-cp311-manylinux_2_28_aarch64.whl is not a supported wheel on this platform."
    facts = {} if libc is None else {"libc": libc}

    findings = found(GlibcTooOld, log=log, **facts)

    assert bool(findings) is fires


def test_the_newest_node_is_what_is_expected() -> None:
    log = "\n".join(
        f"/lib64/libc.so.6: version `GLIBC_{node}' not found (required by /x/lib.so)"
        for node in ("2.9", "2.34", "2.32")
    )

    (finding,) = found(GlibcTooOld, log=log, libc="2.28")

    assert finding.observed.text() == "/x/lib.so needs GLIBC_2.34"
    assert finding.expected is not None
    assert "2.28" in finding.expected.text()


def test_the_fix_names_the_copy_that_was_loaded() -> None:
    (finding,) = found(
        StaticTls, log="ImportError: /lib64/libgomp.so.1: cannot allocate memory in static TLS block"
    )

    assert finding.fix[0].run == "export LD_PRELOAD=/lib64/libgomp.so.1${LD_PRELOAD:+:$LD_PRELOAD}"


def test_a_crash_without_a_reason_is_only_a_warning() -> None:
    (finding,) = found(CompilerAbi, log="Segmentation fault (core dumped)")

    assert (finding.severity, finding.confidence) == (Severity.WARNING, Confidence.POSSIBLE)


@pytest.mark.parametrize(
    ("log", "confidence"),
    [
        ("Memory cgroup out of memory: Killed process 4821 (pt_main_thread)", Confidence.CERTAIN),
        ("terminate called after throwing an instance of 'std::bad_alloc'", Confidence.LIKELY),
        ("worker exited with code 137", Confidence.POSSIBLE),
    ],
)
def test_how_sure_a_killed_process_is(log: str, confidence: Confidence) -> None:
    (finding,) = found(HostMemoryExhausted, log=log)

    assert finding.confidence is confidence


def test_skipped_without_any_text() -> None:
    assert isinstance(run_check(GlibcTooOld), Skip)
    assert isinstance(run_check(LibstdcxxTooOld), Skip)
