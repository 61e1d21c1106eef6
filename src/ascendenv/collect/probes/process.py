"""One process: its environment, its user, its limits and, for a running one, the libraries that it really has mapped."""

import os
from typing import Any, Dict, List, Optional

from .system import System, group_name, user_name

LIMITS = ("RLIMIT_MEMLOCK", "RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_STACK", "RLIMIT_AS", "RLIMIT_CORE")
LIMIT_NAMES = {
    "Max locked memory": "RLIMIT_MEMLOCK",
    "Max open files": "RLIMIT_NOFILE",
    "Max processes": "RLIMIT_NPROC",
    "Max stack size": "RLIMIT_STACK",
    "Max address space": "RLIMIT_AS",
    "Max core file size": "RLIMIT_CORE",
}
MAPS_LIMIT = 16 << 20


def collect_process(system: System, pid: Optional[int]) -> Dict[str, Any]:
    """This process, or the running one `pid` (its environment is the one it was started with)."""
    if pid is not None:
        return describe_running(system, pid)
    record = dict(system.user())
    record.update(
        {
            "pid": os.getpid(),
            "environ": dict(system.environ),
            "limits": {name: system.limit(name) for name in LIMITS},
            "cwd": working_folder(),
        }
    )
    return record


def describe_running(system: System, pid: int) -> Dict[str, Any]:
    """Environment, mapped libraries, user and limits of another process, each with why it could not be read."""
    folder = "/proc/{}".format(pid)
    record: Dict[str, Any] = {"pid": pid, "running": system.is_folder(folder)}
    environment = system.read(folder + "/environ", MAPS_LIMIT)
    if "text" in environment:
        pairs = [one.partition("=") for one in environment["text"].split("\0") if "=" in one]
        record["environ"] = {name: value for name, _, value in pairs}
    else:
        record["environ_error"] = environment["error"]
    record.update(mapped_libraries(system, folder))
    record.update(identity(system.text(folder + "/status")))
    record["limits"] = limits(system.text(folder + "/limits"))
    record["command"] = system.text(folder + "/cmdline").replace("\0", " ").strip()[:2000]
    for name in ("exe", "cwd", "root"):
        record[name] = system.look(os.path.join(folder, name)).get("link")
    ours, theirs = (system.look(one + "/ns/mnt").get("link") for one in ("/proc/self", folder))
    record["other_namespace"] = None if not ours or not theirs else ours != theirs
    if isinstance(record["cwd"], str):
        record["cwd"] = {"path": record["cwd"], "writable": None}
    return record


def mapped_libraries(system: System, folder: str) -> Dict[str, Any]:
    """`{"mapped": [paths]}` of the libraries in the process, those that were deleted since marked, or the error."""
    maps = system.read(folder + "/maps", MAPS_LIMIT)
    if "text" not in maps:
        return {"mapped_error": maps["error"]}
    paths = set()
    for line in maps["text"].splitlines():
        fields = line.split(None, 5)
        if len(fields) == 6 and ".so" in os.path.basename(fields[5]):
            paths.add(fields[5])
    return {"mapped": sorted(paths)}


def identity(status: str) -> Dict[str, Any]:
    """User and groups of a process from its status."""
    fields: Dict[str, List[str]] = {}
    for line in status.splitlines():
        name, _, value = line.partition(":")
        fields[name] = value.split()
    if not fields.get("Uid"):
        return {}
    uid = int(fields["Uid"][1])
    groups = [int(number) for number in fields.get("Groups", [])]
    return {"uid": uid, "user": user_name(uid), "groups": [group_name(gid) or str(gid) for gid in groups]}


def limits(text: str) -> Dict[str, int]:
    """The soft limits of a process from its limits file, -1 for unlimited."""
    found = {}
    for line in text.splitlines():
        for title, name in LIMIT_NAMES.items():
            if line.startswith(title):
                value = line[len(title) :].split()[0]
                found[name] = int(value) if value.isdigit() else -1
    return found


def working_folder() -> Optional[Dict[str, Any]]:
    """The working folder and whether it can be written; None where it is gone."""
    try:
        path = os.getcwd()
    except OSError:
        return None
    return {"path": path, "writable": os.access(path, os.W_OK)}
