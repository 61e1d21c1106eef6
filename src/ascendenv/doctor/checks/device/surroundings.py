"""Where the program ran and what it was given: host or container, its rights, the nodes and files passed to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.facts.unknown import known
from ascendenv.signals.model import Signals

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import HostFacts, OsRelease
    from ascendenv.signals.model import Signal

__all__ = ["Surroundings", "surroundings"]

_CONTAINER_HOST = re.compile(r"[0-9a-f]{12}|container|.*-[0-9a-z]{5,10}-[0-9a-z]{5}")
_OWN_SUFFIX = {"ubuntu": ("-generic", "-aws", "-azure", "-oracle", "-kvm", "-lowlatency", "ubuntu")}
_FOREIGN = re.compile(
    r"\.oe\d|oe\d{4}|euleros|\.hce\d|hce2|\.ky10|\.ctl\d|bclinux|\.el\d|\.ule\d|\.uel\d|\.an\d|\.tl\d|\.u\d{3}"
)
_WITHOUT_SVM = "950"
_ALWAYS = ("/dev/davinci_manager", "/dev/hisi_hdc")
_SVM = "/dev/devmm_svm"
_DRIVER = "/usr/local/Ascend"
_TEXTS = ("report:", "log:")
_FILES = ("/usr/local/dcmi", "/etc/ascend_install.info")


@dataclass(frozen=True)
class Surroundings:
    """What is known about the place; None where nothing tells.

    `is_root` is true for a root that kept its capabilities: without them root may open no node of another owner.
    `passed` are the device nodes that the container's command line names, or that a look into a live one found; `mounted`
    are the paths that it mounts. Both are empty where nothing was seen. `by_runtime` tells that the Ascend container runtime does both.
    """

    in_container: bool | None
    privileged: bool | None
    is_root: bool | None
    passed: tuple[str, ...]
    mounted: tuple[str, ...]
    by_runtime: bool
    chip: str | None
    evidence: tuple[Evidence, ...]

    @property
    def may_be_container(self) -> bool:
        """Whether nothing says that this is the host itself."""
        return self.in_container is not False

    @property
    def cards(self) -> tuple[int, ...]:
        """The numbers of the davinci nodes that were passed to the container."""
        numbers = (path.removeprefix("/dev/davinci") for path in self.passed)
        return tuple(sorted({int(number) for number in numbers if number.isdigit()}))

    @property
    def lacking_nodes(self) -> tuple[str, ...]:
        """Device nodes that the command line forgot; empty when it is complete or was not seen."""
        if not self.passed or self.privileged or self.by_runtime or "/dev" in self.mounted:
            return ()
        needed = (*_ALWAYS,) if self._is_950 else (*_ALWAYS, _SVM)
        missing = [path for path in needed if path not in self.passed]
        if not self.cards and "/dev/davinci*" not in self.passed:
            missing.insert(0, "/dev/davinci0")
        return tuple(missing)

    @property
    def lacks_driver(self) -> bool:
        """Whether the command line mounts files, but not the driver's."""
        return bool(self.mounted) and not self.by_runtime and not self._has(f"{_DRIVER}/driver")

    @property
    def lacking_files(self) -> tuple[str, ...]:
        """Host files beside the driver that DCMI wants and the command line forgot."""
        if not self.mounted or self.by_runtime:
            return ()
        return tuple(path for path in _FILES if not self._has(path))

    @property
    def is_complete(self) -> bool | None:
        """Whether the command line passes everything that the vendor's text lists; None when none was seen."""
        if not self.passed or not self.mounted:
            return None
        return not (self.lacking_nodes or self.lacks_driver or self.lacking_files)

    @property
    def _is_950(self) -> bool:
        return self.chip is not None and _WITHOUT_SVM in self.chip

    def _has(self, wanted: str) -> bool:
        return any(_covers(path, wanted) for path in self.mounted)


def surroundings(facts: HostFacts) -> Surroundings:
    """What `facts` and their signals tell about the place."""
    signals = known(facts.signals) or Signals()
    environment = known(facts.environment) or {}
    flags = signals.of("container-device", "container-mount", "container-privileged")
    return Surroundings(
        in_container=_in_container(facts, signals, environment),
        privileged=_privileged(facts, signals),
        is_root=_is_root(facts, signals),
        passed=_passed(facts, signals),
        mounted=tuple(dict.fromkeys((*(known(facts.mounts) or ()), *_mounts(signals)))),
        by_runtime=_by_runtime(signals, environment),
        chip=known(facts.chip),
        evidence=tuple(signal.evidence for signal in flags),
    )


def _in_container(facts: HostFacts, signals: Signals, environment: Mapping[str, str]) -> bool | None:
    told = known(facts.in_container)
    if told is not None:
        return told
    if signals.first("container-device", "container-mount", "container-tool", "pod-device-request"):
        return True
    if any(_CONTAINER_HOST.fullmatch(one.get("host")) for one in signals.of("npu-smi-prompt")):
        return True
    if {"ASCEND_DOCKER_RUNTIME", "KUBERNETES_SERVICE_HOST", "ASCEND_RUNTIME_OPTIONS"} & environment.keys():
        return True
    return _runs_on_foreign_kernel(known(facts.os), known(facts.kernel)) or None


def _runs_on_foreign_kernel(system: OsRelease | None, kernel: str | None) -> bool:
    """An image of one distribution above the kernel of another: only containers do that."""
    if system is None or kernel is None:
        return False
    name, text = system.id.lower(), kernel.lower()
    if name in {"ubuntu", "debian"}:
        return bool(_FOREIGN.search(text)) and not text.endswith(_OWN_SUFFIX["ubuntu"])
    if name == "openeuler":
        release = re.search(r"oe(\d{4})", text)
        other = release is not None and release.group(1) != (system.version or "").replace(".", "")[:4]
        return other or text.endswith(_OWN_SUFFIX["ubuntu"]) or "euleros" in text
    return False


def _privileged(facts: HostFacts, signals: Signals) -> bool | None:
    told = known(facts.privileged)
    return True if told is None and signals.first("container-privileged") else told


def _is_root(facts: HostFacts, signals: Signals) -> bool | None:
    confinement = known(facts.confinement)
    if signals.first("capabilities-dropped", "not-root") or (
        confinement and confinement.capabilities is False
    ):
        return False
    user = known(facts.user)
    if user is not None and user.is_root is not None:
        return user.is_root
    ran_as_root = {
        signal.get("mark") == "#" or bool(signal.get("sudo")) for signal in signals.of("npu-smi-prompt")
    }
    return ran_as_root.pop() if len(ran_as_root) == 1 else None


def _passed(facts: HostFacts, signals: Signals) -> tuple[str, ...]:
    """The nodes that a command line names, or all that a look into the container found."""
    named = _fields(signals.of("container-device"), "path")
    looked = known(facts.device_nodes) or ()
    from_text = any(line.where.startswith(_TEXTS) for line in facts.seen("device_nodes"))
    if named or from_text or known(facts.in_container) is not True:
        return named
    return tuple(node.path for node in looked)


def _mounts(signals: Signals) -> Iterable[str]:
    return (path.rstrip("/") or "/" for path in _fields(signals.of("container-mount"), "path"))


def _by_runtime(signals: Signals, environment: Mapping[str, str]) -> bool:
    if any("NODRV" in one.get("value") for one in signals.of("runtime-option")):
        return False
    if "NODRV" in environment.get("ASCEND_RUNTIME_OPTIONS", ""):
        return False
    named = any(one.get("runtime") for one in signals.of("container-tool"))
    chosen = any(one.get("name") == "ASCEND_VISIBLE_DEVICES" for one in signals.of("visible-devices-set"))
    return named or chosen or bool({"ASCEND_DOCKER_RUNTIME", "ASCEND_VISIBLE_DEVICES"} & environment.keys())


def _fields(signals: Iterable[Signal], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for signal in signals if (value := signal.get(name))))


def _covers(mounted: str, wanted: str) -> bool:
    """Whether mounting one path brings the other: itself, a folder above it, or something below it."""
    one, other = mounted.rstrip("/"), wanted.rstrip("/")
    return one == other or other.startswith(f"{one}/") or one.startswith(f"{other}/")
