from __future__ import annotations

from typing import Any

import pytest
from tests.facts.shown import shown

from ascendenv.facts.text import facts_of

FACTS: list[tuple[str, dict[str, Any]]] = [
    ("CANN: 8.0.RC3", {"cann": "8.0.RC3"}),
    ("CANN版本 8.2.RC1", {"cann": "8.2.RC1"}),
    ("CANN 版本为：8.0.RC3.alpha001。", {"cann": "8.0.RC3.alpha001"}),
    ("cann 9.0.0-beta.2", {"cann": "9.0.0-beta.2"}),
    ("- **CANN**: 8.5.0", {"cann": "8.5.0"}),
    ("ARG CANN_VERSION=8.1.RC1", {"cann": "8.1.RC1"}),
    ('"cann": "8.3.RC2",', {"cann": "8.3.RC2"}),
    ("We run CANN 8.0.0.beta1 and driver 23.0.3 here", {"cann": "8.0.0.beta1", "driver": "23.0.3"}),
    ("driver 24.1.0.1", {"driver": "24.1.0.1"}),
    ("driver version is 24.1.rc3", {"driver": "24.1.rc3"}),
    ("驱动版本：25.0.rc1", {"driver": "25.0.rc1"}),
    ("驱动25.5.0，固件7.8.0.6.201", {"driver": "25.5.0", "firmware": "7.8.0.6.201"}),
    ("固件与驱动：固件 7.5.0.1.129", {"firmware": "7.5.0.1.129"}),
    ("Ascend HDK 25.5.1", {"driver": "25.5.1"}),
    ("Firmware v7.5.0.5.220", {"firmware": "7.5.0.5.220"}),
    ("NNAL 8.0.0", {"nnal": "8.0.0"}),
    ("driver 24.1 rc3, CANN 8.0 RC2", {"driver": "24.1.rc3", "cann": "8.0.RC2"}),
    ("- CANN Version: Ascend CANN Toolkit 8.0.RC3", {"cann": "8.0.RC3"}),
    ("python：3.9.2版本", {"python": "3.9.2"}),
    ("torch2.5.1+torch_npu 2.5.1.post1", {"torch": "2.5.1", "torch_npu": "2.5.1.post1"}),
    ("torch/torch_npu 2.5.1", {"torch": "2.5.1", "torch_npu": "2.5.1"}),
    ("torch与torch_npu版本分别为2.1.0和2.1.0.post12", {"torch": "2.1.0", "torch_npu": "2.1.0.post12"}),
    ("PyTorch 2.7.1+cpu, Python 3.11", {"torch": "2.7.1+cpu", "python": "3.11"}),
    ("python==3.11", {"python": "3.11"}),
    ("Python3.10", {"python": "3.10"}),
    ("vllm-ascend 0.9.2rc1", {"packages": {"vllm-ascend": "0.9.2rc1"}}),
    ("triton 3.2.0", {"packages": {"triton": "3.2.0"}}),
    ("bitsandbytes 0.45.3", {"packages": {"bitsandbytes": "0.45.3"}}),
    ("| CANN | 8.2.RC1 |", {"cann": "8.2.RC1"}),
    ("npu-smi 23.0.rc2.2 Version: 23.0.0", {"npu_smi": "23.0.rc2.2", "driver": "23.0.0"}),
    ("Ascend-cann-toolkit_8.0.RC1_linux-aarch64.run", {"cann": "8.0.RC1"}),
    ("Ascend-cann-nnal_8.0.0_linux-aarch64", {"nnal": "8.0.0"}),
    ("Ascend-cann-kernels-910b_8.0.RC1_linux.run", {"ops": [{"chip": "910b", "version": "8.0.RC1"}]}),
    ("Ascend-cann-910b-ops_8.5.0_linux-aarch64.run", {"ops": [{"chip": "910b", "version": "8.5.0"}]}),
    ("Atlas-A3-cann-kernels_8.3.RC1_linux-aarch64.run", {"ops": [{"chip": "A3", "version": "8.3.RC1"}]}),
    ("Ascend-hdk-310p-npu-driver_23.0.1_linux-aarch64.run", {"driver": "23.0.1"}),
    ("Ascend-hdk-910b-npu-firmware_7.5.0.1.129.run", {"firmware": "7.5.0.1.129"}),
    (
        "CANN version mismatch. The build version is 0.0.0, but the current environment version is 5.1.2.",
        {"cann": "5.1.2"},
    ),
]

NO_FACTS = [
    "torch>=2.1",
    "cann版本：`>=8.0.rc1`",
    "Requires CANN 8.1.RC1 or later",
    "CANN 8.0.RC3及以上",
    "支持的CANN版本：8.2.RC1.alpha001及之后版本",
    "please upgrade to CANN 8.2.RC1",
    "建议升级到 CANN 8.2.RC1",
    "推荐 torch_npu 2.7.1 版本",
    "vllm-ascend needs torch-npu 2.5.1",
    "ERROR: Could not find a version that satisfies the requirement torch-npu==2.5.1.post1.dev20250619",
    "ERROR: No matching distribution found for torch-npu==2.5.1.post1.dev20250619",
    "pip install torch==2.5.1 torch_npu==2.5.1",
    "The user requested torch==2.5.1",
    "Is your Ascend driver version 24.1 rc2?",
    "CANN 7.7.0.1.238",
    "torch_npu 7.1.RC1",
    "driver 7.0.RC1.alpha003",
    "firmware 24.1.rc3",
    "NVIDIA driver version: 580.119.02",
    "https://example.invalid/torch-2.5.1/cann/8.0.RC3/driver 2",
    "/home/me/envs/PyTorch-2.1.0/bin/activate",
    "CANN",
    "CANN 8",
    "python",
    "GCC version: (Ubuntu 11.4.0-1ubuntu1~22.04.2) 11.4.0",
    "torch 2.5.x",
]


@pytest.mark.parametrize(("text", "facts"), FACTS, ids=[text for text, _ in FACTS])
def test_a_stated_version_is_a_fact(text: str, facts: dict[str, Any]) -> None:
    assert shown(facts_of(report=f"## 环境\n{text}\n")) == facts


@pytest.mark.parametrize("text", NO_FACTS)
def test_a_demand_a_file_or_another_things_number_is_none(text: str) -> None:
    assert shown(facts_of(report=f"{text}\n")) == {}


def test_a_markdown_table_with_one_row_of_values_is_read() -> None:
    table = """
| NPU | Driver | CANN版本 | PyTorch | torch_npu |
|-----|--------|:--------:|---------|-----------|
| 8   | 24.1.rc3 | 8.0.RC3 | 2.1.0 | 2.1.0.post8 |
"""

    assert shown(facts_of(report=table)) == {
        "driver": "24.1.rc3",
        "cann": "8.0.RC3",
        "torch": "2.1.0",
        "torch_npu": "2.1.0.post8",
    }


def test_a_table_of_what_goes_together_is_no_fact() -> None:
    table = """
| CANN    | PyTorch | torch_npu   |
|---------|---------|-------------|
| 8.0.RC3 | 2.1.0   | 2.1.0.post8 |
| 8.1.RC1 | 2.5.1   | 2.5.1       |
"""

    assert shown(facts_of(report=table)) == {}
