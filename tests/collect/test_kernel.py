"""The kernel side of the driver: read from files, because modinfo knows the running kernel only, and not every machine has it."""

from __future__ import annotations

import gzip
import lzma
from typing import TYPE_CHECKING

import pytest

from ascendenv.collect.probes import kernel
from ascendenv.collect.probes.command import Command
from ascendenv.collect.probes.system import System

if TYPE_CHECKING:
    from pathlib import Path

MODULE = b"\x7fELF\0\0license=GPL\0vermagic=5.10.0-136.12.0.86.aarch64 SMP mod_unload aarch64\0\0\0"


def built(root: Path, path: str, data: bytes = MODULE) -> System:
    place = root / path[1:]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return System(str(root), {})


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("drv_pcie_host.ko", MODULE),
        ("drv_pcie_host.ko.xz", lzma.compress(MODULE)),
        ("drv_pcie_host.ko.gz", gzip.compress(MODULE, mtime=0)),
    ],
)
def test_a_module_says_for_which_kernel_it_was_built(tmp_path: Path, name: str, data: bytes) -> None:
    path = f"/lib/modules/5.10.0/updates/{name}"

    record = kernel.describe_module(built(tmp_path, path, data), path)

    assert record["vermagic"] == "5.10.0-136.12.0.86.aarch64 SMP mod_unload aarch64"
    assert record["signed"] is False


@pytest.mark.parametrize(
    ("name", "data"),
    [("x.ko.zst", b"(\xb5/\xfd"), ("x.ko.xz", b"no xz"), ("x.ko.gz", b"\x1f\x8b cut")],
)
def test_a_module_that_cannot_be_unpacked_is_told(tmp_path: Path, name: str, data: bytes) -> None:
    assert kernel.describe_module(built(tmp_path, f"/{name}", data), f"/{name}")["error"] == "compressed"


def test_a_signature_is_seen(tmp_path: Path) -> None:
    system = built(tmp_path, "/m.ko", MODULE + kernel.SIGNED)

    assert kernel.describe_module(system, "/m.ko")["signed"] is True


def test_a_file_that_is_no_module_names_no_kernel(tmp_path: Path) -> None:
    assert "vermagic" not in kernel.describe_module(built(tmp_path, "/m.ko", b"\0" * 100), "/m.ko")


@pytest.mark.parametrize(
    "folder", ["updates", "updates/dkms", "extra", "extra/dkms", "weak-updates", "kernel/drivers/davinci"]
)
def test_modules_are_found_where_installers_put_them(tmp_path: Path, folder: str) -> None:
    path = f"/lib/modules/5.10.0/{folder}/drv_davinci_intf_host.ko"

    assert list(kernel.module_files(built(tmp_path, path), "6.6.0")) == [path]


def test_the_running_kernel_comes_first_and_the_prebuilt_last(tmp_path: Path) -> None:
    for release in ("4.19.0", "5.10.0", "6.6.0"):
        built(tmp_path, f"/lib/modules/{release}/updates/drv_pcie_host.ko")
    system = built(tmp_path, "/usr/local/Ascend/driver/host/drv_pcie_host.ko")

    assert [path.split("/")[3] for path in kernel.module_files(system, "5.10.0")] == [
        "5.10.0",
        "4.19.0",
        "6.6.0",
        "Ascend",
    ]


@pytest.mark.parametrize(
    ("value", "secure"), [(b"\x06\0\0\0\x01", True), (b"\x06\0\0\0\0", False), (None, None), (b"", None)]
)
def test_secure_boot_is_told_by_the_firmware(
    tmp_path: Path, value: bytes | None, secure: bool | None
) -> None:
    system = System(str(tmp_path)) if value is None else built(tmp_path, kernel.SECURE_BOOT, value)

    assert kernel.secure_boot(system) is secure


def test_dkms_tells_versions_kernels_and_why_a_build_failed(tmp_path: Path) -> None:
    built(tmp_path, f"{kernel.DKMS}/1.0/5.10.0/aarch64/module/drv_pcie_host.ko")
    system = built(tmp_path, f"{kernel.DKMS}/1.0/build/make.log", b"error: redefinition of 'x'\n")

    assert kernel.dkms_state(system, "6.6.0") == {
        "versions": {"1.0": ["5.10.0"]},
        "build_log": "error: redefinition of 'x'\n",
    }
    assert "build_log" not in kernel.dkms_state(system, "5.10.0")
    assert kernel.dkms_state(System(str(tmp_path / "empty")), "6.6.0") == {
        "error": "No such file or directory"
    }


def test_of_the_kernel_log_only_what_is_about_cards_is_kept(tmp_path: Path) -> None:
    program = tmp_path / "usr/bin/dmesg"
    program.parent.mkdir(parents=True)
    program.write_text(
        "#!/bin/sh\necho '[1.0] usb 1-1: new device'\necho '[2.0] [ascend] [uda] Conflict open udevid'\n"
    )
    program.chmod(0o755)
    system = System(str(tmp_path), {})

    assert kernel.kernel_log(system, Command(system, ["dmesg"], 2))["lines"] == [
        "[2.0] [ascend] [uda] Conflict open udevid"
    ]


def test_where_dmesg_is_refused_the_log_file_tells(tmp_path: Path) -> None:
    system = built(tmp_path, "/var/log/kern.log", b"Jan 1 host kernel: devdrv_device_driver probe\n")

    log = kernel.kernel_log(system, Command(system, ["dmesg"], 2))

    assert (log["from"], len(log["lines"])) == ("/var/log/kern.log", 1)


def test_a_log_that_nobody_may_read_is_told(tmp_path: Path) -> None:
    system = System(str(tmp_path), {})

    assert kernel.kernel_log(system, Command(system, ["dmesg"], 2)) == {"error": "not found"}
