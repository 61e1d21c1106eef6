"""Which card the live probe may use: only a named one that nobody uses, as far as can be seen."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest

from ascendenv.errors import UnusableInput
from ascendenv.facts.model import DeviceNode, Holder, HostFacts, Npu, NpuProcess
from ascendenv.live.choice import device_of, reason_against


def card(number: int, chip: int = 0, **more: Any) -> Npu:
    return Npu(
        number, chip, "910B3", "OK", **{"hbm_used": 3431, "hbm_total": 65536, "aicore_percent": 0, **more}
    )


IDLE = (card(0), card(1))
GAPS = (card(2), card(5))


def facts(npus: tuple[Npu, ...] = IDLE, visible: str | None = None, **more: Any) -> HostFacts:
    environment = MappingProxyType({} if visible is None else {"ASCEND_RT_VISIBLE_DEVICES": visible})
    return HostFacts(npus=npus, environment=environment, **{"npu_processes": (), "holders": (), **more})


def nodes(*numbers: int) -> tuple[DeviceNode, ...]:
    return tuple(DeviceNode(f"/dev/davinci{number}") for number in numbers)


@pytest.mark.parametrize(
    ("device", "seen", "reason"),
    [
        ("cpu", HostFacts(), None),
        ("cpu", facts((card(0, hbm_used=60000),)), None),
        ("npu:0", facts(), None),
        ("npu:1", facts(), None),
        (None, facts(), "no card was named"),
        ("npu:0", HostFacts(), "npu-smi shows no table"),
        ("npu:2", facts(), "there is no npu:2: 2 cards are visible"),
        ("npu:0", facts(()), "there is no npu:0: 0 cards are visible"),
        # processes that npu-smi shows
        ("npu:0", facts(npu_processes=(NpuProcess(0, 0, 4711, "python"),)), "process 4711 (python)"),
        ("npu:1", facts(npu_processes=(NpuProcess(0, 0, 4711, "python"),)), None),
        ("npu:0", facts(GAPS, npu_processes=(NpuProcess(2, None, 7, "vllm"),)), "process 7 (vllm)"),
        # two chips of one card are two devices
        ("npu:1", facts((card(0), card(0, 1)), npu_processes=(NpuProcess(0, 1, 9, "x"),)), "process 9 (x)"),
        ("npu:0", facts((card(0), card(0, 1)), npu_processes=(NpuProcess(0, 1, 9, "x"),)), None),
        # memory and cores, when the processes are in another container
        ("npu:0", facts((card(0, hbm_used=41697),)), "41697 MB of its memory are taken"),
        ("npu:0", facts((card(0, hbm_used=4096),)), None),
        ("npu:0", facts((card(0, aicore_percent=6),)), "6 % busy"),
        ("npu:0", facts((card(0, hbm_used=None),)), "its memory is not shown"),
        # the first generation and 310P have no HBM that counts
        ("npu:0", facts((card(0, hbm_used=0, hbm_total=0, memory_used=1979),)), None),
        ("npu:0", facts((card(0, hbm_used=0, hbm_total=0, memory_used=9000),)), "9000 MB"),
        # who has the node open
        ("npu:1", facts(holders=(Holder(5, "train", ("/dev/davinci1",)),)), "process 5 (train)"),
        ("npu:0", facts(holders=(Holder(5, "train", ("/dev/davinci1",)),)), None),
        ("npu:0", facts(holders=(Holder(5, "exporter", ("/dev/davinci_manager",)),)), None),
        # in a container nodes keep the numbers of the host
        (
            "npu:0",
            facts(device_nodes=nodes(5, 4), holders=(Holder(5, "t", ("/dev/davinci4",)),)),
            "process 5 (t)",
        ),
        ("npu:1", facts(device_nodes=nodes(5, 4), holders=(Holder(5, "t", ("/dev/davinci4",)),)), None),
        (
            "npu:0",
            facts((card(0, phy_id=9),), holders=(Holder(5, "t", ("/dev/davinci9",)),)),
            "process 5 (t)",
        ),
        # behind ASCEND_RT_VISIBLE_DEVICES torch counts from 0
        ("npu:0", facts((card(0), card(1, hbm_used=50000)), visible="1"), "50000 MB"),
        ("npu:0", facts((card(0, hbm_used=50000), card(1)), visible="1"), None),
        ("npu:1", facts(visible="1"), "there is no npu:1: 1 cards are visible"),
        ("npu:0", facts(visible="7"), "there is no npu:0"),
        ("npu:0", facts(visible=""), "cannot be told apart"),
        ("npu:0", facts(visible="0-1"), "cannot be told apart"),
    ],
)
def test_what_speaks_against_a_card(device: str | None, seen: HostFacts, reason: str | None) -> None:
    found = reason_against(seen, device)

    assert (found is None) == (reason is None), found
    assert reason is None or reason in str(found)


@pytest.mark.parametrize("text", ["cpu", "npu:0", "npu:15"])
def test_devices_are_taken_as_torch_writes_them(text: str) -> None:
    assert device_of(text) == text


@pytest.mark.parametrize(
    "text", ["", "npu", "npu:", "npu:x", "cuda:0", "0", "npu:0,1", "npu:-1", "npu:00000", "all"]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UnusableInput):
        device_of(text)
