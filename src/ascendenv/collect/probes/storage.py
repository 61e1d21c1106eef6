"""Mounts and space: what of Ascend was mounted from elsewhere, and where too little room or another kind of disk is."""

import os
from typing import Any, Dict, List, Optional

from .system import System

PLACES = ("/dev/shm", "/usr/local", "/tmp", "/var/log", "~", ".")  # noqa: S108  (measured; nothing is written)
OF_ASCEND = ("ascend", "davinci", "dcmi", "npu-smi", "hccn")
MOUNT_TEXT = 1 << 20


def collect_storage(system: System) -> Dict[str, Any]:
    """`{"mounts": [paths that have to do with Ascend], "space": {place: {...}}}`; `mounts` is None without /proc."""
    table = mount_table(system)
    places = {place: os.path.abspath(system.expand(place)) for place in PLACES}
    return {
        "mounts": None
        if table is None
        else [one["path"] for one in table if any(mark in one["path"].lower() for mark in OF_ASCEND)],
        "space": {place: measured(system, path, table or []) for place, path in places.items()},
    }


def mount_table(system: System) -> Optional[List[Dict[str, str]]]:
    """`{"path", "type", "source"}` of every mount, None where /proc does not tell."""
    text = system.text("/proc/self/mountinfo", MOUNT_TEXT)
    if not text:
        return None
    table = []
    for line in text.splitlines():
        left, separator, right = line.partition(" - ")
        fields, behind = left.split(), right.split()
        if separator and len(fields) > 4 and len(behind) > 1:
            path = fields[4].replace("\\040", " ")
            table.append({"path": path, "type": behind[0], "source": behind[1], "device": fields[2]})
    return table


def measured(system: System, path: str, table: List[Dict[str, str]]) -> Optional[Dict[str, Any]]:
    """Size, free space and kind of the file system that holds `path`; None where it is not there."""
    record = system.space(path)
    if record is None:
        return None
    record["path"] = path
    holding = [one for one in table if (path + "/").startswith(one["path"].rstrip("/") + "/")]
    if holding:
        mount = max(holding, key=lambda one: len(one["path"]))
        record["type"] = mount["type"]
        spinning = system.text("/sys/dev/block/{}/queue/rotational".format(mount["device"])).strip()
        if spinning:
            record["rotational"] = spinning == "1"
    return record
