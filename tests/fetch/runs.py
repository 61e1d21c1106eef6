"""Packages as the vendor makes them: a script with an archive behind it, and archives of such packages."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

DRIVER_25_5 = (
    "Version=25.5.0\nascendhal_version=7.35.23\naicpu_version=1.0\ntdt_version=1.0\nlog_version=1.0\n"
    "prof_version=2.0\ndvppkernels_version=1.1\ntsfw_version=1.0\nInnerversion=V100R001C23SPC001B220\n"
    "compatible_version=[V100R001C30],[V100R001C13]\ncompatible_version_fw=[7.0.0,8.9.9]\npackage_version=25.5.0\n"
)
FIRMWARE = (
    "Version=7.7.0.1.231\nfirmware_version=1.0\npackage_version=25.0.rc1.1\n"
    "compatible_version_drv=[23.0.0,23.0.0.],[25.0,25.0.]\n"
)
NNAL = (
    "    Ascend-cann-atb : 8.2.RC1\n    Ascend-cann-atb Version : 8.2.RC1.B150\n    Platform : aarch64\n"
    "    branch : br_release_cann_8.2.RC1_20251226\n"
)
KERNELS = (
    "Version=7.7.0.1.238\nversion_dir=8.1.RC1\ntimestamp=20250428_203017761\nops_version=7.7.0.1.238\n"
    'required_package_opp_version=">=7.6, <=7.7"\n'
)
SCENE = "os=linux\nos_version=\narch=aarch64\n"


def run_file(
    members: Mapping[str, str], *, label: str = "PACKAGE", damage: bool = False, lines: bool = True
) -> bytes:
    """A self-extracting package; without `lines` the script does not say where its archive begins."""
    payload = archive(members)
    digest = sha256(payload).hexdigest() if not damage else "ab" * 32
    head = (
        "#!/bin/bash\n# This script was generated using Makeself 2.5.0\n\numask 027\n"
        f'CRCsum="1234567890"\nMD5="00000000000000000000000000000000"\nSHA="{digest}"\nSIGNATURE=""\n'
        f'label="{label}"\nscript="./install.sh"\nfilesizes="{len(payload)}"\ntotalsize="{len(payload)}"\n'
    )
    head += 'skip="16"\n\nMS_Printf()\n{\n' if lines else "\nMS_Printf()\n{\n\n"
    text = head.encode()
    assert text.count(b"\n") == 16, text.count(b"\n")
    return text + payload


def archive(members: Mapping[str, str]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        for name, text in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            tar.addfile(member, io.BytesIO(text.encode()))
    return gzip.compress(stream.getvalue(), mtime=0)


def zip_of(members: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as found:
        for name, data in members.items():
            found.writestr(zipfile.ZipInfo(name), data)
    return stream.getvalue()


def wheel_of(name: str, version: str) -> bytes:
    folder = f"{name.replace('-', '_')}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nText.\n"
    return zip_of({f"{folder}/METADATA": metadata.encode(), f"{folder}/WHEEL": b"Wheel-Version: 1.0\n"})


def driver(version: str = "25.5.0", arch: str = "aarch64") -> bytes:
    return run_file(
        {
            "./version.info": DRIVER_25_5.replace("25.5.0", version),
            "./scene.info": SCENE.replace("aarch64", arch),
            "./install.sh": "#!/bin/sh\n",
            "./driver/kernel/big.ko": "x" * 5000,
        }
    )
