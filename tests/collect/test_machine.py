"""The machine below Ascend: processor, container, confinement, storage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascendenv.collect.probes import machine, runtimes, storage
from ascendenv.collect.probes.system import System

if TYPE_CHECKING:
    from pathlib import Path


def files(root: Path, texts: dict[str, str]) -> System:
    for path, text in texts.items():
        place = root / path[1:]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return System(str(root), {"HOME": "/root"})


@pytest.mark.parametrize(
    ("cpuinfo", "expected"),
    [
        (
            "processor : 0\nmodel name : AMD EPYC\nflags : fpu hypervisor sse\n",
            {"model name": "AMD EPYC", "hypervisor": True},
        ),
        (
            "processor : 0\nCPU implementer : 0x48\nCPU part : 0xd01\n",
            {"CPU implementer": "0x48", "CPU part": "0xd01"},
        ),
        ("", {}),
    ],
)
def test_the_processor(tmp_path: Path, cpuinfo: str, expected: dict[str, object]) -> None:
    found = machine.processor(files(tmp_path, {"/proc/cpuinfo": cpuinfo}))

    assert {key: value for key, value in found.items() if key != "count"} == expected


def test_numa_nodes_and_boot_time(tmp_path: Path) -> None:
    system = files(
        tmp_path,
        {
            "/sys/devices/system/node/node0/cpulist": "0-23\n",
            "/sys/devices/system/node/node1/cpulist": "24-47\n",
            "/proc/stat": "cpu 1 2\nbtime 1760000000\n",
        },
    )

    assert machine.numa_nodes(system) == {"0": "0-23", "1": "24-47"}
    assert machine.boot_time(system) == 1760000000
    assert machine.boot_time(System(str(tmp_path / "none"))) is None


def test_those_above_a_process_are_named(tmp_path: Path) -> None:
    system = files(
        tmp_path,
        {
            "/proc/self/status": "Name:\tpython3\nPPid:\t7\nSeccomp:\t2\nNoNewPrivs:\t1\n",
            "/proc/7/status": "Name:\tbwrap\nPPid:\t1\n",
            "/proc/1/status": "Name:\tsystemd\nPPid:\t0\n",
            "/proc/self/uid_map": "  1000  1000  1\n",
        },
    )

    found = machine.confinement(system)

    assert (found["above"], found["Seccomp"], found["uid_map"]) == (["bwrap", "systemd"], "2", "1000 1000 1")


def test_a_circle_of_parents_ends(tmp_path: Path) -> None:
    system = files(tmp_path, {"/proc/self/status": "PPid:\t7\n", "/proc/7/status": "Name:\tx\nPPid:\t7\n"})

    assert len(machine.ancestors(system)) == 16


def test_mounts_and_the_disk_that_holds_a_place(tmp_path: Path) -> None:
    system = files(
        tmp_path,
        {
            "/proc/self/mountinfo": (
                "25 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 25 0:50 / /usr/local/Ascend/driver\\040x rw - nfs4 srv:/x rw\n"
                "31 25 259:1 / /data rw - xfs /dev/nvme0n1 rw\nbroken line\n"
            ),
            "/sys/dev/block/259:1/queue/rotational": "0\n",
            "/data/x": "",
        },
    )

    table = storage.mount_table(system)

    assert table is not None
    assert [one["path"] for one in table] == ["/", "/usr/local/Ascend/driver x", "/data"]
    disk = storage.measured(system, "/data", table)
    assert disk is not None
    assert (disk["type"], disk["rotational"]) == ("xfs", False)
    assert storage.measured(system, "/absent", table) is None


def test_without_proc_the_mounts_are_not_known(tmp_path: Path) -> None:
    assert storage.collect_storage(System(str(tmp_path), {}))["mounts"] is None


def test_copies_of_the_runtime_come_in_the_order_of_the_search() -> None:
    found = runtimes.collect_runtimes(
        System(), {"prefix": "/usr", "path": []}, {"LD_PRELOAD": "/x/libgomp.so"}
    )

    assert found["preload"] == "/x/libgomp.so"
    for copy in found["libstdc++"]:
        assert "error" in copy or {"GLIBCXX", "CXXABI"} <= set(copy)


def test_a_copy_that_is_no_library_is_told(tmp_path: Path) -> None:
    system = files(tmp_path, {"/conda/lib/libstdc++.so.6": "no library"})

    found = runtimes.collect_runtimes(system, {"prefix": "/conda"}, {})

    assert "error" in found["libstdc++"][0]
