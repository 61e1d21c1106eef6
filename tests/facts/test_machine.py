from __future__ import annotations

from typing import Any

import pytest
from tests.facts.shown import shown

from ascendenv.facts.text import facts_of

EULER = {"id": "openeuler", "version": "24.03", "text": "openEuler 24.03 (LTS-SP2)"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Linux node-1 5.10.0-136.12.0.86.aarch64 #1 SMP Tue Jun 27 2023 aarch64 aarch64 aarch64 GNU/Linux",
            {"kernel": "5.10.0-136.12.0.86.aarch64", "arch": "aarch64"},
        ),
        (
            "Python platform: Linux-5.15.0-119-generic-aarch64-with-glibc2.35",
            {"kernel": "5.15.0-119-generic", "arch": "aarch64", "libc": "2.35"},
        ),
        (
            "- Platform: Linux-4.19.90-2107.6.0.oe1.bclinux.aarch64-aarch64-with-glibc2.31",
            {"kernel": "4.19.90-2107.6.0.oe1.bclinux.aarch64", "arch": "aarch64", "libc": "2.31"},
        ),
        ("OS: openEuler 24.03 (LTS-SP2) (aarch64)", {"os": EULER, "arch": "aarch64"}),
        (
            "OS                           : openEuler 24.03 (LTS-SP2) (aarch64)",
            {"os": EULER, "arch": "aarch64"},
        ),
        (
            'NAME="Ubuntu"\nVERSION_ID="22.04"\nID=ubuntu\nPRETTY_NAME="Ubuntu 22.04.5 LTS"',
            {"os": {"id": "ubuntu", "version": "22.04", "text": "Ubuntu 22.04.5 LTS"}},
        ),
        (
            "Description:	Ubuntu 20.04.6 LTS",
            {"os": {"id": "ubuntu", "version": "20.04", "text": "Ubuntu 20.04.6 LTS"}},
        ),
        (
            "操作系统：Kylin Linux Advanced Server V10 (SP3)",
            {"os": {"id": "kylin", "version": "V10 (SP3", "text": "Kylin Linux Advanced Server V10 (SP3)"}},
        ),
        ("Architecture:                    x86_64", {"arch": "x86_64"}),
        ("架构：arm64", {"arch": "aarch64"}),
        ("Libc version: glibc-2.31", {"libc": "2.31"}),
        ("ldd (Ubuntu GLIBC 2.35-0ubuntu3.8) 2.35", {"libc": "2.35"}),
        (
            "uid=1000(omm) gid=1000(omm) groups=1000(omm),1001(HwHiAiUser)",
            {"user": {"name": "omm", "uid": 1000, "groups": ["omm", "HwHiAiUser"]}},
        ),
        ("uid=0(root) gid=0(root) groups=0(root)", {"user": {"name": "root", "uid": 0, "groups": ["root"]}}),
        ("max locked memory           (kbytes, -l) 65536", {"locked_memory_kb": 65536.0}),
        ("max locked memory           (kbytes, -l) unlimited", {"locked_memory_kb": float("inf")}),
        ("shm              64M     0   64M   0% /dev/shm", {"shm_mb": 64.0}),
        ("tmpfs            504G  8.1M  504G   1% /dev/shm", {"shm_mb": 504.0 * 1024}),
    ],
)
def test_the_machine_is_read(text: str, expected: dict[str, Any]) -> None:
    assert shown(facts_of(report=f"{text}\n")) == expected


@pytest.mark.parametrize(
    "text", ["OS: unknown thing", "NAME=x", "Architecture: riscv64", "uid=", "ldd: not found"]
)
def test_what_is_not_understood_is_not_known(text: str) -> None:
    assert shown(facts_of(report=f"{text}\n")) == {}
