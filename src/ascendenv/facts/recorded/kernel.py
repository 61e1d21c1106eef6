"""The kernel side of the driver: modules in the kernel and on disk, what the kernel demands of them, times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.facts.model import KernelState
from ascendenv.facts.recorded.claims import measured

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.collect.snapshot import Snapshot
    from ascendenv.facts.claim import Claim

__all__ = ["read_kernel"]

_RECORDS = (
    "/etc/ascend_install.info",
    "/usr/local/Ascend/driver/version.info",
    "/usr/local/Ascend/firmware/version.info",
)
"""Files that an installation of driver or firmware writes anew."""
_MODULES = "/lib/modules/"
_OF_DRIVER = ("drv_", "asdrv_", "ascend_", "tc_pcidev")
_LOCKED = ("[integrity]", "[confidentiality]")


def read_kernel(snapshot: Snapshot) -> Iterator[Claim]:
    """Modules, and what tells whether they fit the running kernel."""
    names = snapshot.part("kernel", "modules").get("names")
    if isinstance(names, list):
        shown = _modules_shown([str(name) for name in names])
        yield measured("kernel_modules", None, "/sys/module", shown)
        for name in names:
            yield measured("kernel_modules", str(name), "/sys/module", shown)
    if snapshot.section("kernel"):
        state = _state(snapshot)
        yield measured("kernel_state", state, state.module or "/lib/modules", _shown(state))


def _modules_shown(names: list[str]) -> str:
    """One line for them all: a kernel has hundreds."""
    ours = [name for name in names if name.startswith(_OF_DRIVER)]
    return f"{len(names)} modules, of the Ascend driver: {', '.join(ours[:4]) or 'none'}"


def _state(snapshot: Snapshot) -> KernelState:
    running = str(snapshot.part("machine", "uname").get("kernel", ""))
    files = snapshot.part("kernel", "module_files")
    path, record = _chosen(files, running)
    vermagic = str(record.get("vermagic") or "").split()
    versions = snapshot.part("kernel", "dkms").get("versions")
    return KernelState(
        vermagic=vermagic[0] if vermagic else None,
        headers=_boolean(snapshot.section("kernel").get("headers")),
        dkms=tuple(str(name) for name in versions) if isinstance(versions, dict) else None,
        locked_down=_locked_down(snapshot),
        boot_time=_integer(snapshot.section("machine").get("boot_time")),
        driver_written=max(_written(snapshot), default=None),
        module=path,
        signed=_boolean(record.get("signed")),
        built_for=_built_for(snapshot),
        signatures=_signatures(snapshot),
    )


def _chosen(files: Mapping[str, object], running: str) -> tuple[str | None, Mapping[str, object]]:
    """The module file that the running kernel would load, else any that tells for which kernel the driver was built."""
    known = {path: record for path, record in files.items() if isinstance(record, dict)}
    own = [path for path in known if path.startswith(f"{_MODULES}{running}/")]
    path = next(iter([*own, *known]), None)
    return path, known[path] if path else {}


def _built_for(snapshot: Snapshot) -> tuple[str, ...] | None:
    """The kernels that have driver modules on disk; None where that was not looked at."""
    if "names" not in snapshot.part("kernel", "kernels"):
        return None
    paths = (path for path in snapshot.part("kernel", "module_files") if path.startswith(_MODULES))
    return tuple(dict.fromkeys(path.removeprefix(_MODULES).split("/")[0] for path in paths))


def _locked_down(snapshot: Snapshot) -> bool | None:
    text = snapshot.text("/sys/kernel/security/lockdown")
    return None if text is None else any(mode in text for mode in _LOCKED)


def _signatures(snapshot: Snapshot) -> bool | None:
    """Whether the kernel refuses unsigned modules; None where nothing tells."""
    enforced = (snapshot.text("/sys/module/module/parameters/sig_enforce") or "").strip()
    told = (
        {"Y": True, "1": True, "N": False, "0": False}.get(enforced),
        _boolean(snapshot.section("kernel").get("secure_boot")),
        _locked_down(snapshot),
    )
    return True if True in told else False if False in told else None


def _written(snapshot: Snapshot) -> Iterator[int]:
    for path in _RECORDS:
        record = snapshot.file(path)
        if isinstance(record.get("modified"), int) and "text" in record:
            yield int(record["modified"])


def _shown(state: KernelState) -> str:
    told = {
        "vermagic": state.vermagic,
        "modules for": ", ".join(state.built_for or ()) or None,
        "dkms": ", ".join(state.dkms or ()) or None,
        "signed": state.signed,
    }
    return (
        ", ".join(f"{name} {value}" for name, value in told.items() if value is not None)
        or "no driver modules"
    )


def _boolean(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
