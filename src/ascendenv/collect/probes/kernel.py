"""The kernel side of the driver: modules in the kernel and on disk, what they were built for, what the log says."""

import os
from typing import Any, Dict, List, Optional

from .command import Command
from .system import System

BASE_MODULES = ("drv_pcie_host", "drv_vpcie", "tc_pcidev", "drv_davinci_intf_host", "asdrv_pbl")
"""The modules that a host loads first; the vendor's installer looks for the first three."""
MODULE_FOLDERS = ("updates", "updates/dkms", "extra", "extra/dkms", "weak-updates", "kernel/drivers/davinci")
PREBUILT = "/usr/local/Ascend/driver/host"
MODULE_SIZE = 8 << 20
DKMS = "/var/lib/dkms/davinci_ascend"
BUILD_LOG = 8 * 1024
SIGNED = b"~Module signature appended~\n"
FILES = (
    "/sys/kernel/security/lockdown",
    "/sys/module/module/parameters/sig_enforce",
    "/proc/sys/kernel/tainted",
    "/proc/sys/kernel/dmesg_restrict",
    "/proc/sys/kernel/modules_disabled",
)
SECURE_BOOT = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
LOG_FILES = ("/var/log/kern.log", "/var/log/messages", "/var/log/syslog")
LOG_TAIL = 256 * 1024
LOG_LINES = 400
LOG_MARKS = (
    "ascend",
    "davinci",
    "devmm",
    "drv_",
    "devdrv",
    "hdc",
    "uda",
    "19e5",
    "hbm",
    "vermagic",
    "asdrv",
    "lockdown",
    "module verification",
    "key was rejected",
    "required key",
)
DMESG_SECONDS = 2.0


def collect_kernel(system: System, log: Command) -> Dict[str, Any]:
    """Modules, module files, dkms, what the kernel demands of modules, and its last words about the cards."""
    release = system.uname()["kernel"]
    loaded = system.names("/sys/module")
    return {
        "files": {path: system.read(path) for path in FILES},
        "secure_boot": secure_boot(system),
        "modules": loaded,
        "module_versions": module_versions(system, loaded.get("names", [])),
        "kernels": system.names("/lib/modules"),
        "headers": system.exists("/lib/modules/{}/build".format(release)),
        "module_files": module_files(system, release),
        "dkms": dkms_state(system, release),
        "log": kernel_log(system, log),
    }


def secure_boot(system: System) -> Optional[bool]:
    """Whether the firmware booted with Secure Boot; None where it does not tell (no EFI, or a container)."""
    value = system.data(SECURE_BOOT, 16)
    return value[-1] == 1 if value else None


def module_versions(system: System, loaded: List[str]) -> Dict[str, str]:
    """The version that loaded base modules state, where they state one."""
    found = {}
    for name in BASE_MODULES:
        if name in loaded:
            found[name] = system.text("/sys/module/{}/version".format(name)).strip()
    return found


def module_files(system: System, release: str) -> Dict[str, Any]:
    """`{path: {"vermagic", "signed", "modified"}}` of one base module for each kernel that has some, and the prebuilt one.

    The file is read itself: modinfo knows only modules of the running kernel, and is not everywhere.
    """
    kernels = [release] + [one for one in system.names("/lib/modules").get("names", []) if one != release]
    folders = [
        [os.path.join("/lib/modules", kernel, folder) for folder in MODULE_FOLDERS] for kernel in kernels[:16]
    ]
    found = {}
    for group in folders + [[PREBUILT]]:
        path = first_module(system, group)
        if path is not None:
            found[path] = describe_module(system, path)
    return found


def first_module(system: System, folders: List[str]) -> Optional[str]:
    """The first base module in these folders."""
    for folder in folders:
        names = system.names(folder).get("names", [])
        for base in BASE_MODULES:
            for name in names:
                if name.split(".")[0] == base and ".ko" in name:
                    return os.path.join(folder, name)
    return None


def describe_module(system: System, path: str) -> Dict[str, Any]:
    """What a module file says of itself: the kernel it was built for, and whether it is signed."""
    record: Dict[str, Any] = {"modified": system.look(path).get("modified")}
    data = unpacked(path, system.data(path, MODULE_SIZE))
    if data is None:
        record["error"] = "compressed"
        return record
    start = data.find(b"vermagic=")
    if start >= 0:
        record["vermagic"] = data[start + 9 : data.find(b"\0", start)].decode("ascii", "replace").strip()
    record["signed"] = data.endswith(SIGNED)
    return record


def unpacked(path: str, data: bytes) -> Optional[bytes]:
    """The module behind its compression, None for one that this Python cannot undo."""
    try:
        if path.endswith(".xz"):
            import lzma

            return lzma.decompress(data)
        if path.endswith(".gz"):
            import zlib

            return zlib.decompress(data, 31)
    except Exception:  # noqa: BLE001  (a damaged file, or a Python that was built without the library)
        return None
    return data if path.endswith(".ko") else None


def dkms_state(system: System, release: str) -> Dict[str, Any]:
    """`{"versions": {version: [kernels it was built for]}, "build_log": tail of a build for the running kernel}`."""
    listing = system.names(DKMS)
    if "error" in listing:
        return listing
    versions: Dict[str, List[str]] = {}
    record: Dict[str, Any] = {"versions": versions}
    for version in listing["names"]:
        folder = os.path.join(DKMS, version)
        if version == "original_module" or system.is_link(folder) or not system.is_folder(folder):
            continue
        names = system.names(folder).get("names", [])
        versions[version] = [one for one in names if one not in ("build", "source")]
        if release not in versions[version]:
            record["build_log"] = system.text(os.path.join(folder, "build", "make.log"), BUILD_LOG)
    return record


def kernel_log(system: System, log: Command) -> Dict[str, Any]:
    """`{"lines": [...]}`, the last kernel lines that have to do with the cards, or `{"error": ...}`."""
    answer = log.answer()
    if answer.get("rc") == 0:
        return {"lines": about_cards(answer["stdout"]), "from": "dmesg"}
    for path in LOG_FILES:
        text = system.text(path, LOG_TAIL)
        if text:
            return {"lines": about_cards(text), "from": path}
    return {"error": answer.get("error") or answer.get("stderr", "").strip()[:200] or "refused"}


def about_cards(text: str) -> List[str]:
    """The lines that name the driver, a card or what the kernel demands of modules."""
    lines = [line for line in text.splitlines() if any(mark in line.lower() for mark in LOG_MARKS)]
    return lines[-LOG_LINES:]
