from __future__ import annotations

import pytest

from ascendenv.facts.model import Packages
from ascendenv.facts.text import facts_of

WHOLE = """\
Package            Version
------------------ ----------------
absl-py            2.1.0
attrs              24.2.0
numpy              1.26.4
pip                24.0
scipy              1.13.1
torch              2.5.1+cpu
torch_npu          2.5.1.post1
torchvision        0.20.1
vllm               0.7.3+empty  /src/vllm
zipp               3.20.2
"""


def packages(text: str) -> Packages:
    found = facts_of(report=text).packages
    assert isinstance(found, Packages)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("torch                2.5.1", {"torch": "2.5.1"}),
        ("torch_npu\t2.5.1rc1", {"torch-npu": "2.5.1rc1"}),
        ("torch==2.5.1", {"torch": "2.5.1"}),
        ("torch==2.5.1+cpu  # pinned", {"torch": "2.5.1+cpu"}),
        ("[pip3] torch-npu==2.5.1.dev20250320", {"torch-npu": "2.5.1.dev20250320"}),
        ("[pip] vllm==0.9.0", {"vllm": "0.9.0"}),
        ("[conda] torch-npu   2.5.1     pypi_0    pypi", {"torch-npu": "2.5.1"}),
        ("[conda] torch       2.5.1     <pip>", {"torch": "2.5.1"}),
        ("[conda] Could not collect\n[pip3] Could not collect\n[pip3] numpy==1.26.4", {"numpy": "1.26.4"}),
        ("numpy    1.26.4    py310hcbab775_0    conda-forge", {"numpy": "1.26.4"}),
        ("torch @ file:///w/torch-2.5.1-cp310-cp310-linux_aarch64.whl", {"torch": "2.5.1"}),
        ("Name: torch_npu\nVersion: 2.5.1\nSummary: NPU bridge", {"torch-npu": "2.5.1"}),
        ("Name: triton.ascend\nVersion: 3.2.0rc4", {"triton-ascend": "3.2.0rc4"}),
        ("Successfully installed numpy-2.0.2 torch-npu-2.7.1", {"numpy": "2.0.2", "torch-npu": "2.7.1"}),
        (
            "Requirement already satisfied: torch==2.5.1 in /x/site-packages (from vllm (line 3)) (2.5.1+cpu)",
            {"torch": "2.5.1+cpu"},
        ),
        (
            "vllm 0.9.0 requires torch==2.7.0, but you have torch 2.5.1 which is incompatible.",
            {"vllm": "0.9.0", "torch": "2.5.1"},
        ),
        (
            "ContextualVersionConflict: (numpy 2.2.4 (/x/site-packages), Requirement.parse('numpy==1.26.4'), {'v'})",
            {"numpy": "2.2.4"},
        ),
        ("INFO [api_server.py:912] vLLM API server version 0.9.0", {"vllm": "0.9.0"}),
        ("Initializing a V1 LLM engine (v0.11.0) with config: x", {"vllm": "0.11.0"}),
        ("/x/lib/python3.10/site-packages/torch_npu-2.5.1.dist-info/METADATA", {"torch-npu": "2.5.1"}),
    ],
)
def test_a_listed_package_is_known(text: str, expected: dict[str, str]) -> None:
    assert {package.name: package.version for package in packages(f"# list\n{text}\n")} == expected


@pytest.mark.parametrize(
    "text",
    [
        "Collecting torch==2.5.1",
        "torch>=2.1\ntransformers==4.51.3\nnumpy<2.0",
        "Package            Version\n------------------ -----",
        "CPU max MHz:          2600.0000",
        "torch==",
        "torch  latest",
    ],
)
def test_a_demand_or_another_table_lists_nothing(text: str) -> None:
    assert not isinstance(facts_of(report=text).packages, Packages)


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        pytest.param(WHOLE, True, id="whole"),
        pytest.param(
            "$ pip list\n" + WHOLE + "\n[notice] a new release of pip", True, id="whole, in a shell"
        ),
        pytest.param(WHOLE.partition("torch ")[0], False, id="cut off before torch"),
        pytest.param(WHOLE.partition("\n")[2].partition("\n")[2], False, id="without header: grep"),
        pytest.param("[pip3] numpy==1.26.4\n[pip3] torch==2.5.1\n", False, id="collect_env"),
    ],
)
def test_only_a_whole_listing_is_complete(text: str, complete: bool) -> None:
    assert packages(text).complete is complete


def test_what_is_imported_outranks_what_pip_lists() -> None:
    facts = facts_of(report="[pip3] torch==2.1.0\nPyTorch version: 2.5.1\n")

    assert str(facts.torch) == "2.5.1"
    assert [line.where for line in facts.seen("torch")] == ["report:2"]
