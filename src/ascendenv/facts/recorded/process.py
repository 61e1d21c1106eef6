"""The process that counts: its user, environment, limits, mapped libraries and working folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.facts.model import User
from ascendenv.facts.recorded.claims import measured

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.collect.snapshot import Snapshot
    from ascendenv.facts.claim import Claim

__all__ = ["read_process"]

_UNLIMITED = float("inf")


def read_process(snapshot: Snapshot) -> Iterator[Claim]:
    """Everything about the process."""
    process = snapshot.section("process")
    where = f"/proc/{process.get('pid', 'self')}"
    if isinstance(variables := process.get("environ"), dict):
        yield from _environment(
            {str(name): str(value) for name, value in variables.items()}, f"{where}/environ"
        )
    if "uid" in process:
        name = process.get("user")
        groups = tuple(str(group) for group in process.get("groups") or ())
        user = User(None if name is None else str(name), int(process["uid"]), groups)
        yield measured("user", user, "id", f"uid={user.uid}({user.name}) groups={','.join(groups)}")
    locked = (process.get("limits") or {}).get("RLIMIT_MEMLOCK")
    if isinstance(locked, int):
        yield measured("locked_memory_kb", _UNLIMITED if locked < 0 else locked / 1024, "ulimit -l")
    if isinstance(mapped := process.get("mapped"), list):
        yield measured("mapped_libraries", None, f"{where}/maps")
        for path in mapped:
            yield measured("mapped_libraries", str(path), f"{where}/maps")
    if isinstance(folder := process.get("cwd"), dict) and isinstance(folder.get("writable"), bool):
        yield measured("working_folder_writable", folder["writable"], str(folder["path"]))


def _environment(variables: Mapping[str, str], where: str) -> Iterator[Claim]:
    yield measured("environment", None, where)
    for name, value in variables.items():
        yield measured("environment", (name, value), where, f"{name}={value}")
    home = variables.get("ATB_HOME_PATH", "")
    for abi in (0, 1):
        if f"cxx_abi_{abi}" in home:
            yield measured("nnal_cxx_abi", abi, where, f"ATB_HOME_PATH={home}")
