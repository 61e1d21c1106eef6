"""Builds a simulated machine below a folder and looks at it with the real collector.

Files, links and programs are real; what no file can pretend (the kernel's names, the account, refused nodes, times) is
answered by `PretendedSystem`.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

from tests.boxes.box import DAY
from tests.boxes.disk import disk_of

from ascendenv.collect.probes.main import collect
from ascendenv.collect.probes.system import System
from ascendenv.collect.script import probe_source
from ascendenv.collect.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.boxes.box import Box, Cann

__all__ = ["PretendedSystem", "build", "environment_of", "snapshot_of"]

_DRIVER = "/usr/local/Ascend/driver/lib64"
_WRITTEN = (
    "/etc/ascend_install.info",
    "/usr/local/Ascend/driver/version.info",
    "/usr/local/Ascend/firmware/version.info",
)
GIGABYTE = 2**30


class PretendedSystem(System):
    """The machine below `root` as `box` describes it."""

    def __init__(self, root: str, box: Box) -> None:
        super().__init__(root, environment_of(box))
        self.box = box

    def uname(self) -> dict[str, Any]:
        return {"system": "Linux", "kernel": self.box.kernel, "arch": self.box.arch, "host": "node1"}

    def user(self) -> dict[str, Any]:
        user = self.box.user
        return {"uid": user.uid, "user": user.name, "groups": list(user.groups)}

    def look(self, path: str) -> dict[str, Any]:
        record = super().look(path)
        if path.startswith("/dev/") and self.box.nodes is not None and "error" not in record:
            node = self.box.nodes
            record.update(kind="c", mode=node.mode, owner=node.owner, group=node.group)
        return record

    def may_open(self, path: str) -> str:
        return self.box.nodes.refused if self.box.nodes is not None else "ENOENT"

    def open_shared(self, path: str) -> str:
        return self.may_open(path)

    def space(self, path: str) -> dict[str, Any] | None:
        size = {"/dev/shm": 64 if self.box.container else 800}.get(path, 900)  # noqa: S108
        return {
            "total": size * GIGABYTE,
            "free": size * GIGABYTE // 2,
            "free_files": 10**6,
            "read_only": False,
        }

    def limit(self, name: str) -> int | None:
        return -1

    def at(self, path: str, follow: bool = True) -> str:
        if any(path == one or path.startswith(f"{one}/") for one in self.box.denied):
            raise PermissionError(13, os.strerror(13))
        return super().at(path, follow)


def environment_of(box: Box) -> dict[str, str]:
    """The variables of the process that looks: those of a login, and what each sourced set_env.sh adds."""
    variables = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    for place in box.sourced:
        if place < len(box.cann):
            _source(box, box.cann[place], variables)
    if box.driver_on_path and (box.container is not None or box.cann):
        _prepend(variables, "LD_LIBRARY_PATH", f"{_DRIVER}:{_DRIVER}/common:{_DRIVER}/driver")
    variables.update(box.environ)
    return variables


def _source(box: Box, cann: Cann, variables: dict[str, str]) -> None:
    home = cann.link
    variables.update(
        ASCEND_TOOLKIT_HOME=home,
        ASCEND_HOME_PATH=home,
        ASCEND_OPP_PATH=f"{home}/opp",
        ASCEND_AICPU_PATH=home,
        TOOLCHAIN_HOME=f"{home}/toolkit",
    )
    lib64 = f"{home}/lib64" if not cann.is_new else f"{home}/{box.arch}-linux/lib64"
    _prepend(variables, "LD_LIBRARY_PATH", f"{lib64}:{lib64}/plugin/opskernel:{lib64}/plugin/nnengine")
    _prepend(variables, "PYTHONPATH", f"{home}/python/site-packages:{home}/opp/built-in/op_impl/ai_core/tbe")
    _prepend(variables, "PATH", f"{home}/bin")
    if cann.nnal is not None:
        abi = 1 if cann.is_new else 0
        variables["ATB_HOME_PATH"] = f"{cann.base}/nnal/atb/latest/atb/cxx_abi_{abi}"
        _prepend(variables, "LD_LIBRARY_PATH", f"{variables['ATB_HOME_PATH']}/lib")


def _prepend(variables: dict[str, str], name: str, value: str) -> None:
    variables[name] = f"{value}:{variables[name]}" if name in variables else value


def build(box: Box, root: Path) -> PretendedSystem:
    """The machine, built below `root`."""
    disk = disk_of(box)
    for folder in disk.folders:
        (root / folder[1:]).mkdir(parents=True, exist_ok=True)
    for path, content in disk.files.items():
        place = root / path[1:]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        if path in disk.programs:
            place.chmod(0o755)
    for path, target in disk.links.items():
        place = root / path[1:]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)
    _date(box, root)
    return PretendedSystem(str(root), box)


def _date(box: Box, root: Path) -> None:
    now = int(time.time())
    if box.with_proc:
        (root / "proc" / "stat").write_text(f"cpu 1 2 3\nbtime {now - int(box.up_days * DAY)}\n")
    for path in _WRITTEN:
        place = root / path[1:]
        if place.exists():
            os.utime(place, (now, now - int(box.installed_days_ago * DAY)))


def snapshot_of(box: Box, root: Path) -> Snapshot:
    """What the collector records of the machine, after a journey as JSON."""
    system = build(box, root)
    data: dict[str, Any] = collect(probe_source("interpreter"), system=system)
    data["symbols"] = _symbols(box)
    if box.mapped is not None:
        data["process"].update(mapped=list(box.mapped), pid=4711)
    return Snapshot(json.loads(json.dumps(data)))


def _symbols(box: Box) -> Mapping[str, object]:
    """The loader's verdict: its files are not real here, so that a box brings what the loader would say."""
    return box.symbols or (
        {"missing_libraries": [], "missing_symbols": []}
        if "torch-npu" in box.python.packages
        else {"absent": "torch_npu"}
    )
