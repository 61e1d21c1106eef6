"""What is known about one machine: typed, frozen, and honest about what was not seen.

The same facts come from a live collection, a saved snapshot, a pasted report or a log.
A check asks for a fact by the name of a field of `HostFacts`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from ascendenv.facts.unknown import NOT_GIVEN, NOT_RUN, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.live import LiveResult
    from ascendenv.signals.model import Signals
    from ascendenv.versions import Version

__all__ = [
    "CannComponent",
    "CannInstall",
    "Confinement",
    "DeviceNode",
    "DeviceOwner",
    "Disk",
    "DriverInfo",
    "Holder",
    "HostFacts",
    "Interpreter",
    "KernelState",
    "Link",
    "Npu",
    "NpuPort",
    "NpuProcess",
    "OpsPackage",
    "OsRelease",
    "Package",
    "Packages",
    "PciFunction",
    "RuntimeLibrary",
    "Unseen",
    "User",
]


@dataclass(frozen=True)
class OsRelease:
    """An operating system, e.g. `OsRelease("ubuntu", "22.04", "Ubuntu 22.04.5 LTS")`; `version` None when not told."""

    id: str
    version: str | None
    text: str


@dataclass(frozen=True)
class User:
    """The account under which things were seen; None where not told."""

    name: str | None = None
    uid: int | None = None
    groups: tuple[str, ...] | None = None

    @property
    def is_root(self) -> bool | None:
        """Whether this is root; None when neither uid nor name is known."""
        if self.uid is not None:
            return self.uid == 0
        return None if self.name is None else self.name == "root"


@dataclass(frozen=True)
class Package:
    """An installed Python distribution; `name` normalised (`torch-npu`), `version` as written."""

    name: str
    version: str


@dataclass(frozen=True)
class Packages:
    """The installed Python distributions that were seen.

    `complete` is True only for a whole listing (`pip list`, metadata of a site-packages folder): only then does the
    absence of a name prove anything.
    """

    by_name: Mapping[str, Package]
    complete: bool = False

    def get(self, name: str) -> Package | None:
        """The distribution of that normalised name."""
        return self.by_name.get(name)

    def __contains__(self, name: str) -> bool:
        return name in self.by_name

    def __iter__(self) -> Iterator[Package]:
        return iter(self.by_name.values())


@dataclass(frozen=True)
class Npu:
    """One chip as `npu-smi info` shows it. Sizes in MB, power in W, temperature in degrees Celsius, None where NA.

    `npu_id` is npu-smi's number: neither the davinci node nor torch's device number.
    """

    npu_id: int
    chip_id: int | None
    name: str
    health: str
    phy_id: int | None = None
    bus_id: str | None = None
    power: float | None = None
    temperature: int | None = None
    aicore_percent: int | None = None
    memory_used: int | None = None
    memory_total: int | None = None
    hbm_used: int | None = None
    hbm_total: int | None = None


@dataclass(frozen=True)
class NpuProcess:
    """A process that npu-smi shows on a chip; memory in MB."""

    npu_id: int
    chip_id: int | None
    pid: int
    name: str
    memory: int | None = None


@dataclass(frozen=True)
class DriverInfo:
    """What `driver/version.info` (or the firmware's) says beside the version."""

    inner_version: str | None = None
    package_version: str | None = None
    compatible_firmware: tuple[str, str] | None = None  # inclusive range, e.g. ("7.0.0", "8.9.9")
    compatible_cann: tuple[str, ...] = ()  # inner baselines, e.g. "V100R001C15"


@dataclass(frozen=True)
class CannInstall:
    """One CANN toolkit that was seen. `path` is its root; `in_use` is None when nothing tells."""

    version: Version
    path: str | None = None
    arch: str | None = None
    inner_version: str | None = None
    in_use: bool | None = None


@dataclass(frozen=True)
class OpsPackage:
    """An installed kernels/ops package; `chip` as in the package name, e.g. `910b`, `A3`."""

    chip: str | None
    version: Version | None


@dataclass(frozen=True)
class DeviceNode:
    """A node below /dev; mode as in `0o660`; `openable` is whether this user could open it, None when not tried.

    `refused` is the error with which opening failed, e.g. `EACCES`, `EPERM`, and `ENXIO` where no driver stands behind.
    """

    path: str
    mode: int | None = None
    owner: str | None = None
    group: str | None = None
    openable: bool | None = None
    refused: str | None = None


@dataclass(frozen=True)
class NpuPort:
    """The network port of a device as hccn_tool shows it; `device` is hccn_tool's -i number."""

    device: int
    link_up: bool | None = None
    address: str | None = None
    tls_enabled: bool | None = None


@dataclass(frozen=True)
class PciFunction:
    """A PCI function of Huawei's, e.g. `PciFunction("0000:c1:00.0", "0xd802", virtual=False)`."""

    address: str
    device: str
    virtual: bool


@dataclass(frozen=True)
class KernelState:
    """What tells whether the driver's modules fit the running kernel. Times in seconds since the epoch, None unknown.

    `vermagic` is the kernel that the modules on disk were built for, `module` the file that says so and `signed`
    whether it is signed; `built_for` names the kernels for which modules lie on disk, `dkms` the versions that dkms
    knows. `signatures` tells whether the kernel loads signed modules only.
    """

    vermagic: str | None = None
    headers: bool | None = None
    dkms: tuple[str, ...] | None = None
    locked_down: bool | None = None
    boot_time: int | None = None
    driver_written: int | None = None
    module: str | None = None
    signed: bool | None = None
    built_for: tuple[str, ...] | None = None
    signatures: bool | None = None


@dataclass(frozen=True)
class DeviceOwner:
    """To whom the driver's own table gives a device: the first process of a container, by its number on the host.

    `here` tells that it is the mount namespace from which the table was read.
    """

    device: int
    process: int
    here: bool


@dataclass(frozen=True)
class Confinement:
    """What keeps a process from devices that its user could open; None where it was not seen.

    `sandbox` names the program that confines it, where one was recognised.
    """

    no_new_privileges: bool | None = None
    filtered: bool | None = None  # a seccomp filter is in force
    own_user_namespace: bool | None = None
    capabilities: bool | None = None  # whether it has any
    sandbox: str | None = None


@dataclass(frozen=True)
class CannComponent:
    """A component of a CANN tree by its `version.info`; `root` is the tree that it lies in.

    `requires` maps a sister component to what is demanded of it, as written: `7.7`, or `>=7.6, <=7.7`.
    """

    name: str
    version: str
    root: str
    requires: Mapping[str, str]


@dataclass(frozen=True)
class Disk:
    """A place and the file system that holds it; sizes in MB."""

    path: str
    kind: str | None
    total: int
    free: int
    read_only: bool


@dataclass(frozen=True)
class RuntimeLibrary:
    """A copy of a run-time library that a process may meet: `libstdc++` or `libgomp`.

    `nodes` holds the newest version of each kind of node that it defines, e.g. `{"GLIBCXX": "3.4.30"}`.
    """

    name: str
    path: str
    nodes: Mapping[str, str]


@dataclass(frozen=True)
class Unseen:
    """A part of the machine that could not be looked at, and why."""

    what: str
    why: str


@dataclass(frozen=True)
class Holder:
    """A process that has a device node open; `container` is the short id of the container it runs in."""

    pid: int
    name: str
    nodes: tuple[str, ...]
    container: str | None = None


@dataclass(frozen=True)
class Link:
    """A symbolic link, where it points, and whether there is nothing behind it."""

    path: str
    target: str
    broken: bool


@dataclass(frozen=True)
class Interpreter:
    """The Python that was looked into, the rule that chose it, and why it did not answer, if it did not.

    `shadows` names modules that the working folder hides, `leftovers` what an interrupted pip left in site-packages,
    `backends` the packages that torch loads by itself; `built_as` is what torch and torch_npu say in their own files.
    """

    path: str
    chosen_by: str
    failed: str | None = None
    shadows: tuple[str, ...] = ()
    leftovers: tuple[str, ...] = ()
    backends: tuple[str, ...] = ()
    built_as: Mapping[str, Version] = field(default_factory=dict)


@dataclass(frozen=True)
class HostFacts:
    """Everything known about one box. A field that was not seen holds `Unknown`.

    `provenance` maps a field's name to the lines it was read from.
    """

    # the machine
    arch: str | Unknown = NOT_GIVEN  # "aarch64", "x86_64"
    os: OsRelease | Unknown = NOT_GIVEN
    kernel: str | Unknown = NOT_GIVEN
    libc: str | Unknown = NOT_GIVEN  # "2.35"
    in_container: bool | Unknown = NOT_GIVEN
    privileged: bool | Unknown = NOT_GIVEN
    user: User | Unknown = NOT_GIVEN
    locked_memory_kb: float | Unknown = NOT_GIVEN  # ulimit -l; infinite for "unlimited"
    shm_mb: float | Unknown = NOT_GIVEN  # size of /dev/shm
    disks: tuple[Disk, ...] | Unknown = NOT_GIVEN
    virtual_machine: str | Unknown = NOT_GIVEN  # what it runs on, e.g. "KVM"; empty on bare metal
    confinement: Confinement | Unknown = NOT_GIVEN
    unseen: tuple[Unseen, ...] | Unknown = NOT_GIVEN
    # driver and devices
    driver: Version | Unknown = NOT_GIVEN
    firmware: Version | Unknown = NOT_GIVEN
    driver_info: DriverInfo | Unknown = NOT_GIVEN
    npu_smi: Version | Unknown = NOT_GIVEN  # of the tool
    npus: tuple[Npu, ...] | Unknown = NOT_GIVEN
    npu_processes: tuple[NpuProcess, ...] | Unknown = NOT_GIVEN
    chip: str | Unknown = (
        NOT_GIVEN  # a name the matrix knows, e.g. "Ascend910B3", "910B", "A3", "Ascend950PR"
    )
    device_nodes: tuple[DeviceNode, ...] | Unknown = NOT_GIVEN
    kernel_modules: frozenset[str] | Unknown = NOT_GIVEN
    mounts: tuple[str, ...] | Unknown = NOT_GIVEN
    ports: tuple[NpuPort, ...] | Unknown = NOT_GIVEN
    pci: tuple[PciFunction, ...] | Unknown = NOT_GIVEN
    kernel_state: KernelState | Unknown = NOT_GIVEN
    ub_devices: tuple[str, ...] | Unknown = NOT_GIVEN  # on the unified bus of 950 boards
    holders: tuple[Holder, ...] | Unknown = NOT_GIVEN
    device_owners: tuple[DeviceOwner, ...] | Unknown = NOT_GIVEN
    driver_on_disk: Version | Unknown = NOT_GIVEN  # by its record file; what runs may be older
    firmware_on_disk: Version | Unknown = NOT_GIVEN
    driver_files: bool | Unknown = NOT_GIVEN  # whether the driver's version record is on disk
    driver_library: bool | Unknown = NOT_GIVEN  # whether libascend_hal.so is on disk
    driver_account: bool | Unknown = NOT_GIVEN  # whether HwHiAiUser exists
    npu_smi_answer: str | Unknown = NOT_GIVEN  # "ok", "failed", "timeout", "not found"
    # CANN
    cann: Version | Unknown = NOT_GIVEN  # of the toolkit that is in use
    cann_installs: tuple[CannInstall, ...] | Unknown = NOT_GIVEN
    ops: tuple[OpsPackage, ...] | Unknown = NOT_GIVEN
    nnal: Version | Unknown = NOT_GIVEN
    nnal_cxx_abi: int | Unknown = NOT_GIVEN  # 0 or 1, of the tree in use
    cann_links: tuple[Link, ...] | Unknown = NOT_GIVEN
    cann_components: tuple[CannComponent, ...] | Unknown = NOT_GIVEN  # of the toolkit in use
    cann_platforms: frozenset[str] | Unknown = NOT_GIVEN  # chips that the toolkit in use has data for
    evidence_tools: tuple[str, ...] | Unknown = NOT_GIVEN  # the vendor's tests of the hardware
    # Python
    interpreter: Interpreter | Unknown = NOT_GIVEN
    python: Version | Unknown = NOT_GIVEN
    packages: Packages | Unknown = NOT_GIVEN
    torch: Version | Unknown = NOT_GIVEN
    torch_npu: Version | Unknown = NOT_GIVEN
    # the process
    environment: Mapping[str, str] | Unknown = NOT_GIVEN
    mapped_libraries: tuple[str, ...] | Unknown = NOT_GIVEN  # of the running process that was looked at
    picked_libraries: tuple[str, ...] | Unknown = NOT_GIVEN  # that the loader would take for torch_npu
    working_folder_writable: bool | Unknown = NOT_GIVEN
    runtime_libraries: tuple[RuntimeLibrary, ...] | Unknown = NOT_GIVEN  # in the order of the search
    # what the texts say
    signals: Signals | Unknown = NOT_GIVEN
    live: LiveResult | Unknown = NOT_RUN

    provenance: Mapping[str, tuple[Evidence, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def seen(self, *names: str) -> tuple[Evidence, ...]:
        """The lines that the named facts were read from."""
        return tuple(line for name in names for line in self.provenance.get(name, ()))
