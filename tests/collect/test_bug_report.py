"""The block for bug forms: in the words that maintainers know, redacted, and read back by the doctor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.boxes.named import BROKEN, HEALTHY, LAPTOP
from tests.boxes.pretended import snapshot_of

from ascendenv.collect.bug_report import bug_report
from ascendenv.collect.snapshot import Snapshot
from ascendenv.facts.snapshot import facts_of_snapshot
from ascendenv.facts.text import read_report
from ascendenv.facts.unknown import Unknown

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["910B", "A3", "950PR", "container"])
def test_the_block_tells_the_doctor_the_same(name: str, tmp_path: Path) -> None:
    snapshot = snapshot_of(HEALTHY[name], tmp_path)
    seen = facts_of_snapshot(snapshot)

    told = read_report(bug_report(snapshot).encode())

    for fact in (
        "driver",
        "firmware",
        "cann",
        "torch",
        "torch_npu",
        "python",
        "chip",
        "arch",
        "os",
        "npus",
        "nnal",
    ):
        assert getattr(told, fact) == getattr(seen, fact), fact


@pytest.mark.parametrize(
    "line",
    [
        "PyTorch version: 2.6.0", "Torch-npu version: 2.6.0", "OS: Ubuntu 22.04.5 LTS (aarch64)", "Python version: 3.10.14",
        "[pip3] torch-npu==2.6.0", "ASCEND_HOME_PATH=/usr/local/Ascend/ascend-toolkit/latest", "$ npu-smi info", "CANN:",
        "version=8.2.RC1", "Hypervisor vendor: ", "ulimit soft: ", "GCC version: ",
    ],
)  # fmt: skip
def test_what_the_forms_ask_for_is_there(line: str, tmp_path: Path) -> None:
    assert line in bug_report(snapshot_of(HEALTHY["910B"], tmp_path))


def test_faults_stand_in_the_loaders_words(tmp_path: Path) -> None:
    text = bug_report(snapshot_of(BROKEN["torch of another release"].box, tmp_path))

    assert "undefined symbol: _ZNK3c1010TensorImpl20is_contiguous_customENS_12MemoryFormatE" in text


def test_it_is_one_folded_block_whatever_stands_in_it() -> None:
    text = bug_report(Snapshot({"process": {"environ": {"ASCEND_X": "```\n</details>"}}, "machine": {}}))

    assert text.count("```") == 2
    assert text.startswith("<details>")


def test_a_machine_without_anything_gives_a_block_too(tmp_path: Path) -> None:
    text = bug_report(snapshot_of(LAPTOP, tmp_path))

    assert "PyTorch version: Module Not Found" in text
    assert isinstance(read_report(text.encode()).torch, Unknown)
