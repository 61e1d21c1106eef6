"""The machine below Ascend: system, processor, memory, virtualisation, container and what confines a process."""

import os
import time
from typing import Any, Dict, List, Optional

from .system import System

FILES = (
    "/etc/os-release",
    "/proc/version",
    "/proc/1/cgroup",
    "/proc/self/cgroup",
    "/proc/cmdline",
    "/proc/meminfo",
    "/proc/sys/vm/nr_hugepages",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/sys/kernel/mm/transparent_hugepage/shmem_enabled",
    "/sys/devices/system/node/online",
    "/sys/class/dmi/id/product_name",
    "/sys/class/dmi/id/sys_vendor",
    "/sys/hypervisor/type",
    "/proc/device-tree/hypervisor/compatible",
    "/run/systemd/container",
    "/etc/docker/daemon.json",
    "/etc/containerd/config.toml",
    "/etc/ascend-docker-runtime.d/base.list",
)
CONTAINER_MARKS = ("/.dockerenv", "/run/.containerenv", "/run/secrets/kubernetes.io")
ASCEND_RUNTIME = "/usr/local/Ascend/Ascend-Docker-Runtime"
CONFINEMENT = ("CapEff", "CapBnd", "NoNewPrivs", "Seccomp", "Seccomp_filters")
CPU_NAMES = ("model name", "CPU implementer", "CPU part", "Hardware")
CPU_TEXT = 16 * 1024


def collect_machine(system: System) -> Dict[str, Any]:
    """Names, files, processor, container and confinement, times."""
    return {
        "uname": system.uname(),
        "libc": libc_version(),
        "cpu": processor(system),
        "numa": numa_nodes(system),
        "files": {path: system.read(path) for path in FILES},
        "container_marks": [mark for mark in CONTAINER_MARKS if system.exists(mark)],
        "root_mount": root_mount(system),
        "confinement": confinement(system),
        "ascend_runtime": system.exists(ASCEND_RUNTIME),
        "boot_time": boot_time(system),
        "now": int(time.time()),
    }


def libc_version() -> Optional[str]:
    """The version of glibc as it says itself, None on another libc."""
    try:
        text = os.confstr("CS_GNU_LIBC_VERSION")
    except (AttributeError, OSError, ValueError):
        return None
    return text.split()[-1] if text else None


def processor(system: System) -> Dict[str, Any]:
    """`{"count", "hypervisor", names ...}` of the first processor in /proc/cpuinfo."""
    found: Dict[str, Any] = {"count": os.cpu_count()}
    for line in system.text("/proc/cpuinfo", CPU_TEXT).splitlines():
        name, _, value = line.partition(":")
        if name.strip() in CPU_NAMES:
            found.setdefault(name.strip(), value.strip())
        elif name.strip() == "flags":
            found["hypervisor"] = "hypervisor" in value.split()
    return found


def numa_nodes(system: System) -> Dict[str, str]:
    """The processors of each NUMA node, e.g. `{"0": "0-23"}`."""
    found = {}
    for path in system.glob("/sys/devices/system/node/node[0-9]*/cpulist"):
        found[path.split("/")[-2][4:]] = system.text(path).strip()
    return found


def root_mount(system: System) -> Optional[Dict[str, str]]:
    """What the root folder is mounted from: `{"type": "overlay", "options": ...}`; None where /proc does not tell."""
    for line in system.text("/proc/self/mountinfo", 1 << 20).splitlines():
        left, separator, right = line.partition(" - ")
        fields, behind = left.split(), right.split(None, 2)
        if separator and len(fields) > 4 and fields[4] == "/" and behind:
            return {"type": behind[0], "options": behind[-1][:400]}
    return None


def confinement(system: System) -> Dict[str, Any]:
    """What may keep this process from devices that its user could open: capabilities, seccomp, namespaces, profile."""
    found: Dict[str, Any] = {}
    for line in system.text("/proc/self/status").splitlines():
        name, _, value = line.partition(":")
        if name in CONFINEMENT:
            found[name] = value.strip()
    found["uid_map"] = " ".join(system.text("/proc/self/uid_map").split())
    found["profile"] = system.text("/proc/self/attr/current").strip("\0\n ")
    found["first_process"] = system.text("/proc/1/comm").strip()
    found["above"] = ancestors(system)
    return found


def ancestors(system: System) -> List[str]:
    """The names of the processes that this one descends from, the nearest first: a sandbox is often one of them."""
    names: List[str] = []
    pid = "self"
    while pid not in ("0", "") and len(names) < 16:
        parent = ""
        name = ""
        for line in system.text("/proc/{}/status".format(pid), 4096).splitlines():
            if line.startswith("Name:"):
                name = line.split(None, 1)[-1].strip()
            elif line.startswith("PPid:"):
                parent = line.split()[-1]
        if pid != "self" and name:
            names.append(name)
        pid = parent
    return names


def boot_time(system: System) -> Optional[int]:
    """Seconds since the epoch at which the kernel started, None where /proc does not tell."""
    for line in system.text("/proc/stat").splitlines():
        if line.startswith("btime "):
            return int(line.split()[1])
    return None
