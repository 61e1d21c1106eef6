"""The devices: nodes and whether they may be opened, functions on the bus, who holds the cards, the driver's account."""

import os
import time
from typing import Any, Dict, List, Optional, Set

from .system import System

NODES = (
    "/dev/davinci[0-9]*",
    "/dev/davinci_manager*",
    "/dev/devmm_svm",
    "/dev/hisi_hdc",
    "/dev/dvpp_cmdlist",
    "/dev/vdavinci[0-9]*",
    "/dev/uburma",
    "/dev/uburma/*",
    "/dev/ummu",
    "/dev/ummu/*",
)
SHARED = "davinci_manager"
VENDORS = ("0x19e5", "0x20c6", "0x203f", "0x20e9")
"""Huawei, and the makers whose boards carry the same chips (card map of ascend-deployer)."""
PCI = "/sys/bus/pci/devices"
UB = "/sys/bus/ub/devices"
OWNERS = ("/proc/uda/namespace_node", "/proc/uda/udevice", "/proc/svm/summary")
HOLDER_SECONDS = 0.3
MOST_HOLDERS = 256


def collect_devices(system: System) -> Dict[str, Any]:
    """All that tells whether the cards are there and free."""
    nodes = sorted(path for pattern in NODES for path in system.glob(pattern))
    return {
        "nodes": {path: describe_node(system, path) for path in nodes},
        "dev": system.look("/dev/null"),
        "pci": pci_functions(system),
        "ub": system.names(UB),
        "files": {path: system.read(path) for path in OWNERS},
        "holders": holders(system, nodes),
        "accounts": accounts(system),
    }


def describe_node(system: System, path: str) -> Dict[str, Any]:
    """Kind, mode and owner of a node, and whether this user may open it."""
    record = system.look(path)
    name = os.path.basename(path)
    if name == SHARED:
        record["open"] = system.open_shared(path)
    elif name.startswith(("davinci", "devmm", "hisi")):
        record["open"] = system.may_open(path)
    return record


def pci_functions(system: System) -> Dict[str, Any]:
    """The vendor's PCI functions by address, `{"device": "0xd802", "virtual": False, ...}`, or `{"error": ...}`."""
    listing = system.names(PCI)
    if "error" in listing:
        return listing
    found = {}
    for address in listing["names"]:
        folder = os.path.join(PCI, address)
        vendor = system.text(os.path.join(folder, "vendor"), 64).strip()
        if vendor in VENDORS:
            found[address] = describe_function(system, folder, vendor)
    return found


def describe_function(system: System, folder: str, vendor: str) -> Dict[str, Any]:
    """Numbers of one PCI function, the driver bound to it, its NUMA node, and whether it is a virtual one."""
    names = ("device", "class", "subsystem_vendor", "subsystem_device", "numa_node", "revision")
    record: Dict[str, Any] = {name: system.text(os.path.join(folder, name), 64).strip() for name in names}
    record["vendor"] = vendor
    record["virtual"] = system.exists(os.path.join(folder, "physfn"))
    driver = system.look(os.path.join(folder, "driver")).get("link")
    record["driver"] = os.path.basename(driver) if driver else None
    return record


def holders(system: System, nodes: List[str]) -> Dict[str, Any]:
    """Processes that have a device node open, `{"processes": [{"pid", "name", "nodes", "container"}], "complete": bool}`.

    Only root sees the files of other users' processes; the search stops after a moment on a very full machine.
    """
    until = time.time() + HOLDER_SECONDS
    wanted = set(nodes)
    found: List[Dict[str, Any]] = []
    complete = system.user()["uid"] == 0
    for folder in system.glob("/proc/[0-9]*") if wanted else []:
        if time.time() > until or len(found) >= MOST_HOLDERS:
            complete = False
            break
        opened = open_files(system, folder) & wanted
        if opened:
            found.append(
                {
                    "pid": int(os.path.basename(folder)),
                    "name": system.text(folder + "/comm").strip(),
                    "nodes": sorted(opened),
                    "container": container_of(system, folder),
                }
            )
    return {"processes": found, "complete": complete}


def open_files(system: System, folder: str) -> Set[str]:
    """The files that a process has open, as far as they can be seen."""
    paths = set()
    for name in system.names(folder + "/fd").get("names", []):
        try:
            paths.add(os.readlink(system.at(os.path.join(folder, "fd", name), follow=False)))
        except OSError:
            continue
    return paths


def container_of(system: System, folder: str) -> Optional[str]:
    """The short id of the container that a process runs in, as its cgroup tells, else None."""
    for line in system.text(folder + "/cgroup").splitlines():
        for part in reversed(line.split("/")):
            name = part.split(".scope")[0].split("-")[-1].split(":")[-1]
            if len(name) == 64 and all(letter in "0123456789abcdef" for letter in name):
                return name[:12]
    return None


def accounts(system: System) -> Dict[str, Any]:
    """Whether the driver's account exists, and who is in its group, from the files that the installer reads."""
    users = [line.split(":") for line in system.text("/etc/passwd", 1 << 20).splitlines()]
    groups = [line.split(":") for line in system.text("/etc/group", 1 << 20).splitlines()]
    members = [one[3] for one in groups if one[0] == "HwHiAiUser" and len(one) > 3]
    return {
        "user": any(one[0] == "HwHiAiUser" for one in users) if users else None,
        "group": bool(members),
        "members": [name for text in members for name in text.split(",") if name],
    }
