"""Operating system, kernel, architecture, C library, user and limits, as the usual commands print them.

::

    Linux node 5.10.0-136.12.0.86.aarch64 #1 SMP … aarch64 GNU/Linux      uid=1000(me) gid=1000(me) groups=…
    PRETTY_NAME="openEuler 24.03 (LTS-SP2)"                                max locked memory  (kbytes, -l) 65536
    Architecture:                    aarch64                               shm   64M     0   64M   0% /dev/shm
    ldd (Ubuntu GLIBC 2.35-0ubuntu3.8) 2.35
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.model import OsRelease, User

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.page import Page

__all__ = ["architecture", "os_release", "read"]

_ARCHITECTURES = {
    "aarch64": "aarch64",
    "arm64": "aarch64",
    "x86_64": "x86_64",
    "amd64": "x86_64",
    "x86-64": "x86_64",
}
_SYSTEMS = (
    ("openeuler", "openeuler"), ("huawei cloud euleros", "hce"), ("euleros", "euleros"), ("ubuntu", "ubuntu"),
    ("debian", "debian"), ("centos", "centos"), ("kylin", "kylin"), ("ctyunos", "ctyunos"), ("bclinux", "bclinux"),
    ("bc-linux", "bclinux"), ("uniontech", "uos"), ("uos", "uos"), ("red hat", "rhel"), ("rocky", "rocky"),
    ("almalinux", "almalinux"), ("culinux", "culinux"), ("ulos", "ulos"), ("alibaba cloud", "alinux"),
    ("tencentos", "tencentos"), ("velinux", "velinux"), ("anolis", "anolis"), ("suse", "suse"), ("fedora", "fedora"),
)  # fmt: skip
_UNAME = re.compile(r"\bLinux (\S+) (\d+\.\d+[\w.+-]*) (?:#\S+ )?.*?\b(aarch64|x86_64)\b")
_RELEASE_KEY = re.compile(r'\s*(ID|VERSION_ID|PRETTY_NAME|NAME|VERSION)="?([^"]*)"?\s*')
_OS_LINE = re.compile(
    r"\s*(?:[-*]+\s*)?(?:OS|OS version|Operating system|操作系统|系统|Description)\s*[:：]\s*(\S.*?)\s*",
    re.IGNORECASE,
)
_SYSTEM_WORDS = ("OS", "系统", "system", "Description")
_IN_BRACKETS = re.compile(r"\((aarch64|arm64|x86_64|amd64)\)", re.IGNORECASE)
_LSCPU = re.compile(
    r"\s*(?:Architecture|架构|CPU架构|arch)\s*[:：=]\s*(aarch64|arm64|x86_64|amd64)\b.*", re.IGNORECASE
)
_PLATFORM = re.compile(r"\bLinux-(\d+\.\d+[\w.+-]*)-(aarch64|x86_64)-with-glibc(\d+\.\d+)")
_LIBC = re.compile(r"(?:Libc version\s*:\s*glibc-|^ldd \(.*\) )(\d+\.\d+)\b")
_ID = re.compile(
    r"\buid=(\d{1,10})(?:\(([^)]*)\))?(?: gid=\d+(?:\(([^)]*)\))?)?(?: groups=(\S+(?:\([^)]*\))?.*))?"
)
_GROUP = re.compile(r"\d+\(([^)]+)\)")
_MEMLOCK = re.compile(r"max locked memory\s+\(kbytes, -l\)\s+(\d+|unlimited)")
_SHM = re.compile(r"^\s*\S+\s+(\d+(?:\.\d+)?)([KMGT]?)i?\s+\S+\s+\S+\s+\d+%\s+/dev/shm\b")
_UNITS = {"": 1 / 1024, "K": 1 / 1024, "M": 1, "G": 1024, "T": 1024 * 1024}
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_KYLIN = re.compile(r"\bV\d+\b(?:[ (]*\(?SP\d\)?)?", re.IGNORECASE)


def read(page: Page) -> Iterator[Claim]:
    """What the page tells about the machine itself."""
    release: dict[str, tuple[str, Evidence]] = {}
    for index, line in enumerate(page.lines):
        if found := _RELEASE_KEY.fullmatch(line):
            release.setdefault(found[1], (found[2].strip(), page.evidence(index)))
            continue
        yield from _line(line, page, index)
    yield from _release_file(release)


def architecture(text: str) -> str | None:
    """`aarch64` or `x86_64` for any usual name of them."""
    return _ARCHITECTURES.get(text.lower())


def os_release(text: str) -> OsRelease | None:
    """The system that a description names: `ubuntu` 22.04 for "Ubuntu 22.04.5 LTS (aarch64)"; None for none."""
    low = text.lower()
    identity = next((name for word, name in _SYSTEMS if word in low), None)
    if identity is None:
        return None
    plain = _IN_BRACKETS.sub("", text).strip()
    found = _KYLIN.search(plain) if identity in ("kylin", "uos") else _NUMBER.search(plain)
    version = found.group().strip("( )") if found else None
    if version and identity == "ubuntu":
        version = ".".join(version.split(".")[:2])
    return OsRelease(identity, version, plain)


def _line(line: str, page: Page, index: int) -> Iterator[Claim]:
    if "Linux" in line:
        yield from _linux(line, page.evidence(index))
    if any(word in line for word in _SYSTEM_WORDS) and (found := _OS_LINE.fullmatch(line)):
        yield from _system(found[1], Weight.LISTED, page.evidence(index))
    elif ("rch" in line or "架构" in line) and (found := _LSCPU.fullmatch(line)):
        yield Claim("arch", _ARCHITECTURES[found[1].lower()], Weight.LISTED, page.evidence(index))
    elif ("ibc" in line or "ldd (" in line) and (found := _LIBC.search(line)):
        yield Claim("libc", found[1], Weight.LISTED, page.evidence(index))
    elif "uid=" in line and (found := _ID.search(line)):
        groups = tuple(_GROUP.findall(found[4] or "")) if found[4] else None
        yield Claim(
            "user", User(found[2] or None, int(found[1]), groups), Weight.MEASURED, page.evidence(index)
        )
    elif "max locked memory" in line and (found := _MEMLOCK.search(line)):
        limit = math.inf if found[1] == "unlimited" else float(found[1])
        yield Claim("locked_memory_kb", limit, Weight.MEASURED, page.evidence(index))
    elif "shm" in line and (found := _SHM.search(line)):
        yield Claim("shm_mb", float(found[1]) * _UNITS[found[2]], Weight.MEASURED, page.evidence(index))


def _linux(line: str, evidence: Evidence) -> Iterator[Claim]:
    if found := _UNAME.search(line):
        yield Claim("kernel", found[2], Weight.MEASURED, evidence)
        yield Claim("arch", found[3], Weight.MEASURED, evidence)
    elif found := _PLATFORM.search(line):
        yield Claim("kernel", found[1], Weight.LISTED, evidence)
        yield Claim("arch", found[2], Weight.LISTED, evidence)
        yield Claim("libc", found[3], Weight.LISTED, evidence)


def _system(text: str, weight: Weight, evidence: Evidence) -> Iterator[Claim]:
    if release := os_release(text):
        yield Claim("os", release, weight, evidence)
    if found := _IN_BRACKETS.search(text):
        yield Claim("arch", _ARCHITECTURES[found[1].lower()], weight, evidence)


def _release_file(release: dict[str, tuple[str, Evidence]]) -> Iterator[Claim]:
    """`/etc/os-release`: a line `NAME=` alone is a shell variable, so that ID or PRETTY_NAME must be there."""
    pretty, line = release.get("PRETTY_NAME") or release.get("ID") or ("", None)
    if line is None or not (named := os_release(f"{pretty} {release.get('ID', ('', line))[0]}")):
        return
    version = release.get("VERSION_ID", (named.version or "", line))[0]
    yield Claim("os", OsRelease(named.id, version or None, pretty), Weight.MEASURED, line)
