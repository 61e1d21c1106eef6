"""Nodes, functions on the buses, who holds the cards, and to whom the driver's table gives them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ascendenv.facts.model import DeviceNode, DeviceOwner, Holder, PciFunction
from ascendenv.facts.recorded.claims import measured, word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.collect.snapshot import Snapshot
    from ascendenv.facts.claim import Claim

__all__ = ["read_bus", "read_holders", "read_nodes", "read_owners"]

_REFUSALS = ("EACCES", "EPERM")
"""Errors of the kernel; others, ENXIO and ENODEV among them, come from the driver, and the permission was there."""
_NAMESPACES = "/proc/uda/namespace_node"
_NAMESPACE = re.compile(r"\broot_tgid (\d{1,10}) dev_num \d+ namespace \S+?(\(#\))?, udev list:")
_ROW = re.compile(r"\s*(\d{1,5})\s+(\d{1,5})\s*")
_ACCELERATOR = "0x1200"
_HOST = 1
"""The process that the table names for the host itself."""


def read_nodes(snapshot: Snapshot) -> Iterator[Claim]:
    """The device nodes, and whether this user may open them."""
    if "nodes" not in snapshot.section("devices"):
        return
    nodes = snapshot.part("devices", "nodes")
    if not nodes:
        yield measured("device_nodes", None, "/dev", "no davinci node")
    for path, look in nodes.items():
        if "error" not in look:
            yield measured("device_nodes", _node(path, look), path, _shown(look))


def _node(path: str, look: Mapping[str, Any]) -> DeviceNode:
    opened = look.get("open")
    openable = None if opened is None else opened not in _REFUSALS
    refused = None if opened in (None, "ok") else str(opened)
    return DeviceNode(
        path, int(look["mode"]), word(look.get("owner")), word(look.get("group")), openable, refused
    )


def _shown(look: Mapping[str, Any]) -> str:
    opened = look.get("open")
    tail = "" if opened is None else ", opens" if opened == "ok" else f", opening it: {opened}"
    return f"mode {int(look['mode']):04o} {look.get('owner')}:{look.get('group')}{tail}"


def read_bus(snapshot: Snapshot) -> Iterator[Claim]:
    """Functions on PCI and on the unified bus."""
    functions = snapshot.part("devices", "pci")
    if "pci" in snapshot.section("devices") and "error" not in functions:
        accelerators = [
            one for one in functions.values() if str(one.get("class", "")).startswith(_ACCELERATOR)
        ]
        if not accelerators:
            yield measured("pci", None, "/sys/bus/pci/devices", "no function of an Ascend card")
        for address, one in functions.items():
            function = PciFunction(address, str(one["device"]), bool(one["virtual"]))
            where = f"/sys/bus/pci/devices/{address}"
            yield measured("pci", function, where, f"{one.get('vendor', '')}:{function.device}")
    names = snapshot.part("devices", "ub").get("names")
    if isinstance(names, list):
        yield measured("ub_devices", None, "/sys/bus/ub/devices")
        for name in names:
            yield measured("ub_devices", str(name), f"/sys/bus/ub/devices/{name}")


def read_holders(snapshot: Snapshot) -> Iterator[Claim]:
    """Processes that have a node open."""
    record = snapshot.part("devices", "holders")
    if "processes" not in record:
        return
    yield measured("holders", None, "/proc")
    for one in record["processes"]:
        nodes = tuple(str(path) for path in one["nodes"])
        holder = Holder(int(one["pid"]), str(one["name"]), nodes, word(one.get("container")))
        inside = f" in container {holder.container}" if holder.container else ""
        yield measured(
            "holders", holder, f"/proc/{holder.pid}/fd", f"{holder.name}{inside}: {' '.join(holder.nodes)}"
        )


def read_owners(snapshot: Snapshot) -> Iterator[Claim]:
    """The rows of the driver's table of mount namespaces; the host's own row gives nothing away."""
    text = snapshot.text(_NAMESPACES)
    if text is None:
        return
    yield measured("device_owners", None, _NAMESPACES)
    process, here, head = 0, False, ""
    for line in text.splitlines():
        if found := _NAMESPACE.search(line):
            process, here, head = int(found[1]), found[2] is not None, line
        elif process > _HOST and (row := _ROW.fullmatch(line)):
            owner = DeviceOwner(int(row[2]), process, here)
            yield measured("device_owners", owner, _NAMESPACES, f"{head.strip()} {row[2]}")
