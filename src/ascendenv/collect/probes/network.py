"""The network ports of the NPUs, as far as hccn_tool tells them in the time that there is for it."""

import time
from typing import Any, Dict, List

from .command import Command
from .system import System

SETTINGS = "/etc/hccn.conf"
QUESTIONS = ("-ip", "-link")
TOTAL_SECONDS = 1.5
TOOLS = ("hccn_tool", "/usr/local/Ascend/driver/tools/hccn_tool")


def collect_network(system: System, nodes: List[str]) -> Dict[str, Any]:
    """The settings file, and address and link of each port; `asked` says for how many of the devices time sufficed."""
    devices = sorted(
        int(path[12:]) for path in nodes if path[12:].isdigit() and path.startswith("/dev/davinci")
    )
    tool = next((name for name in TOOLS if system.program(name)), None)
    record: Dict[str, Any] = {
        "files": {SETTINGS: system.read(SETTINGS)},
        "devices": len(devices),
        "ports": {},
    }
    if tool is None or not devices:
        record["tool"] = tool
        return record
    until = time.time() + TOTAL_SECONDS
    record["tool"] = tool
    record["asked"] = 0
    for device in devices:
        left = until - time.time()
        if left <= 0:
            break
        # Both questions at once: the tool waits for the card most of the time.
        commands = {word: Command(system, [tool, "-i", str(device), word, "-g"], left) for word in QUESTIONS}
        for word, command in commands.items():
            record["ports"]["hccn_tool -i {} {} -g".format(device, word)] = command.answer()
        record["asked"] += 1
    return record
