from __future__ import annotations

from typing import Any

import pytest
from tests.facts.shown import shown

from ascendenv.facts.text import facts_of

PYTORCH = """\
Collecting environment information...
PyTorch version: 2.7.1+cpu
Is debug build: False
CUDA used to build PyTorch: None

OS: Ubuntu 22.04.5 LTS (aarch64)
GCC version: (Ubuntu 11.4.0-1ubuntu1~22.04.2) 11.4.0
Clang version: Could not collect
CMake version: version 4.2.0
Libc version: glibc-2.35

Python version: 3.11.13 (main, Nov 20 2025, 16:02:27) [GCC 11.4.0] (64-bit runtime)
Python platform: Linux-5.10.0-136.12.0.86.aarch64-aarch64-with-glibc2.35
Is CUDA available: False

CPU:
Architecture:                       aarch64
BogoMIPS:                           200.00
Flags:                              fp asimd evtstrm

Versions of relevant libraries:
[pip3] numpy==1.26.4
[pip3] torch==2.7.1+cpu
[conda] Could not collect
"""

MACHINE = {
    "os": {"id": "ubuntu", "version": "22.04", "text": "Ubuntu 22.04.5 LTS"},
    "arch": "aarch64",
    "kernel": "5.10.0-136.12.0.86.aarch64",
    "libc": "2.35",
}

TORCH_NPU = """\
PyTorch version: 2.1.0
Torch-npu version: 2.1.0.post8+git1a2b3c4
Python version: 3.10.13 (main, Sep 11 2023, 13:44:35) [GCC 11.2.0] (64-bit runtime)

CANN:
8.0.RC3

CANN driver:
	NPU ID                         : 0
	Software Version               : 24.1.rc3
	Firmware Version               : 7.5.0.1.129
	Chip Count                     : 1

NPU mapping info:
	NPU ID                         Chip ID                        Chip Logic ID                  Chip Name
	0                              0                              0                              Ascend 910B3
	0                              1                              -                              Mcu
"""

SGLANG = """\
Python: 3.11.13 (main, Nov 20 2025, 16:02:27) [GCC 11.4.0]
NPU available: True
NPU 0,1,2,3,4,5,6,7: Ascend910B4-1
CANN_HOME: /usr/local/Ascend/ascend-toolkit/latest
CANN: 8.3.0.2.220:8.3.RC2
BiSheng: 2025-10-24T18:53:37+08:00 clang version 15.0.5
Ascend Driver Version: 24.1.rc3
PyTorch: 2.8.0+cpu
sgl_kernel: Module Not Found
torch_npu: 2.8.0.post2.dev20251113
"""

LLAMA_FACTORY = """\
- `llamafactory` version: 0.9.4.dev0
- Platform: Linux-4.19.90-2107.6.0.oe1.bclinux.aarch64-aarch64-with-glibc2.31
- Python version: 3.11.14
- PyTorch version: 2.7.1+cpu (NPU)
- Transformers version: 4.57.1
- NPU type: Ascend910B2
- CANN version: 8.2.RC1
"""

TRANSFORMERS = """\
- Python version: 3.10.13
- PyTorch version (NPU?): 2.1.0 (2.1.0.post8)
"""


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        pytest.param(
            PYTORCH,
            {
                **MACHINE,
                "python": "3.11.13",
                "torch": "2.7.1+cpu",
                "packages": {"numpy": "1.26.4", "torch": "2.7.1+cpu"},
            },
            id="pytorch",
        ),
        pytest.param(
            TORCH_NPU,
            {
                "python": "3.10.13",
                "torch": "2.1.0",
                "torch_npu": "2.1.0.post8+git1a2b3c4",
                "packages": {"torch": "2.1.0", "torch-npu": "2.1.0.post8+git1a2b3c4"},
                "cann": "8.0.RC3",
                "driver": "24.1.rc3",
                "firmware": "7.5.0.1.129",
                "chip": "Ascend910B3",
            },
            id="torch_npu",
        ),
        pytest.param(
            SGLANG,
            {
                "python": "3.11.13",
                "chip": "Ascend910B4-1",
                "cann": "8.3.RC2",
                "driver": "24.1.rc3",
                "torch": "2.8.0+cpu",
                "torch_npu": "2.8.0.post2.dev20251113",
                "packages": {"torch": "2.8.0+cpu", "torch-npu": "2.8.0.post2.dev20251113"},
            },
            id="sglang",
        ),
        pytest.param(
            LLAMA_FACTORY,
            {
                "kernel": "4.19.90-2107.6.0.oe1.bclinux.aarch64",
                "arch": "aarch64",
                "libc": "2.31",
                "python": "3.11.14",
                "torch": "2.7.1+cpu",
                "packages": {"torch": "2.7.1+cpu", "transformers": "4.57.1"},
                "chip": "Ascend910B2",
                "cann": "8.2.RC1",
            },
            id="llama-factory",
        ),
        pytest.param(
            TRANSFORMERS,
            {
                "python": "3.10.13",
                "torch": "2.1.0",
                "torch_npu": "2.1.0.post8",
                "packages": {"torch": "2.1.0", "torch-npu": "2.1.0.post8"},
            },
            id="transformers",
        ),
    ],
)
def test_a_report_is_read(report: str, expected: dict[str, Any]) -> None:
    assert shown(facts_of(report=report)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vLLM Version: 0.9.0\nvLLM Ascend Version: 0.9.0rc2.dev0+g706de02 (git sha: 706de02)", {"vllm": "0.9.0", "vllm-ascend": "0.9.0rc2.dev0+g706de02"}),
        (">>> torch.__version__\n'2.5.1+cpu'", {"torch": "2.5.1+cpu"}),
        ('$ python -c "import torch_npu; print(torch_npu.__version__)"\n2.5.1.post1', {"torch-npu": "2.5.1.post1"}),
        ("torch.__version__ = 2.5.1", {"torch": "2.5.1"}),
        ("PyTorch version: N/A", {}),
        ("triton: Module Not Found", {}),
    ],
)  # fmt: skip
def test_versions_of_modules_are_read(text: str, expected: dict[str, str]) -> None:
    assert shown(facts_of(report=f"{text}\n")).get("packages", {}) == expected


def test_the_banner_of_the_interpreter_tells_python() -> None:
    banner = 'Python 3.10.16 (main, Dec 11 2024, 16:18:56) [GCC 11.2.0] on linux\nType "help" for more.\n'

    assert shown(facts_of(log=banner)) == {"python": "3.10.16"}


def test_a_components_number_is_not_taken_for_the_release() -> None:
    assert "cann" not in shown(facts_of(report="CANN version: 7.6.0.1.220\n"))
