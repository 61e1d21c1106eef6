"""Nodes, functions on the bus, holders of cards and accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascendenv.collect.probes import devices
from ascendenv.collect.probes.system import System

if TYPE_CHECKING:
    from pathlib import Path

ID = "4f1d" * 16


def function(root: Path, address: str, vendor: str, device: str, *, virtual: bool = False) -> None:
    folder = root / "sys/bus/pci/devices" / address
    folder.mkdir(parents=True)
    (folder / "vendor").write_text(f"{vendor}\n")
    (folder / "device").write_text(f"{device}\n")
    (folder / "class").write_text("0x120000\n")
    if virtual:
        (folder / "physfn").symlink_to("../0000:c1:00.0")


def test_only_the_vendors_of_the_chips_are_listed(tmp_path: Path) -> None:
    function(tmp_path, "0000:c1:00.0", "0x19e5", "0xd802")
    function(tmp_path, "0000:c1:00.1", "0x19e5", "0xd802", virtual=True)
    function(tmp_path, "0000:01:00.0", "0x8086", "0x1533")
    function(tmp_path, "0000:02:00.0", "0x203f", "0xd500")

    found = devices.pci_functions(System(str(tmp_path)))

    assert {address: one["virtual"] for address, one in found.items()} == {
        "0000:02:00.0": False,
        "0000:c1:00.0": False,
        "0000:c1:00.1": True,
    }


def test_a_machine_without_a_bus_says_so(tmp_path: Path) -> None:
    assert devices.pci_functions(System(str(tmp_path))) == {"error": "No such file or directory"}


@pytest.mark.parametrize(
    ("cgroup", "container"),
    [
        (f"0::/system.slice/docker-{ID}.scope\n", ID[:12]),
        (f"12:devices:/docker/{ID}\n", ID[:12]),
        (f"0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-{ID}.scope\n", ID[:12]),
        (f"0::/kubepods/besteffort/pod1/{ID}\n", ID[:12]),
        (f"0::/user.slice/libpod-{ID}.scope/container\n", ID[:12]),
        ("0::/user.slice/user-1000.slice\n", None),
        ("", None),
    ],
)
def test_the_container_of_a_process_stands_in_its_cgroup(
    tmp_path: Path, cgroup: str, container: str | None
) -> None:
    folder = tmp_path / "proc/7"
    folder.mkdir(parents=True)
    (folder / "cgroup").write_text(cgroup)

    assert devices.container_of(System(str(tmp_path)), "/proc/7") == container


def test_who_has_a_node_open_is_found(tmp_path: Path) -> None:
    for pid, target in (("7", "/dev/davinci0"), ("8", "/dev/null")):
        folder = tmp_path / "proc" / pid / "fd"
        folder.mkdir(parents=True)
        (folder / "3").symlink_to(target)
        (tmp_path / "proc" / pid / "comm").write_text("python\n")

    found = devices.holders(System(str(tmp_path)), ["/dev/davinci0"])

    assert found["processes"] == [{"pid": 7, "name": "python", "nodes": ["/dev/davinci0"], "container": None}]


def test_without_nodes_nobody_is_looked_for(tmp_path: Path) -> None:
    assert devices.holders(System(str(tmp_path)), [])["processes"] == []


@pytest.mark.parametrize(
    ("passwd", "group", "accounts"),
    [
        (
            "root:x:0:0::/:/bin/sh\nHwHiAiUser:x:1000:1000::/:/bin/sh\n",
            "HwHiAiUser:x:1000:me,you\n",
            (True, True, ["me", "you"]),
        ),
        ("root:x:0:0::/:/bin/sh\n", "root:x:0:\n", (False, False, [])),
        (None, None, (None, False, [])),
    ],
)
def test_the_account_of_the_driver(
    tmp_path: Path, passwd: str | None, group: str | None, accounts: object
) -> None:
    (tmp_path / "etc").mkdir()
    for name, text in (("passwd", passwd), ("group", group)):
        if text is not None:
            (tmp_path / "etc" / name).write_text(text)

    found = devices.accounts(System(str(tmp_path)))

    assert (found["user"], found["group"], found["members"]) == accounts


@pytest.mark.parametrize("name", ["davinci0", "davinci_manager", "devmm_svm", "hisi_hdc"])
def test_nodes_are_described(tmp_path: Path, name: str) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / name).touch(mode=0o600)

    record = devices.describe_node(System(str(tmp_path)), f"/dev/{name}")

    assert (record["mode"], record["open"]) == (0o600, "ok")


def test_only_the_shared_node_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    (tmp_path / "dev").mkdir()
    for name in ("davinci0", "davinci_manager", "devmm_svm", "hisi_hdc"):
        (tmp_path / "dev" / name).touch()

    def open_shared(_: System, path: str) -> str:
        opened.append(path)
        return "ok"

    monkeypatch.setattr(System, "open_shared", open_shared)

    devices.collect_devices(System(str(tmp_path)))

    assert opened == ["/dev/davinci_manager"]
