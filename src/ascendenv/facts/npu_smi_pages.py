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
_NO_CARD = "There is no NPU card on this server"
_MAPPING_HEADER = re.compile(r"\s*NPU ID\s+(?:Slot ID\s+)?Chip ID\s.*Chip Name\s*$")
_MAPPING_ROW = re.compile(r"\s*(\d{1,6})\s+(\d{1,3})(?:\s+(?:\d{1,4}|-)){1,2}\s+([A-Za-z]\S*(?: \S+)?)\s*$")
_BOARD_LINE = re.compile(r"\s*(NPU Name|Chip Name|Software Version|Firmware Version)\s*:\s*(\S.*?)\s*")


def read(page: Page) -> Iterator[Claim]:
    """Versions of driver, firmware and tool, and the exact chip."""
    inside_mapping = phy_column = False
    number = ""
    for index, line in enumerate(page.lines):
        if _MAPPING_HEADER.match(line):
            inside_mapping, phy_column = True, "Phy-ID" in line
        elif inside_mapping and (found := _MAPPING_ROW.match(line)):
            if chip := chip_in_npu_smi(found[3], two_dies=phy_column, memory=None, hbm=None):
                yield Claim("chip", chip, Weight.MEASURED, page.evidence(index))
        elif line.strip():
            inside_mapping = False
        if _NO_CARD in line:
            yield Claim("npus", None, Weight.MEASURED, page.evidence(index))
        elif "npu-smi" in line and (found := _TOOL.search(line)):
            yield from vendor_claim("npu_smi", found[1], Weight.MEASURED, page.evidence(index))
        elif ":" in line and (found := _BOARD_LINE.fullmatch(line)):
            if found[1] == "NPU Name":
                number = found[2]
            else:
                yield from _board(found[1], found[2], number, page, index)


def _board(key: str, value: str, number: str, page: Page, index: int) -> Iterator[Claim]:
    """A line of the board page; A3 and 950 split the name of the chip in two, `number` is the half seen before."""
    if key == "Software Version":
        yield from vendor_claim("driver", value, Weight.MEASURED, page.evidence(index))
    elif key == "Firmware Version":
        yield from vendor_claim("firmware", value, Weight.MEASURED, page.evidence(index))
    elif chip := chip_named(f"{value}_{number}") or chip_named(value):
        yield Claim("chip", chip, Weight.MEASURED, page.evidence(index))
