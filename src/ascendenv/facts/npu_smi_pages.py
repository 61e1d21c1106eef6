"""The other output of npu-smi: the mapping of ids, the board page, the version, and that there is no card.

::

    NPU ID       Chip ID       Chip Logic ID       Chip Phy-ID       Chip Name
    0            0             0                   0                 Ascend910
    0            2             -                   -                 Mcu

    Software Version               : 25.7.rc1.6
    Firmware Version               : 9.0.0.105.229
    NPU Name                       : 9579
    Chip Name                      : Ascend950PR
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.chips import chip_in_npu_smi, chip_named
from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.reading import vendor_claim

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.page import Page

__all__ = ["read"]

_TOOL = re.compile(r"^\s*npu-smi version\s*:\s*(\S+)", re.IGNORECASE)
_BARE_TITLE = re.compile(
    r"\s*npu-smi\s+v?(\d\S*)\s+Version:\s*(\d\S*)\s*"
)  # the table's title without its frame
_NO_CARD = "There is no NPU card on this server"
_MAPPING_HEADER = re.compile(r"\s*NPU ID\s+(?:Slot ID\s+)?Chip ID\s.*Chip Name\s*$")
_MAPPING_ROW = re.compile(r"\s*(\d{1,6})\s+(\d{1,3})(?:\s+(?:\d{1,4}|-)){1,2}\s+([A-Za-z]\S*(?: \S+)?)\s*$")
_BOARD_LINE = re.compile(r"\s*(NPU Name|Chip Name|Software Version|Firmware Version)\s*:\s*(\S.*?)\s*")


def read(page: Page) -> Iterator[Claim]:
    """Versions of driver, firmware and tool, and the exact chip."""
    yield from _mapping(page)
    number = ""
    for index in page.containing("npu", "chip name", "software version", "firmware version"):
        line = page.lines[index]
        if _NO_CARD in line:
            yield Claim("npus", None, Weight.MEASURED, page.evidence(index))
        elif found := _BOARD_LINE.fullmatch(line):
            if found[1] == "NPU Name":
                number = found[2]
            else:
                yield from _board(found[1], found[2], number, page, index)
        elif found := _TOOL.search(line):
            yield from vendor_claim("npu_smi", found[1], Weight.MEASURED, page.evidence(index))
        elif found := _BARE_TITLE.fullmatch(line):
            yield from vendor_claim("npu_smi", found[1], Weight.MEASURED, page.evidence(index))
            yield from vendor_claim("driver", found[2], Weight.MEASURED, page.evidence(index))


def _mapping(page: Page) -> Iterator[Claim]:
    """The chips of `npu-smi info -m`; rows of the management controller name none."""
    for header in page.containing("chip name"):
        if not _MAPPING_HEADER.match(page.lines[header]):
            continue
        two_dies = "Phy-ID" in page.lines[header]
        for index in range(header + 1, len(page.lines)):
            if not (found := _MAPPING_ROW.match(page.lines[index])):
                break
            if chip := chip_in_npu_smi(found[3], two_dies=two_dies, memory=None, hbm=None):
                yield Claim("chip", chip, Weight.MEASURED, page.evidence(index))


def _board(key: str, value: str, number: str, page: Page, index: int) -> Iterator[Claim]:
    """A line of the board page; A3 and 950 split the name of the chip in two, `number` is the half seen before."""
    if key == "Software Version":
        yield from vendor_claim("driver", value, Weight.MEASURED, page.evidence(index))
    elif key == "Firmware Version":
        yield from vendor_claim("firmware", value, Weight.MEASURED, page.evidence(index))
    elif chip := chip_named(f"{value}_{number}") or chip_named(value):
        yield Claim("chip", chip, Weight.MEASURED, page.evidence(index))
