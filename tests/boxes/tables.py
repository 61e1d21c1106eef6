"""What npu-smi prints on a simulated machine, in the layouts of its families."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.boxes.box import Box

__all__ = ["board_page", "health_page", "map_page", "table"]

UNREACHABLE = "DrvMngGetConsoleLogLevel failed. (ret=4)\ndcmi module initialize failed. ret is -8005\n"
IN_USE = (
    "DrvMngGetConsoleLogLevel failed. (ret=4)\n"
    "dcmi model initialized failed, because the device is used. ret is -8020\n"
)
NO_LIBRARY = (
    "npu-smi: error while loading shared libraries: libdrvdsmi_host.so: cannot open shared object file: "
    "No such file or directory\n"
)
NO_CARD = "There is no NPU card on this server.\n"


def numbers(box: Box) -> tuple[int, ...]:
    """The NPUs that the table shows."""
    return tuple(range(box.cards)) if box.container is None else box.container.cards


def table(box: Box) -> str:
    """The table of `npu-smi info`."""
    return "\n".join(_new(box) if box.family.layout.startswith("950") else _classic(box)) + "\n"


def _word(box: Box, npu: int) -> str:
    return next((one.word for one in box.health if one.npu == npu), "OK")


def bus(npu: int, chip: int) -> str:
    return f"0000:{0x81 + npu:02X}:0{chip}.0"


def _classic(box: Box) -> Iterator[str]:
    two = box.family.layout == "a3"
    wide, double = "+" + "-" * 96 + "+", "+" + "=" * 27 + "+" + "=" * 15 + "+" + "=" * 52 + "+"
    yield wide
    yield f"| npu-smi {box.driver:<24}  Version: {box.driver:<59}|"
    yield double.replace("=", "-")
    yield "| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|"
    yield f"| Chip  {'Phy-ID' if two else '      '}              | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |"
    yield double
    for npu in numbers(box):
        for chip in range(box.family.chips):
            phy = npu * box.family.chips + chip
            yield f"| {npu:<6}{box.family.name:<20}| {_word(box, npu):<14}| {'93.1' if chip == 0 else '-':<12}37                0    / 0             |"
            cell = f"{chip:<6}{phy if two else '':<20}"
            yield f"| {cell}| {bus(npu, chip):<14}| 0           0    / 0          3389 / {box.family.hbm:<14}|"
        yield double
    yield double.replace("=", "-")
    yield "| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |"
    for npu in numbers(box):
        yield f"| No running processes found in NPU {npu:<61}|"
    yield double


def _new(box: Box) -> Iterator[str]:
    line = "+" + "=" * 8 + "+" + "=" * 18 + "+" + "=" * 15 + "+" + "=" * 53 + "+"
    yield line.replace("=", "-")
    yield f"| npu-smi {box.driver:<38}   Version: {box.driver:<36}|"
    yield line.replace("=", "-")
    yield "| NPU ID | Name             | Health        | Power(W)    Temp(C)           Hugepages-Usage(page) |"
    yield "|        |                  | Bus-Id        | NPU Util(%) Memory-Usage(MB)  HBM-Usage(MB)         |"
    yield line
    for npu in numbers(box):
        address = bus(npu, 0) if box.family.pci else "NA"
        yield f"| {npu:<7}| {box.family.name:<17}| {_word(box, npu):<14}| 195.6       56                0     / 0             |"
        yield f"|        |                  | {address:<14}| 0           0    / 0          5239  / {box.family.hbm:<14}|"
        yield line
        yield f"| No running processes found in NPU {npu:<62}|"


def map_page(box: Box) -> str:
    """`npu-smi info -m`."""
    rows = [
        "\tNPU ID                         Chip ID                        Chip Logic ID                  Chip Name"
    ]
    for npu in numbers(box):
        for chip in range(box.family.chips):
            logic = npu * box.family.chips + chip
            rows.append(f"\t{npu:<31}{chip:<31}{logic:<31}{_mapped_name(box)}")
        rows.append(f"\t{npu:<31}{box.family.chips:<31}{'-':<31}Mcu")
    return "\n".join(rows) + "\n"


def _mapped_name(box: Box) -> str:
    name = box.family.name
    return name if name.startswith("Ascend") else f"Ascend {name}"


def board_page(box: Box, npu: int) -> str:
    """`npu-smi info -t board -i N`: the versions that run."""
    firmware = box.firmware if box.firmware_running == "same" else box.firmware_running
    lines = {
        "NPU ID": npu,
        "Software Version": box.driver,
        "Firmware Version": firmware,
        "Compatibility": "OK",
        "Board ID": "0x34",
        "PCI Vendor ID": "0x19E5",
        "Chip Count": box.family.chips,
    }
    return "".join(f"\t{key:<30} : {value}\n" for key, value in lines.items())


def health_page(box: Box, npu: int) -> str:
    """`npu-smi info -t health -i N`."""
    sick = next((one for one in box.health if one.npu == npu), None)
    word, code, text = (sick.word, sick.code, sick.text) if sick else ("OK", "NA", "NA")
    lines = {"Health Status": word, "Error Code": code, "Error Information": text}
    return "".join(f"\t{key:<30} : {value}\n" for key, value in lines.items())
