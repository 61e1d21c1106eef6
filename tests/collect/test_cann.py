"""Every CANN on a machine, wherever it lies."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from ascendenv.collect.probes import cann
from ascendenv.collect.probes.system import System

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("/usr/local/Ascend/ascend-toolkit/latest/lib64", "/usr/local/Ascend"),
        ("/usr/local/Ascend/cann-8.5.0/aarch64-linux/lib64", "/usr/local/Ascend"),
        ("/home/me/Ascend/cann/opp", "/home/me/Ascend"),
        ("/opt/x/nnae/latest", "/opt/x"),
        ("/data/cann/ascend-toolkit/8.0.0/lib64", "/data/cann"),
        ("/usr/local/Ascend/driver/lib64", ""),
        ("cann-8.5.0/lib64", ""),
        ("", ""),
    ],
)
def test_the_root_of_a_path_into_a_tree(path: str, root: str) -> None:
    assert cann.root_of(path) == root


def touch(root: Path, *paths: str) -> None:
    for path in paths:
        place = root / path[1:]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("x=1\n")


def test_trees_of_both_layouts_are_found_everywhere(tmp_path: Path) -> None:
    files = [
        "/usr/local/Ascend/ascend-toolkit/8.2.RC1/aarch64-linux/ascend_toolkit_install.info",
        "/usr/local/Ascend/cann-8.5.0/aarch64-linux/ascend_toolkit_install.info",
        "/usr/local/Ascend/cann-8.5.0/share/info/runtime/version.info",
        "/home/me/Ascend/ascend-toolkit/8.1.RC1/runtime/version.info",
        "/data/cann/ascend-toolkit/8.0.0/aarch64-linux/ascend_toolkit_install.info",
        "/site/ascend/ascend-toolkit/8.0.RC3/runtime/version.info",
        "/usr/local/Ascend/nnal/atb/8.2.RC1/version.info",
    ]
    touch(tmp_path, *files)
    environ = {"LD_LIBRARY_PATH": "/x:/data/cann/ascend-toolkit/8.0.0/lib64"}

    record = cann.collect_cann(System(str(tmp_path), {"HOME": "/root"}), environ, ["/site"])

    assert set(record["files"]) == set(files)


def test_a_folder_of_links_is_not_read_twice(tmp_path: Path) -> None:
    touch(tmp_path, "/usr/local/Ascend/ascend-toolkit/8.2.RC1/runtime/version.info")
    latest = tmp_path / "usr/local/Ascend/ascend-toolkit/latest"
    latest.mkdir()
    (latest / "runtime").symlink_to("../8.2.RC1/runtime")

    record = cann.collect_cann(System(str(tmp_path), {}), {}, [])

    assert len(record["files"]) == 1
    assert record["links"]["/usr/local/Ascend/ascend-toolkit/latest/runtime"]["link"] == "../8.2.RC1/runtime"


def test_a_link_that_leads_nowhere_is_kept(tmp_path: Path) -> None:
    touch(tmp_path, "/usr/local/Ascend/cann-8.5.0/version.cfg")
    (tmp_path / "usr/local/Ascend/cann").symlink_to("cann-8.5.1")

    record = cann.collect_cann(System(str(tmp_path), {}), {}, [])

    assert record["links"]["/usr/local/Ascend/cann"]["broken"] is True


def test_a_loop_of_links_is_no_loop_for_us(tmp_path: Path) -> None:
    touch(tmp_path, "/usr/local/Ascend/cann-8.5.0/version.cfg")
    (tmp_path / "usr/local/Ascend/cann").symlink_to("cann")
    (tmp_path / "usr/local/Ascend/cann-8.5.0/again").symlink_to("..")

    record = cann.collect_cann(System(str(tmp_path), {}), {}, [])

    assert record["links"]["/usr/local/Ascend/cann"] == {
        **record["links"]["/usr/local/Ascend/cann"],
        "link": "cann",
        "broken": True,
    }


def test_kernels_abis_error_tables_and_tools(tmp_path: Path) -> None:
    base = "/usr/local/Ascend"
    touch(
        tmp_path,
        f"{base}/cann-8.5.0/opp/built-in/op_impl/ai_core/tbe/kernel/ascend910b/x.json",
        f"{base}/cann-8.5.0/aarch64-linux/include/acl/error_codes/rt_error_codes.h",
        f"{base}/cann-8.5.0/aarch64-linux/data/platform_config/Ascend910B3.ini",
        f"{base}/nnal/atb/8.5.0/atb/cxx_abi_1/lib/libatb.so",
        f"{base}/toolbox/latest/Ascend-DMI/bin/ascend-dmi",
    )

    record = cann.collect_cann(System(str(tmp_path), {}), {}, [])

    assert [one["names"] for one in record["kernels"].values()] == [["ascend910b"]]
    assert [one["names"] for one in record["platforms"].values()] == [["Ascend910B3.ini"]]
    assert [one["names"] for one in record["nnal_abi"].values()] == [["cxx_abi_1"]]
    assert record["error_files"] == [
        f"{base}/cann-8.5.0/aarch64-linux/include/acl/error_codes/rt_error_codes.h"
    ]
    assert record["tools"] == [f"{base}/toolbox/latest/Ascend-DMI/bin/ascend-dmi"]


def test_a_machine_without_cann_has_no_roots(tmp_path: Path) -> None:
    assert cann.collect_cann(System(str(tmp_path), {}), {}, ["/absent"])["roots"] == []


def test_home_folders_that_do_not_answer_cost_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang(_: System) -> list[str]:
        time.sleep(30)
        return []

    monkeypatch.setattr(cann, "in_homes", hang)
    monkeypatch.setattr(cann, "HOME_SECONDS", 0.1)
    touch(tmp_path, "/usr/local/Ascend/cann-8.5.0/version.cfg")

    assert cann.find_roots(System(str(tmp_path), {}), {}, []) == ["/usr/local/Ascend"]
