"""The driver as its files, its libraries and npu-smi tell it."""

from typing import Any, Dict, List, Sequence

from .command import Command
from .system import System

FILES = (
    "/etc/ascend_install.info",
    "/etc/ld.so.conf.d/ascend_driver_so.conf",
    "/usr/local/Ascend/driver/version.info",
    "/usr/local/Ascend/driver/scene.info",
    "/usr/local/Ascend/firmware/version.info",
)
INSTALL_LOG = "/var/log/ascend_seclog/ascend_install.log"
LOG_TAIL = 64 * 1024
FOLDERS = (
    "/usr/local/Ascend",
    "/usr/local/Ascend/driver",
    "/usr/local/Ascend/driver/lib64",
    "/usr/local/Ascend/driver/topo",
    "/usr/local/dcmi",
)
PLACES = (
    "/usr/local/Ascend/driver",
    "/usr/local/Ascend/driver/version.info",
    "/etc/ascend_install.info",
    "/usr/local/dcmi",
    "/usr/local/dcmi/libdcmi.so",
    "/usr/local/bin/npu-smi",
    "/usr/local/sbin/npu-smi",
)
LIBRARIES = (
    "/usr/local/Ascend/driver/lib64/driver/libascend_hal.so",
    "/usr/local/Ascend/driver/lib64/libascend_hal.so",
    "/usr/local/Ascend/driver/lib64/common/libascend_hal.so",
)
NPU_SMI_SECONDS = 8.0
DETAIL_SECONDS = 2.0
MOST_DETAILS = 4
"""How many sick cards are asked for their faults."""
HEALTHY = "OK"
HEALTH_WORDS = ("Warning", "Alarm", "Critical", "UNKNOWN")


def start_npu_smi(system: System) -> Command:
    """`npu-smi info`, started early because it takes long; it may hang on a sick card."""
    return Command(system, ["npu-smi", "info"], NPU_SMI_SECONDS)


def collect_driver(system: System, table: Command) -> Dict[str, Any]:
    """Files, folders, libraries and what npu-smi answers."""
    files = {path: system.read(path) for path in FILES}
    files[INSTALL_LOG] = system.read(INSTALL_LOG, LOG_TAIL)
    return {
        "files": files,
        "folders": {path: system.names(path) for path in FOLDERS},
        "places": {path: system.look(path) for path in PLACES},
        "libraries": [path for path in LIBRARIES if system.exists(path)],
        "npu_smi": npu_smi(system, table),
    }


def npu_smi(system: System, table: Command) -> Dict[str, Any]:
    """The table, the map of numbers, the running firmware, and the faults of sick cards; not asked on after a failure."""
    first = table.answer()
    records = {"npu-smi info": first}
    if first.get("rc") != 0:
        return records
    cards, sick = cards_in(str(first.get("stdout", "")))
    questions = [["npu-smi", "info", "-m"]]
    questions += [["npu-smi", "info", "-t", "board", "-i", number] for number in cards[:1]]
    questions += [["npu-smi", "info", "-t", "health", "-i", number] for number in sick[:MOST_DETAILS]]
    asked = {" ".join(words): Command(system, words, DETAIL_SECONDS) for words in questions}
    records.update((line, command.answer()) for line, command in asked.items())
    return records


def cards_in(table: str) -> "tuple[List[str], List[str]]":
    """The NPU numbers in the table of `npu-smi info`, and of those the ones that are not well."""
    cards: List[str] = []
    sick: List[str] = []
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        health = health_in(cells)
        number = cells[0].split(" ")[0]
        if health and number.isdigit() and number not in cards:
            cards.append(number)
            if health != HEALTHY:
                sick.append(number)
    return cards, sick


def health_in(cells: Sequence[str]) -> str:
    """The word in the column Health, empty in rows that have none."""
    for cell in cells[1:3]:
        if cell == HEALTHY or cell in HEALTH_WORDS:
            return cell
    return ""
