"""The network ports of the NPUs as hccn_tool prints them, and their settings in /etc/hccn.conf.

::

    # hccn_tool -i 0 -ip -g               link status: UP
    ipaddr:192.0.2.10                     dev_id:0, tls switch[0](0:disable, 1:enable), …
    netmask:255.255.255.0                 address_0=192.0.2.10
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.model import NpuPort

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.page import Page

__all__ = ["read"]

_COMMAND = re.compile(r"hccn_tool\b.*?\s-i\s+(\d{1,4}\b|\S)")
_LINK = re.compile(r"^\s*(?:\[devid (\d{1,4})\]\s*)?link status\s*:\s*(UP|DOWN)\b", re.IGNORECASE)
_CHANGE = re.compile(r"^\s*\[devid (\d{1,4})\]\s+\w{3} \w{3} .*\bLINK (UP|DOWN)\b")
_ADDRESS = re.compile(r"^\s*(?:\[devid (\d{1,4})\]\s*)?ipaddr\s*:\s*([\da-fA-F.:]+)\s*$")
_TLS = re.compile(r"\bdev_id\s*:\s*(\d{1,4})\s*,\s*tls switch\s*\[(\d)\]")
_CONF = re.compile(r"^\s*(?:IPv6)?address_(\d{1,4})\s*=\s*([\da-fA-F.:]+)\s*$")
_WORDS = ("hccn_tool", "link status", "link up", "link down", "ipaddr", "tls switch", "address_")


def read(page: Page) -> Iterator[Claim]:
    """Link state, address and TLS switch by device number.

    Output without a number belongs to the device that the command before it names; in the output of a loop over all
    devices, the lines are counted from 0.
    """
    device: int | None = None
    counted = {"link": 0, "address": 0}
    changed: set[int] = set()
    for index in page.containing(*_WORDS):
        line = page.lines[index]
        if found := _COMMAND.search(line):
            device = int(found[1]) if found[1].isdecimal() else None
            counted = {"link": 0, "address": 0}
        port: NpuPort | None = None
        if found := _TLS.search(line):
            port = NpuPort(int(found[1]), tls_enabled=found[2] == "1")
        elif found := _CONF.search(line):
            port = NpuPort(int(found[1]), address=found[2])
        elif found := _LINK.search(line):
            number = _number(found[1], device, counted, "link")
            port = NpuPort(number, link_up=found[2].upper() == "UP")
        elif found := _ADDRESS.search(line):
            port = NpuPort(_number(found[1], device, counted, "address"), address=found[2])
        elif (found := _CHANGE.search(line)) and int(found[1]) not in changed:
            changed.add(int(found[1]))  # the newest record of the history comes first
            port = NpuPort(int(found[1]), link_up=found[2] == "UP")
        if port:
            yield Claim("ports", port, Weight.MEASURED, page.evidence(index))


def _number(printed: str | None, device: int | None, counted: dict[str, int], kind: str) -> int:
    if printed is not None:
        return int(printed)
    if device is not None:
        return device
    counted[kind] += 1
    return counted[kind] - 1
