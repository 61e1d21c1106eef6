"""The table of `npu-smi info`, of every generation of the tool.

::

    +------------------------------------------------------------------------------------------------+
    | npu-smi 25.2.1                   Version: 25.2.1                                               |
    +---------------------------+---------------+----------------------------------------------------+
    | NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
    | Chip  Phy-ID              | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
    +===========================+===============+====================================================+
    | 0     Ascend910           | OK            | 166.5       38                0    / 0             |
    | 0     0                   | 0000:9D:00.0  | 0           0    / 0          3131 / 65536         |

The tables differ in width, columns and separators (`samples` of every family are in the tests), are cut off in
reports, lose their spacing in web pages, and stand behind labels. So rows are known by the shape of their cells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ascendenv.facts.chips import chip_in_npu_smi
from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.model import Npu, NpuProcess
from ascendenv.facts.reading import vendor_claim

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.page import Page

    _Cells: TypeAlias = tuple[str, str, str, str]

__all__ = ["read"]

_TITLE = re.compile(r"\bnpu-smi\s+v?(\S+)\s+Version:\s*([^\s|]+)")
_HEALTH = frozenset(("ok", "warning", "alarm", "critical", "unknown", "offline", "abnormal"))
_NPU_AND_NAME = re.compile(r"(\d{1,6})\s+([A-Za-z0-9][\w .-]{0,30})")
_NAME = re.compile(r"[A-Za-z0-9][\w .-]{0,30}")
_BUS = re.compile(r"[0-9A-Fa-f]{4}:[\w*]{1,2}:[\w*]{1,2}\.[\w*]|NA|N/A|-")
_CHIP_CELL = re.compile(r"(\d{1,6})(?:\s+(\d{1,5}))?")
_COUNT = re.compile(r"\d{1,12}", re.ASCII)
_PAIR = re.compile(r"(?<!\d)(\d{1,9})\s{0,9}/\s{0,9}(\d{1,9})")
_IDLE = "No running processes found in NPU"
_PROCESS_HEADER = "Process id"


def read(page: Page) -> Iterator[Claim]:
    """Driver, tool, chips, health and processes as far as npu-smi shows them."""
    table = _Table()
    for index, line in enumerate(page.lines):
        if "|" in line:
            yield from table.row(line, page, index)
    yield from table.finished()


@dataclass(frozen=True)
class _Card:
    npu: Npu
    line: Evidence


class _Table:
    """The rows seen so far; a device is complete when its second row or the next device was seen."""

    def __init__(self) -> None:
        self._half: _Card | None = None
        self._cards: list[_Card] = []
        self._processes: list[tuple[NpuProcess, Evidence]] = []
        self._process_part: Evidence | None = None
        self._phy_column = False

    def row(self, line: str, page: Page, index: int) -> Iterator[Claim]:
        """Takes a line with a bar in it; yields the versions of a title line."""
        if found := _TITLE.search(line):
            yield from vendor_claim("npu_smi", found.group(1), Weight.MEASURED, page.evidence(index))
            yield from vendor_claim("driver", found.group(2), Weight.MEASURED, page.evidence(index))
        elif "Phy-ID" in line:
            self._phy_column = True
        elif _PROCESS_HEADER in line or _IDLE in line:
            self._process_part = self._process_part or page.evidence(index)
        else:
            self._data_row(_cells(line), page, index)

    def _data_row(self, cells: _Cells, page: Page, index: int) -> None:
        if npu := _first_row(cells):
            self._keep_half()
            self._half = _Card(npu, page.evidence(index))
        elif self._half and (npu := _second_row(cells, self._half.npu)):
            self._cards.append(_Card(npu, self._half.line))
            self._half = None
        elif process := _process(cells):
            self._processes.append((process, page.evidence(index)))

    def _keep_half(self) -> None:
        if self._half:
            self._cards.append(self._half)
            self._half = None

    def finished(self) -> Iterator[Claim]:
        """The devices and processes of all tables."""
        self._keep_half()
        for card in self._cards:
            yield Claim("npus", card.npu, Weight.MEASURED, card.line)
            if chip := self._chip(card.npu):
                yield Claim("chip", chip, Weight.MEASURED, card.line)
        for process, line in self._processes:
            yield Claim("npu_processes", process, Weight.MEASURED, line)
        if self._process_part and not self._processes:
            yield Claim("npu_processes", None, Weight.MEASURED, self._process_part)

    def _chip(self, npu: Npu) -> str | None:
        dies = {card.npu.chip_id for card in self._cards if card.npu.npu_id == npu.npu_id}
        return chip_in_npu_smi(
            npu.name, two_dies=self._phy_column or len(dies) > 1, memory=npu.memory_total, hbm=npu.hbm_total
        )


def _cells(line: str) -> _Cells:
    """The first four cells of a row, empty where it has fewer."""
    first, second, third, fourth, *_ = [*line[line.index("|") + 1 :].split("|", 4), "", "", "", ""]
    return first.strip(), second.strip(), third.strip(), fourth.strip()


def _first_row(cells: _Cells) -> Npu | None:
    """`0 910B3 | OK | 90.4 32 0 / 0`, or on a 950 `0 | Ascend950PR | OK | …`."""
    first, second, third, fourth = cells
    if second.lower() in _HEALTH and (found := _NPU_AND_NAME.fullmatch(first)):
        number, name, health, usage = found.group(1), found.group(2), second, third
    elif third.lower() in _HEALTH and _COUNT.fullmatch(first) and _NAME.fullmatch(second):
        number, name, health, usage = first, second, third, fourth
    else:
        return None
    power, temperature, *_ = [*usage.split(), "", ""]
    return Npu(
        npu_id=int(number),
        chip_id=None,
        name=name.strip(),
        health=health,
        power=_float(power),
        temperature=_int(temperature),
    )


def _second_row(cells: _Cells, half: Npu) -> Npu | None:
    """`0 | 0000:C1:00.0 | 0 0 / 0 3433 / 65536`, on A3 `0 1 | …`, on a 950 ` | | 0000:61:00.0 | …`."""
    first, second, third, fourth = cells
    chip: str | None = None
    phy: str | None = None
    if not first and not second and _BUS.fullmatch(third):
        bus, usage = third, fourth
    elif _BUS.fullmatch(second) and (found := _CHIP_CELL.fullmatch(first)):
        chip, phy = found.groups()
        bus, usage = second, third
    else:
        return None
    pairs = [(int(used), int(total)) for used, total in _PAIR.findall(usage)]
    memory, hbm, *_ = [*pairs, (None, None), (None, None)]
    return replace(
        half,
        chip_id=_int(chip),
        phy_id=_int(phy),
        bus_id=bus if ":" in bus else None,
        aicore_percent=_int(usage.split()[0]) if usage else None,
        memory_used=memory[0],
        memory_total=memory[1],
        hbm_used=hbm[0],
        hbm_total=hbm[1],
    )


def _process(cells: _Cells) -> NpuProcess | None:
    """`0 0 | 6513 | rayWorkerDict | 617`, with a further column from npu-smi 26 on, on a 950 without the chip."""
    numbers, pid, name, memory = cells
    if not _COUNT.fullmatch(pid) or not name or not (found := _CHIP_CELL.fullmatch(numbers)):
        return None
    return NpuProcess(int(found.group(1)), _int(found.group(2)), int(pid), name, _int(memory))


def _int(text: str | None) -> int | None:
    return int(text) if text and _COUNT.fullmatch(text) else None


def _float(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d{1,6}(?:\.\d{1,4})?", text, re.ASCII) else None
