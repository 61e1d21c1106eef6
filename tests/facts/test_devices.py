from __future__ import annotations

from typing import Any

import pytest
from tests.facts.shown import shown

from ascendenv.facts.text import facts_of


def node(path: str, **more: object) -> dict[str, Any]:
    return {"path": path, **more}


OWNED = {"owner": "HwHiAiUser", "group": "HwHiAiUser"}


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        (
            "crw-rw---- 1 HwHiAiUser HwHiAiUser 237, 0 Sep 28 21:56 /dev/davinci0",
            [node("/dev/davinci0", mode=0o660, **OWNED)],
        ),
        (
            "total 0\ncrw-rw-rw-. 1 HwHiAiUser HwHiAiUser 236, 12 Sep 28 21:56 davinci12\ncrw-rw-rw- 1 HwHiAiUser HwHiAiUser 238,  0  /dev/davinci_manager",
            [node("/dev/davinci12", mode=0o666, **OWNED), node("/dev/davinci_manager", mode=0o666, **OWNED)],
        ),
        ("crw------- 1 root root 238, 0 /dev/hisi_hdc", [node("/dev/hisi_hdc", mode=0o600, owner="root", group="root")]),
        ("/dev/davinci0  /dev/davinci1 /dev/davinci_manager", [node(f"/dev/{n}") for n in ("davinci0", "davinci1", "davinci_manager")]),
        ("ls: cannot access '/dev/davinci*': No such file or directory", []),
    ],
)  # fmt: skip
def test_device_nodes_are_read(text: str, nodes: list[dict[str, Any]]) -> None:
    assert shown(facts_of(report=f"{text}\n"))["device_nodes"] == nodes


def test_modules_are_read() -> None:
    listing = "Module                  Size  Used by\ndrv_pcie_host         122880  1 drv_devmng_host\nnfs  409600  2\n"

    assert shown(facts_of(report=listing)) == {"kernel_modules": ["drv_pcie_host", "nfs"]}


def test_of_a_listing_without_header_only_the_drivers_modules_are_taken() -> None:
    assert shown(facts_of(report="drv_davinci_intf_host    90112  3\nsome_table   12345 7\n")) == {
        "kernel_modules": ["drv_davinci_intf_host"]
    }


@pytest.mark.parametrize(
    "text", ["open /dev/davinci0 failed", "crw-rw---- broken", "davinci0", "/dev/nvidia0"]
)
def test_a_message_about_a_node_is_no_listing(text: str) -> None:
    assert shown(facts_of(report=f"{text}\n")) == {}
