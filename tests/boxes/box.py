"""The ingredients of a simulated machine: one `Box` is healthy as it stands, a broken one is made with `replace`.

What each ingredient imitates is told in the research notes on drivers, CANN and containers; versions are pairs that the
matrix recommends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DAY", "OURS", "Answer", "Box", "Cann", "Container", "Family", "Health", "Node", "Python", "User"]

DAY = 86400
OURS = "device cgroup"


UBUNTU: Mapping[str, str] = MappingProxyType(
    {"ID": "ubuntu", "VERSION_ID": "22.04", "PRETTY_NAME": "Ubuntu 22.04.5 LTS"}
)
OPENEULER: Mapping[str, str] = MappingProxyType(
    {"ID": "openEuler", "VERSION_ID": "24.03", "PRETTY_NAME": "openEuler 24.03 (LTS-SP2)"}
)


@dataclass(frozen=True)
class Family:
    """How one kind of card shows itself."""

    name: str
    """In the table of npu-smi."""
    layout: Literal["classic", "a3", "950", "950-wide"]
    pci: str | None
    """Device number on PCI; None on boards of the unified bus."""
    kernels: str
    """The folder of its operator binaries."""
    hbm: int
    chips: int = 1
    """Chips of one NPU."""
    nodes: tuple[str, ...] = ("davinci_manager", "devmm_svm", "hisi_hdc", "dvpp_cmdlist")
    modules: tuple[str, ...] = (
        "drv_pcie_host",
        "drv_pcie_hdc_host",
        "drv_devmng_host",
        "drv_davinci_intf_host",
        "ascend_uda",
    )


@dataclass(frozen=True)
class User:
    """The account that looks."""

    name: str = "root"
    uid: int = 0
    groups: tuple[str, ...] = ("root",)


@dataclass(frozen=True)
class Node:
    """Mode and owner of the device nodes, and the error with which opening one fails."""

    mode: int = 0o660
    owner: str = "HwHiAiUser"
    group: str = "HwHiAiUser"
    refused: str = "ok"


@dataclass(frozen=True)
class Answer:
    """What a program prints and returns; `hangs` for one that never ends."""

    text: str = ""
    code: int = 0
    errors: str = ""
    hangs: bool = False


@dataclass(frozen=True)
class Health:
    """The health of one NPU, and what `npu-smi info -t health` says about it."""

    npu: int
    word: str
    code: str
    text: str


@dataclass(frozen=True)
class Cann:
    """One toolkit with its operator package and NNAL; `ops` is the release of the operator package, None without one."""

    version: str
    base: str = "/usr/local/Ascend"
    component: str = "8.2.0.0.201"
    requires: str = "8.2"
    """The exact prefix that its components demand of each other."""
    ops: str | None = "same"
    ops_component: str = "8.2.0.0.201"
    kernels: tuple[str, ...] = ("ascend910b",)
    platforms: tuple[str, ...] = ()
    """Chips for which it has platform data; empty for those of its time."""
    nnal: str | None = "same"
    current: bool = True
    """Whether `latest` or `cann` leads to it."""

    @property
    def is_new(self) -> bool:
        """Whether the release uses the layout from 8.5 on."""
        return (int(self.version.split(".")[0]), int(self.version.split(".")[1])) >= (8, 5)

    @property
    def home(self) -> str:
        """The tree itself."""
        return (
            f"{self.base}/cann-{self.version}"
            if self.is_new
            else f"{self.base}/ascend-toolkit/{self.version}"
        )

    @property
    def link(self) -> str:
        """The name by which set_env.sh calls the tree."""
        return self.home if self.is_new else f"{self.base}/ascend-toolkit/latest"


@dataclass(frozen=True)
class Python:
    """The interpreter and its distributions."""

    version: str = "3.10.14"
    packages: Mapping[str, str] = field(default_factory=dict)
    failed: str | None = None
    shadows: tuple[str, ...] = ()
    leftovers: tuple[str, ...] = ()
    backends: tuple[str, ...] = ()
    built_as: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Container:
    """The box is the inside of a container: what it was given of its host."""

    cards: tuple[int, ...] = (0, 1)
    managers: bool = True
    driver: bool = True
    files: bool = True
    """version.info, install info, dcmi and npu-smi."""
    kind: str = "docker"
    privileged: bool = False


@dataclass(frozen=True)
class Box:
    """A machine. `None` stands for what is not installed."""

    family: Family
    python: Python
    cards: int = 8
    driver: str | None = "25.2.0"
    firmware: str | None = "7.7.0.6.236"
    firmware_running: str | None = "same"
    accepts_firmware: str = "[7.0.0,8.9.9]"
    cann: tuple[Cann, ...] = ()
    sourced: tuple[int, ...] = (0,)
    """The toolkits whose set_env.sh was sourced, the last one on top."""
    driver_on_path: bool = True
    kernel: str = "5.15.0-119-generic"
    modules_for: tuple[str, ...] | None = ("5.15.0-119-generic",)
    vermagic: str | None = None
    """What the module for the running kernel was really built for, where that is another one."""
    modules_signed: bool = False
    loaded: bool = True
    headers: bool = True
    secure_boot: bool = False
    dkms: bool = True
    arch: str = "aarch64"
    os: Mapping[str, str] = field(default_factory=lambda: UBUNTU)
    virtual: str = ""
    container: Container | None = None
    user: User = User()
    nodes: Node | None = Node()
    on_bus: bool = True
    installed_days_ago: float = 30
    up_days: float = 10
    environ: Mapping[str, str] = field(default_factory=dict)
    npu_smi: Answer | None = None
    """Printed instead of the table; None for what a box in this state prints."""
    health: tuple[Health, ...] = ()
    kernel_log: tuple[str, ...] = ()
    holders: tuple[tuple[int, str, str | None], ...] = ()
    """(pid, name, container) of processes that have the first card open."""
    owner: int | None = None
    """The process to which /proc/uda gives the cards."""
    confined: Mapping[str, str] = field(default_factory=dict)
    above: tuple[str, ...] = ("bash", "sshd")
    symbols: Mapping[str, object] = field(default_factory=dict)
    mapped: tuple[str, ...] | None = None
    """Libraries of a running process that is looked at with --pid."""
    denied: tuple[str, ...] = ()
    """Paths that this user may not read."""
    with_proc: bool = True
