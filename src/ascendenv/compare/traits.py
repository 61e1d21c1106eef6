"""The traits of a machine, from its facts. What changes from minute to minute is none: temperatures, loads, process ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ascendenv.compare.libraries import libraries_by_name
from ascendenv.compare.trait import Area, Listing, Seen, Traits
from ascendenv.facts.environment import is_of_interest
from ascendenv.facts.unknown import Unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ascendenv.facts.model import (
        CannInstall,
        DeviceNode,
        HostFacts,
        Link,
        Npu,
        NpuPort,
        OpsPackage,
        Packages,
        User,
    )
    from ascendenv.signals.model import Signals
    from ascendenv.versions import Version

__all__ = ["traits_of"]

T = TypeVar("T")

_LIVING_IN_A_SHELL = ("PWD", "HOME", "SHLVL")
_VERSIONED_APART = ("torch", "torch-npu")
_ASCEND_MOUNTS = ("ascend", "davinci", "hisi", "dcmi", "npu-smi", "hccn")
_ASCEND_MODULES = (
    "drv_",
    "vdrv_",
    "ascend_",
    "asdrv_",
    "ts_agent",
    "dbl_",
    "npu_peermem",
    "tc_pcidev",
    "debug_switch",
)
_ERRORS = (
    "error-code",
    "undefined-symbol",
    "missing-library",
    "version-node-missing",
    "static-tls",
    "missing-module",
    "missing-name",
    "missing-attribute",
    "circular-import",
    "backend-load-failed",
    "npu-unavailable",
    "link-library-missing",
    "pip-no-version",
    "pip-no-wheel",
    "pip-conflict",
)
"""Signals that are failures whatever the machine is; others tell of it."""
_SIGNAL_FIELDS = ("code", "library", "symbol", "module", "name", "attribute", "node", "text")


def traits_of(facts: HostFacts) -> Traits:
    """All traits that a comparison looks at, known or not."""
    return Traits(
        {
            Area.VERSIONS: _versions(facts),
            Area.HARDWARE: _hardware(facts),
            Area.SYSTEM: _system(facts),
            Area.VARIABLES: {"variables": _listed(facts.environment, lambda found: _variables(facts, found))},
            Area.LIBRARIES: {
                "mapped libraries": _listed(facts.mapped_libraries, _libraries),
                "libraries for torch_npu": _listed(facts.picked_libraries, _libraries),
            },
            Area.PACKAGES: {"packages": _listed(facts.packages, _packages)},
            Area.DEVICES: _devices(facts),
            Area.ERRORS: {"errors": _listed(facts.signals, _errors)},
        }
    )


def _versions(facts: HostFacts) -> dict[str, Seen]:
    return {
        "driver": _shown(facts.driver, str),
        "driver on disk": _shown(facts.driver_on_disk, str),
        "firmware": _shown(facts.firmware, str),
        "firmware on disk": _shown(facts.firmware_on_disk, str),
        "CANN": _shown(facts.cann, str),
        "CANN installed": _shown(facts.cann_installs, _installs),
        "kernels": _shown(facts.ops, _ops),
        "NNAL": _shown(facts.nnal, str),
        "NNAL string ABI": _shown(facts.nnal_cxx_abi, str),
        "torch": _installed(facts, "torch", facts.torch),
        "torch_npu": _installed(facts, "torch-npu", facts.torch_npu),
        "Python": _shown(facts.python, str),
        "npu-smi": _shown(facts.npu_smi, str),
    }


def _hardware(facts: HostFacts) -> dict[str, Seen]:
    return {
        "chip": _shown(facts.chip, str),
        "cards": _shown(facts.npus, lambda npus: str(len(npus))),
        "card memory": _shown(facts.npus, _memory),
        "card health": _shown(facts.npus, _health),
        "PCI": _shown(facts.pci, lambda found: _counted(one.device for one in found)),
        "virtual machine": _shown(facts.virtual_machine, lambda text: text or "-"),
    }


def _system(facts: HostFacts) -> dict[str, Seen]:
    return {
        "system": _shown(facts.os, lambda one: one.text),
        "kernel": _shown(facts.kernel, str),
        "architecture": _shown(facts.arch, str),
        "libc": _shown(facts.libc, str),
        "container": _shown(facts.in_container, _yes_no),
        "privileged": _shown(facts.privileged, _yes_no),
        "user": _shown(facts.user, _user),
        "groups": _shown(facts.user, _groups),
        "locked memory": _shown(facts.locked_memory_kb, lambda limit: f"{limit:g} kB"),
        "/dev/shm": _shown(facts.shm_mb, lambda size: f"{size:.0f} MB"),  # noqa: S108  (a name, nothing is written)
        "interpreter": _shown(facts.interpreter, lambda one: one.path),
    }


def _devices(facts: HostFacts) -> dict[str, Seen]:
    return {
        "npu-smi": _shown(facts.npu_smi_answer, str),
        "driver library": _shown(facts.driver_library, _yes_no),
        "module built for": _shown(facts.kernel_state, lambda state: state.vermagic or ""),
        "nodes": _listed(
            facts.device_nodes, lambda nodes: Listing({one.path: _node(one) for one in nodes}, True)
        ),
        "kernel modules": _listed(facts.kernel_modules, _modules),
        "mounts": _listed(facts.mounts, _mounts),
        "links": _listed(
            facts.cann_links, lambda links: Listing({one.path: _link(one) for one in links}, True)
        ),
        "ports": _listed(
            facts.ports, lambda ports: Listing({str(one.device): _port(one) for one in ports}, True)
        ),
    }


def _shown(fact: T | Unknown, show: Callable[[T], str]) -> Seen:
    """The fact as text; what shows nothing (an empty text) was not told either."""
    return fact if isinstance(fact, Unknown) else show(fact)


def _installed(facts: HostFacts, package: str, version: Version | Unknown) -> Seen:
    """The version of a package; a whole listing without it proves that it is not there."""
    packages = facts.packages
    if isinstance(version, Unknown) and not isinstance(packages, Unknown) and packages.complete:
        return None if package not in packages else version
    return _shown(version, str)


def _listed(fact: T | Unknown, read: Callable[[T], Listing]) -> Seen:
    return fact if isinstance(fact, Unknown) else read(fact)


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"


def _counted(names: Iterable[str]) -> str:
    found: dict[str, int] = {}
    for name in names:
        found[name] = found.get(name, 0) + 1
    return ", ".join(f"{count} x {name}" for name, count in sorted(found.items())) or "-"


def _installs(installs: Iterable[CannInstall]) -> str:
    return ", ".join(sorted({str(one.version) for one in installs})) or "-"


def _ops(packages: Iterable[OpsPackage]) -> str:
    return ", ".join(sorted({f"{one.chip or '?'} {one.version or ''}".strip() for one in packages})) or "-"


def _memory(npus: Iterable[Npu]) -> str:
    return _counted(f"{one.hbm_total or one.memory_total} MB" for one in npus)


def _health(npus: Iterable[Npu]) -> str:
    return _counted(one.health for one in npus)


def _user(user: User) -> str:
    return "" if user.is_root is None else "root" if user.is_root else "not root"


def _groups(user: User) -> str:
    return "" if user.groups is None else ", ".join(sorted(user.groups)) or "-"


def _variables(facts: HostFacts, found: Mapping[str, str]) -> Listing:
    """The variables that bear on an Ascend stack; all of them where a whole environment was shown."""
    measured = any(line.where.startswith("/proc/") for line in facts.seen("environment"))
    whole = measured or ("PATH" in found and any(name in found for name in _LIVING_IN_A_SHELL))
    return Listing({name: value for name, value in sorted(found.items()) if is_of_interest(name)}, whole)


def _libraries(paths: Iterable[str]) -> Listing:
    return Listing(libraries_by_name(paths), complete=True)


def _packages(packages: Packages) -> Listing:
    found = {one.name: one.version for one in packages if one.name not in _VERSIONED_APART}
    return Listing(found, packages.complete)


def _modules(names: frozenset[str]) -> Listing:
    ours = sorted(name for name in names if name.startswith(_ASCEND_MODULES))
    return Listing(dict.fromkeys(ours, "loaded"), complete=len(ours) < len(names))


def _mounts(paths: Iterable[str]) -> Listing:
    ours = sorted(path for path in paths if any(word in path.lower() for word in _ASCEND_MOUNTS))
    return Listing(dict.fromkeys(ours, "mounted"), complete=True)


def _node(node: DeviceNode) -> str:
    mode = "" if node.mode is None else f"{node.mode:o}"
    owner = ":".join(part for part in (node.owner, node.group) if part)
    refused = "cannot be opened" if node.openable is False else ""
    return " ".join(part for part in (mode, owner, refused) if part) or "there"


def _link(link: Link) -> str:
    return f"{link.target} (broken)" if link.broken else link.target


def _port(port: NpuPort) -> str:
    parts = (("link", port.link_up), ("TLS", port.tls_enabled))
    return (
        ", ".join(f"{name} {'on' if value else 'off'}" for name, value in parts if value is not None)
        or "there"
    )


def _errors(signals: Signals) -> Listing:
    found: dict[str, str] = {}
    for signal in signals.of(*_ERRORS):
        fields = [signal.get(name) for name in _SIGNAL_FIELDS if signal.get(name)]
        found.setdefault(" ".join((signal.id, *fields[:2])), "seen")
    return Listing(found, complete=True)
