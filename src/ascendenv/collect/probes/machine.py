"""The machine below Ascend: system, kernel, processor, container, boot time, shared memory, runtimes."""

import os
import time
from typing import Any, Dict

from .record import list_folder, read_file

FILES = (
    "/etc/os-release",
    "/proc/version",
    "/proc/1/cgroup",
    "/proc/self/cgroup",
    "/proc/cmdline",
    "/proc/meminfo",
    "/proc/sys/kernel/tainted",
    "/proc/sys/vm/nr_hugepages",
    "/sys/devices/system/node/online",
    "/sys/class/dmi/id/product_name",
    "/sys/class/dmi/id/sys_vendor",
    "/sys/kernel/security/lockdown",
    "/etc/docker/daemon.json",
    "/etc/containerd/config.toml",
)
MARKS = ("/.dockerenv", "/run/.containerenv")
SPACES = ("/dev/shm", "/usr/local", "/tmp", "~")  # noqa: S108  (places that are measured, nothing is written)
MOUNTS_OF_INTEREST = ("ascend", "davinci", "dcmi", "npu-smi", "hccn")


def collect_machine() -> Dict[str, Any]:
    """Files, system names, marks of a container, mounts that have to do with Ascend, and space where it matters."""
    name = os.uname()
    return {
        "uname": {
            "system": name.sysname,
            "kernel": name.release,
            "arch": name.machine,
            "host": name.nodename,
        },
        "libc": libc_version(),
        "files": {path: read_file(path) for path in FILES},
        "container_marks": [mark for mark in MARKS if os.path.exists(mark)],
        "mounts": mounts(),
        "boot_time": boot_time(),
        "now": int(time.time()),
        "space": {path: space(os.path.expanduser(path)) for path in SPACES},
        "modules_of_kernel": list_folder("/lib/modules"),
        "headers": os.path.isdir("/lib/modules/{}/build".format(name.release)),
    }


def libc_version() -> Any:
    """The version of glibc as it says itself, None on another libc."""
    try:
        text = os.confstr("CS_GNU_LIBC_VERSION")
    except (AttributeError, OSError, ValueError):
        return None
    return text.split()[-1] if text else None


def boot_time() -> Any:
    """Seconds since the epoch at which the kernel started, None where /proc does not tell."""
    record = read_file("/proc/stat")
    for line in record.get("text", "").splitlines():
        if line.startswith("btime "):
            return int(line.split()[1])
    return None


def mounts() -> Any:
    """Mount points that have to do with Ascend; None where /proc does not tell."""
    record = read_file("/proc/self/mountinfo")
    if "text" not in record:
        return None
    points = [line.split()[4] for line in record["text"].splitlines() if len(line.split()) > 4]
    return [point for point in points if any(mark in point.lower() for mark in MOUNTS_OF_INTEREST)]


def space(path: str) -> Any:
    """Total and free bytes of the file system that holds `path`, None where it is not there."""
    try:
        status = os.statvfs(path)
    except OSError:
        return None
    return {"total": status.f_blocks * status.f_frsize, "free": status.f_bavail * status.f_frsize}
