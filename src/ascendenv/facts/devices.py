"""Device nodes, kernel modules and PCI functions: `ls -l /dev/davinci*`, `ls /dev`, `lsmod`, `lspci`.

::

    crw-rw---- 1 HwHiAiUser HwHiAiUser 237, 0 Sep 28 21:56 /dev/davinci0
    drv_pcie_host         122880  1 drv_devmng_host
    3d:00.0 Processing accelerators: Huawei Technologies Co., Ltd. Device d801 (rev 20)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.model import DeviceNode, PciFunction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.page import Page

__all__ = ["is_device", "read"]

_DEVICE = r"davinci\d{1,3}|vdavinci\d{1,3}|davinci_manager(?:_docker)?|devmm_svm|hisi_hdc|dvpp_cmdlist|ummu/\S+|uburma/\S+"
_KNOWN = re.compile(rf"/dev/(?:{_DEVICE})")
_LONG = re.compile(
    rf"^\s*(?:total \d+\s+)?[cbl]([r-][w-][xsS-][r-][w-][xsS-][r-][w-][xtT-])[.+]?\s+\d+\s+(\S+)\s+(\S+)\s+.*?"
    rf"(?:\s|/dev/)(?P<node>{_DEVICE})(?=\s|$)"
)
_SHORT = re.compile(rf"/dev/(?:{_DEVICE})(?=\s|$)")
_MISSING = re.compile(r"cannot access '?/dev/davinci[^:]*: No such file or directory")
_ONLY_NODES = re.compile(rf"\s*(?:(?:crw\S*\s.*)?/dev/(?:{_DEVICE})\s*)+")
_PCI = re.compile(
    r"^\s*(?:(?P<domain>[0-9a-f]{4}):)?(?P<slot>[0-9a-f]{2}:[0-9a-f]{2}\.\d) Processing accelerators.*?"
    r"(?:Huawei.*\bDevice |\[?19e5:)(?P<device>[ad][0-9a-f]{3})\b",
    re.IGNORECASE,
)
_LSMOD_ASKED = re.compile(
    r"\s*\S{0,80}[#$>]\s*(?:sudo )?lsmod\s*\|\s*grep\s+(?:-\w+\s+)?[\"']?(?:drv|davinci|ascend)\w*[\"']?\s*"
)
_PROMPT = re.compile(r"\s*(?:\S{0,80}[#$>](?:\s.*)?)?")
_LSMOD_HEADER = re.compile(r"\s*Module\s+Size\s+Used by")
_MODULE = re.compile(r"\s*(\w{2,60})\s+\d{3,10}\s+-?\d+(?:\s+[\w,]+)?\s*")
_ASCEND_MODULE = re.compile(
    r"(?:drv_|vdrv_|ascend_|asdrv_|ts_agent|dbl_|debug_switch|npu_peermem|tc_pcidev)\w*"
)
_NODE_WORDS = ("davinci", "/dev/", "hisi_hdc", "devmm_svm")
_BITS = (0o400, 0o200, 0o100, 0o40, 0o20, 0o10, 0o4, 0o2, 0o1)


def is_device(path: str) -> bool:
    """Whether this is a node of the NPU driver."""
    return _KNOWN.fullmatch(path) is not None


def read(page: Page) -> Iterator[Claim]:
    """The nodes and modules that a listing shows; an `ls` that finds none is the claim that there are none."""
    inside = False
    for index, line in enumerate(page.lines):
        if found := _MODULE.fullmatch(line):
            if inside or _ASCEND_MODULE.fullmatch(found[1]):
                yield Claim("kernel_modules", found[1], Weight.MEASURED, page.evidence(index))
            continue
        inside = _LSMOD_HEADER.match(line) is not None
        if inside or _answers_nothing(page, index):
            yield Claim("kernel_modules", None, Weight.MEASURED, page.evidence(index))
        elif "accelerators" in line and (found := _PCI.match(line)):
            address = f"{found['domain'] or '0000'}:{found['slot']}".lower()
            function = PciFunction(address, f"0x{found['device'].lower()}", virtual=False)
            yield Claim("pci", function, Weight.MEASURED, page.evidence(index))
        elif any(word in line for word in _NODE_WORDS):
            yield from _nodes(line, page, index)


def _answers_nothing(page: Page, index: int) -> bool:
    """Whether a prompt asks lsmod for the driver's modules and the next prompt, or the end, follows at once."""
    if not _LSMOD_ASKED.fullmatch(page.lines[index]):
        return False
    return index + 1 >= len(page.lines) or _PROMPT.fullmatch(page.lines[index + 1]) is not None


def _nodes(line: str, page: Page, index: int) -> Iterator[Claim]:
    if found := _LONG.search(line):
        mode = sum(bit for bit, letter in zip(_BITS, found[1], strict=True) if letter != "-")
        node = DeviceNode(f"/dev/{found['node']}", mode, found[2], found[3])
        yield Claim("device_nodes", node, Weight.MEASURED, page.evidence(index))
    elif _ONLY_NODES.fullmatch(line):
        for path in _SHORT.findall(line):
            yield Claim("device_nodes", DeviceNode(path), Weight.MEASURED, page.evidence(index))
    elif _MISSING.search(line):
        yield Claim("device_nodes", None, Weight.MEASURED, page.evidence(index))
