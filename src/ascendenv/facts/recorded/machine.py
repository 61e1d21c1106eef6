"""The machine: names, container, virtual machine, storage, and what confines the process."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.model import Confinement, Disk
from ascendenv.facts.recorded.claims import measured

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.collect.snapshot import Snapshot
    from ascendenv.facts.claim import Claim

__all__ = ["read_confinement", "read_machine", "read_storage"]

_SHARED_MEMORY = "/dev/shm"  # noqa: S108  (measured, nothing is written)
_IN_CONTAINER = ("docker", "kubepods", "containerd", "lxc", "libpod", "crio", "podman")
_MB = 2**20
_HYPERVISORS = ("kvm", "vmware", "xen", "qemu", "openstack", "bochs", "virtual machine", "virtualbox", "hvm")
_SANDBOXES = re.compile(
    r"bwrap|firejail|nsjail|minijail\w*|landrun|runsc|gvisor|systemd-nspawn|codex|snap-confine"
)
_SANDBOX_VARIABLE = re.compile(r"CODEX_SANDBOX\w*|SANDBOX_RUNTIME|BWRAP\w*")
_WHOLE = "0 0 4294967295"
"""The map of the user namespace that a machine starts with."""
_ADMIN = (1 << 21) | (1 << 16) | (1 << 17)  # CAP_SYS_ADMIN, CAP_SYS_MODULE, CAP_SYS_RAWIO


def read_machine(snapshot: Snapshot) -> Iterator[Claim]:
    """Architecture, kernel, C library, container, virtual machine."""
    section = snapshot.section("machine")
    if not section or "failed" in section:
        return
    name = snapshot.part("machine", "uname")
    for fact in ("arch", "kernel"):
        if name.get(fact):
            yield measured(fact, str(name[fact]), "uname")
    if libc := section.get("libc"):
        yield measured("libc", str(libc), "libc")
    yield from _container(snapshot)
    yield measured("virtual_machine", *_virtual(snapshot))


def _container(snapshot: Snapshot) -> Iterator[Claim]:
    where, mark = next(_container_marks(snapshot), ("/", ""))
    inside = bool(mark)
    yield measured("in_container", inside, where, mark or "no container")
    capabilities = snapshot.part("machine", "confinement").get("CapEff")
    if inside and isinstance(capabilities, str):
        all_of_them = int(capabilities, 16) & _ADMIN == _ADMIN
        yield measured("privileged", all_of_them, "/proc/self/status", f"CapEff: {capabilities}")


def _container_marks(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """(where, what) of each sign that this is the inside of a container."""
    for mark in snapshot.section("machine").get("container_marks") or ():
        yield str(mark), "container"
    for path in ("/proc/1/cgroup", "/proc/self/cgroup"):
        for line in (snapshot.text(path) or "").splitlines():
            if any(word in line for word in _IN_CONTAINER):
                yield path, line
    if kind := (snapshot.text("/run/systemd/container") or "").strip():
        yield "/run/systemd/container", kind
    root = snapshot.part("machine", "root_mount")
    if root.get("type") in ("overlay", "fuse-overlayfs") and _names_container(str(root.get("options"))):
        yield "/proc/self/mountinfo", f"/ is {root['type']}: {root.get('options')}"


def _names_container(options: str) -> bool:
    return any(word in options for word in (*_IN_CONTAINER, "/overlay-containers/", "snapshots/"))


def _virtual(snapshot: Snapshot) -> tuple[str, str]:
    """What the machine runs on, and which file says so; empty for bare metal."""
    for path in ("/sys/hypervisor/type", "/sys/class/dmi/id/product_name", "/sys/class/dmi/id/sys_vendor"):
        text = (snapshot.text(path) or "").strip("\0\n ")
        if any(word in text.lower() for word in _HYPERVISORS):
            return text, path
    if snapshot.part("machine", "cpu").get("hypervisor") is True:
        return "hypervisor", "/proc/cpuinfo"
    return "", "/sys/class/dmi/id"


def read_storage(snapshot: Snapshot) -> Iterator[Claim]:
    """Mounts that have to do with Ascend, and room where it matters."""
    mounts = snapshot.section("storage").get("mounts")
    if isinstance(mounts, list):
        yield measured("mounts", None, "/proc/self/mountinfo")
        for mount in mounts:
            yield measured("mounts", str(mount), "/proc/self/mountinfo")
    for place, record in snapshot.part("storage", "space").items():
        if isinstance(record, dict):
            disk = _disk(place, record)
            yield measured(
                "disks", disk, disk.path, f"{disk.free} of {disk.total} MB free, {disk.kind or '?'}"
            )
            if place == _SHARED_MEMORY:
                yield measured("shm_mb", record["total"] / _MB, _SHARED_MEMORY)


def _disk(place: str, record: Mapping[str, object]) -> Disk:
    total, free = record["total"], record["free"]
    if not isinstance(total, int) or not isinstance(free, int):
        raise TypeError(place)
    kind = record.get("type")
    return Disk(
        str(record.get("path") or place),
        str(kind) if kind else None,
        total // _MB,
        free // _MB,
        bool(record.get("read_only")),
    )


def read_confinement(snapshot: Snapshot) -> Iterator[Claim]:
    """What keeps this process from devices that its user could open."""
    record = snapshot.part("machine", "confinement")
    if not record.get("Seccomp") and not record.get("uid_map"):
        return
    value = Confinement(
        no_new_privileges=_flag(record.get("NoNewPrivs")),
        filtered=None if record.get("Seccomp") is None else record["Seccomp"] not in ("0", ""),
        own_user_namespace=None if not record.get("uid_map") else record["uid_map"] != _WHOLE,
        capabilities=int(str(record["CapEff"]), 16) != 0 if record.get("CapEff") else None,
        sandbox=_sandbox(snapshot),
    )
    shown = " ".join(f"{key}={record[key]}" for key in ("NoNewPrivs", "Seccomp", "CapEff") if key in record)
    yield measured("confinement", value, "/proc/self/status", f"{shown} {value.sandbox or ''}".strip())


def _flag(value: object) -> bool | None:
    return None if value is None else value == "1"


def _sandbox(snapshot: Snapshot) -> str | None:
    """The program that confines the process, by the names of those above it, its profile, the kernel and variables."""
    record = snapshot.part("machine", "confinement")
    names = [str(name) for name in (*(record.get("above") or ()), record.get("first_process") or "")]
    names.extend((str(record.get("profile") or ""), snapshot.text("/proc/version") or ""))
    for name in names:
        if found := _SANDBOXES.search(name.lower()):
            return found.group()
    variables = snapshot.part("process", "environ")
    return next((str(name) for name in variables if _SANDBOX_VARIABLE.fullmatch(str(name))), None)
