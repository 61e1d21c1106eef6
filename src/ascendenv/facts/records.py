"""What the records of a snapshot claim: things that are no text, such as nodes, modules, packages and links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.evidence import Evidence
from ascendenv.facts.model import DeviceNode, Holder, Interpreter, KernelState, Link, PciFunction, User
from ascendenv.facts.reading import package_claims, pep440_claim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ascendenv.collect.snapshot import Snapshot

__all__ = ["READERS"]

_DRIVER_RECORD = "/usr/local/Ascend/driver/version.info"
_SHARED_MEMORY = "/dev/shm"  # noqa: S108  (measured, nothing is written)
_IN_CONTAINER = ("docker", "kubepods", "containerd", "lxc", "libpod")


def read_machine(snapshot: Snapshot) -> Iterator[Claim]:
    """Architecture, kernel, C library, container, mounts, shared memory."""
    name = snapshot.part("machine", "uname")
    for fact, key in (("arch", "arch"), ("kernel", "kernel")):
        if name.get(key):
            yield _measured(fact, str(name[key]), "uname")
    if libc := snapshot.section("machine").get("libc"):
        yield _measured("libc", str(libc), "libc")
    yield _container(snapshot)
    for mount in snapshot.section("machine").get("mounts") or ():
        yield _measured("mounts", str(mount), "/proc/self/mountinfo")
    if isinstance(shm := snapshot.part("machine", "space").get(_SHARED_MEMORY), dict):
        yield _measured("shm_mb", shm["total"] / 2**20, _SHARED_MEMORY)


def _container(snapshot: Snapshot) -> Claim:
    marks = snapshot.section("machine").get("container_marks") or []
    groups = snapshot.text("/proc/1/cgroup") or ""
    inside = bool(marks) or any(word in groups for word in _IN_CONTAINER)
    shown = marks[0] if marks else groups.strip().split("\n")[0]
    return Claim(
        "in_container",
        inside,
        Weight.MEASURED,
        Evidence(str(shown or "/"), "container" if inside else "no container"),
    )


def read_kernel(snapshot: Snapshot) -> Iterator[Claim]:
    """Modules, and what tells whether they fit the running kernel."""
    names = snapshot.part("devices", "modules").get("names")
    if isinstance(names, list):
        yield _measured("kernel_modules", None, "/sys/module")
        for name in names:
            yield _measured("kernel_modules", str(name), "/sys/module")
    yield _measured("kernel_state", kernel_state(snapshot), "/lib/modules")


def kernel_state(snapshot: Snapshot) -> KernelState:
    """The kernel side of the driver as far as it was seen."""
    dkms = snapshot.part("devices", "dkms").get("names")
    lockdown = snapshot.text("/sys/kernel/security/lockdown")
    record = snapshot.part("devices", "files").get(_DRIVER_RECORD) or {}
    return KernelState(
        vermagic=_vermagic(snapshot),
        headers=snapshot.section("machine").get("headers"),
        dkms=tuple(str(name) for name in dkms) if isinstance(dkms, list) else None,
        locked_down=None if lockdown is None else "[none]" not in lockdown,
        boot_time=snapshot.section("machine").get("boot_time"),
        driver_written=record.get("modified"),
    )


def _vermagic(snapshot: Snapshot) -> str | None:
    for record in snapshot.part("devices", "vermagic").values():
        if record.get("rc") == 0 and (words := str(record.get("stdout", "")).split()):
            return words[0]
    return None


def read_devices(snapshot: Snapshot) -> Iterator[Claim]:
    """Nodes, PCI functions, driver files, who holds the cards, and how npu-smi answered."""
    devices = snapshot.section("devices")
    if not devices:
        return
    yield _measured("device_nodes", None, "/dev")
    for path, look in snapshot.part("devices", "nodes").items():
        if "error" not in look:
            yield _measured("device_nodes", _node(path, look), path)
    if "error" not in (functions := snapshot.part("devices", "pci")):
        yield _measured("pci", None, "/sys/bus/pci/devices")
        for address, one in functions.items():
            yield _measured(
                "pci",
                PciFunction(address, str(one["device"]), bool(one["virtual"])),
                f"/sys/bus/pci/devices/{address}",
            )
    yield _measured(
        "driver_files",
        "text" in (snapshot.part("devices", "files").get(_DRIVER_RECORD) or {}),
        _DRIVER_RECORD,
    )
    yield _measured(
        "driver_library", bool(snapshot.part("devices", "libraries")), "/usr/local/Ascend/driver/lib64"
    )
    if "user" in (accounts := snapshot.part("devices", "accounts")):
        yield _measured("driver_account", bool(accounts["user"]), "/etc/passwd")
    if record := snapshot.part("devices", "npu_smi").get("npu-smi info"):
        yield _measured("npu_smi_answer", _answer(record), "npu-smi info")
    yield _measured("holders", None, "/proc")
    for one in snapshot.part("devices", "holders").get("processes") or ():
        holder = Holder(int(one["pid"]), str(one["name"]), tuple(one["nodes"]), one.get("container"))
        yield _measured("holders", holder, f"/proc/{holder.pid}/fd")


def _node(path: str, look: Mapping[str, Any]) -> DeviceNode:
    opened = look.get("open")
    # ENXIO and ENODEV come from the driver: the permission was there.
    openable = None if opened is None else opened not in ("EACCES", "EPERM")
    return DeviceNode(path, int(look["mode"]), look.get("owner"), look.get("group"), openable)


def _answer(record: Mapping[str, Any]) -> str:
    if "error" in record:
        return str(record["error"])
    return "ok" if record.get("rc") == 0 else "failed"


def read_process(snapshot: Snapshot) -> Iterator[Claim]:
    """User, environment, limits, mapped libraries and working folder of the process that counts."""
    process = snapshot.section("process")
    where = f"/proc/{process.get('pid', 'self')}/environ"
    if isinstance(variables := process.get("environ"), dict):
        yield _measured("environment", None, where)
        for name, value in variables.items():
            yield Claim(
                "environment", (str(name), str(value)), Weight.MEASURED, Evidence(where, f"{name}={value}")
            )
        yield from _nnal(variables, where)
    if "uid" in process:
        user = User(process.get("user"), int(process["uid"]), tuple(process.get("groups") or ()))
        yield _measured("user", user, "id")
    locked = (process.get("limits") or {}).get("RLIMIT_MEMLOCK")
    if isinstance(locked, int):
        yield _measured("locked_memory_kb", float("inf") if locked < 0 else locked / 1024, "ulimit -l")
    if isinstance(mapped := process.get("mapped"), list):
        yield _measured("mapped_libraries", None, "/proc/PID/maps")
        for path in mapped:
            yield _measured("mapped_libraries", str(path), "/proc/PID/maps")
    if isinstance(folder := process.get("cwd"), dict):
        yield _measured("working_folder_writable", bool(folder["writable"]), str(folder["path"]))


def _nnal(variables: Mapping[str, str], where: str) -> Iterator[Claim]:
    home = variables.get("ATB_HOME_PATH", "")
    for abi in (0, 1):
        if f"cxx_abi_{abi}" in home:
            yield Claim("nnal_cxx_abi", abi, Weight.MEASURED, Evidence(where, f"ATB_HOME_PATH={home}"))


def read_interpreter(snapshot: Snapshot) -> Iterator[Claim]:
    """The Python in question and the packages it has."""
    record = snapshot.section("interpreter")
    if not record.get("executable"):
        return
    path = str(record["executable"])
    yield _measured(
        "interpreter", Interpreter(path, str(record.get("chosen_by", "")), record.get("failed")), path
    )
    yield from pep440_claim(
        "python",
        str(record.get("version", "")),
        Weight.MEASURED,
        Evidence(path, str(record.get("version", ""))),
    )
    distributions = record.get("distributions")
    if not isinstance(distributions, list):
        return
    yield Claim("packages", None, Weight.MEASURED, Evidence(path, "importlib.metadata"))
    seen: set[str] = set()
    for name, version, folder in distributions:
        if name not in seen:  # the first on sys.path is the one that is imported
            seen.add(name)
            yield from package_claims(
                name, version, Weight.MEASURED, Evidence(str(folder), f"{name}=={version}")
            )


def read_cann(snapshot: Snapshot) -> Iterator[Claim]:
    """Links of the toolkit and where they lead."""
    links = snapshot.part("cann", "links")
    if not snapshot.section("cann"):
        return
    yield _measured("cann_links", None, "/usr/local/Ascend")
    for path, look in links.items():
        if "link" in look:
            yield _measured("cann_links", Link(path, str(look["link"]), bool(look.get("broken"))), path)


def _measured(fact: str, value: Any, where: str) -> Claim:  # noqa: ANN401  (any value a fact can have)
    return Claim(fact, value, Weight.MEASURED, Evidence(where, "" if value is None else str(value)))


READERS: tuple[Callable[[Snapshot], Iterator[Claim]], ...] = (
    read_machine,
    read_kernel,
    read_devices,
    read_process,
    read_interpreter,
    read_cann,
)
