"""The network ports of the NPUs, as far as hccn_tool tells them in the time that there is for it."""

import time
from typing import Any, Dict, List

from .command import Command
from .system import System

SETTINGS = "/etc/hccn.conf"
QUESTIONS = ("-ip", "-link")
TOTAL_SECONDS = 1.5
AT_ONCE = 4
"""How many cards are asked at the same time."""
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
    for start in range(0, len(devices), AT_ONCE):
        left = until - time.time()
        if left <= 0:
            break
        batch = devices[start : start + AT_ONCE]
        record["ports"].update(ask(system, tool, batch, left))
        record["asked"] += len(batch)
    return record


def ask(system: System, tool: str, devices: List[int], seconds: float) -> Dict[str, Any]:
    """Both questions for all `devices` at once: the tool waits for the card most of the time."""
    words = [(device, word) for device in devices for word in QUESTIONS]
    commands = {
        "hccn_tool -i {} {} -g".format(device, word): Command(
            system, [tool, "-i", str(device), word, "-g"], seconds
        )
        for device, word in words
    }
    return {line: command.answer() for line, command in commands.items()}
