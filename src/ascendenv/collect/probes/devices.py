"""Devices and driver: nodes, PCI functions, kernel modules, driver files, npu-smi, who holds the cards."""

import glob
import os
import time
from typing import Any, Dict, List

from .record import existing, list_folder, look_at, read_file, run

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
HUAWEI = "0x19e5"
DRIVER_FILES = (
    "/etc/ascend_install.info",
    "/etc/hccn.conf",
    "/etc/ld.so.conf.d/ascend_driver_so.conf",
    "/usr/local/Ascend/driver/version.info",
    "/usr/local/Ascend/driver/scene.info",
    "/usr/local/Ascend/firmware/version.info",
    "/var/log/ascend_seclog/ascend_install.log",
    "/proc/uda/namespace_node",
    "/proc/svm/summary",
)
MODULES = ("drv_pcie_host", "drv_vpcie", "tc_pcidev", "drv_davinci_intf_host", "asdrv_pbl")
LOG_TAIL = 64 * 1024
KERNEL_LOG_MARKS = (
    "ascend",
    "davinci",
    "devmm",
    "drv_",
    "hdc",
    "uda",
    "19e5",
    "hbm",
    "vermagic",
    "asdrv",
    "lockdown",
)
KERNEL_LOG_LINES = 400
HOLDER_SECONDS = 0.3


def collect_devices(npu_smi_seconds: float) -> Dict[str, Any]:
    """All that tells whether the cards can be reached; npu-smi may hang on a sick one, so it has a limit of its own."""
    nodes = sorted(path for pattern in NODES for path in glob.glob(pattern))
    return {
        "nodes": {
            path: look_at(path, open_it=os.path.basename(path) in ("davinci_manager", "davinci0"))
            for path in nodes
        },
        "pci": pci_functions(),
        "modules": list_folder("/sys/module"),
        "vermagic": {name: run(["modinfo", "-F", "vermagic", name], 2) for name in MODULES if has_modinfo()},
        "dkms": list_folder("/var/lib/dkms/davinci_ascend"),
        "files": {path: read_file(path, LOG_TAIL) for path in DRIVER_FILES},
        "folders": {
            path: look_at(path) for path in existing(("/usr/local/Ascend", "/usr/local/Ascend/driver"))
        },
        "libraries": {path: look_at(path) for path in existing(driver_libraries())},
        "npu_smi": npu_smi(npu_smi_seconds),
        "kernel_log": kernel_log(),
        "holders": holders(nodes),
        "accounts": accounts(),
    }


def driver_libraries() -> List[str]:
    """Where the library that every CANN process opens should be."""
    return [
        "/usr/local/Ascend/driver/lib64/driver/libascend_hal.so",
        "/usr/local/Ascend/driver/lib64/libascend_hal.so",
    ]


def has_modinfo() -> bool:
    """Whether modinfo is there to be asked."""
    return any(
        os.access(os.path.join(folder, "modinfo"), os.X_OK)
        for folder in ("/sbin", "/usr/sbin", "/bin", "/usr/bin")
    )


def pci_functions() -> Dict[str, Any]:
    """Huawei's PCI functions by address, `{"device": "0xd802", "virtual": False}`, or `{"error": ...}`."""
    root = "/sys/bus/pci/devices"
    listing = list_folder(root)
    if "error" in listing:
        return listing
    found = {}
    for name in listing["names"]:
        folder = os.path.join(root, name)
        if read_file(os.path.join(folder, "vendor")).get("text", "").strip() == HUAWEI:
            found[name] = {
                "device": read_file(os.path.join(folder, "device")).get("text", "").strip(),
                "class": read_file(os.path.join(folder, "class")).get("text", "").strip(),
                "virtual": os.path.exists(os.path.join(folder, "physfn")),
            }
    return found


def npu_smi(seconds: float) -> Dict[str, Any]:
    """`npu-smi info` and `-m`; the second is not tried where the first one hung or is not there."""
    first = run(["npu-smi", "info"], seconds)
    records = {"npu-smi info": first}
    if "error" not in first:
        records["npu-smi info -m"] = run(["npu-smi", "info", "-m"], seconds)
    return records


def kernel_log() -> Dict[str, Any]:
    """The last kernel lines that have to do with the cards, `{"lines": [...]}`, or `{"error": ...}`."""
    record = run(["dmesg"], 2)
    if record.get("rc") != 0:
        return {"error": record.get("error") or record.get("stderr", "").strip()[:200]}
    lines = [
        line
        for line in record["stdout"].splitlines()
        if any(mark in line.lower() for mark in KERNEL_LOG_MARKS)
    ]
    return {"lines": lines[-KERNEL_LOG_LINES:]}


def holders(nodes: List[str]) -> Dict[str, Any]:
    """Processes that have a device node open, `{"processes": [{"pid", "name", "nodes", "container"}], "complete": bool}`.

    Only root sees the files of other users' processes; the search stops after a moment on a very full machine.
    """
    until = time.time() + HOLDER_SECONDS
    wanted = set(nodes)
    found = []
    complete = os.geteuid() == 0
    for folder in glob.glob("/proc/[0-9]*") if wanted else []:
        if time.time() > until:
            complete = False
            break
        opened = open_files(folder) & wanted
        if opened:
            name = read_file(os.path.join(folder, "comm")).get("text", "").strip()
            found.append(
                {
                    "pid": int(folder[6:]),
                    "name": name,
                    "nodes": sorted(opened),
                    "container": container_of(folder),
                }
            )
    return {"processes": found, "complete": complete}


def open_files(folder: str) -> "set[str]":
    """The files that a process has open, as far as they can be seen."""
    paths = set()
    for name in list_folder(os.path.join(folder, "fd")).get("names", []):
        try:
            paths.add(os.readlink(os.path.join(folder, "fd", name)))
        except OSError:
            continue
    return paths


def container_of(folder: str) -> Any:
    """The id of the container that a process runs in, as its cgroup tells, else None."""
    for line in read_file(os.path.join(folder, "cgroup")).get("text", "").splitlines():
        tail = (
            line.rsplit("/", 1)[-1]
            .replace("docker-", "")
            .replace("cri-containerd-", "")
            .replace(".scope", "")
        )
        if len(tail) == 64 and all(letter in "0123456789abcdef" for letter in tail):
            return tail[:12]
    return None


def accounts() -> Dict[str, Any]:
    """The account of the driver and its group's members, as far as they exist."""
    try:
        import grp
        import pwd
    except ImportError:
        return {}
    names = {one.pw_name for one in pwd.getpwall()}
    groups = {one.gr_name: list(one.gr_mem) for one in grp.getgrall()}
    return {
        "user": "HwHiAiUser" in names,
        "group": "HwHiAiUser" in groups,
        "members": groups.get("HwHiAiUser", []),
    }
