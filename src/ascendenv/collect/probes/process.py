"""One process: its environment, its user, its limits and, for a running one, the libraries that it really has mapped."""

import os
import resource
from typing import Any, Dict, Optional

from .record import read_file, user_name

LIMITS = ("RLIMIT_MEMLOCK", "RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_STACK")


def collect_process(pid: Optional[int]) -> Dict[str, Any]:
    """This process, or the running one `pid` (its environment is the one it was started with)."""
    if pid is not None:
        return describe_running(pid)
    return {
        "pid": os.getpid(),
        "environ": dict(os.environ),
        "uid": os.geteuid(),
        "user": user_name(os.geteuid()),
        "groups": group_names(),
        "limits": {name: limit(name) for name in LIMITS},
        "cwd": working_folder(),
    }


def describe_running(pid: int) -> Dict[str, Any]:
    """Environment, mapped libraries and working folder of another process, each with why it could not be read."""
    root = "/proc/{}".format(pid)
    record: Dict[str, Any] = {"pid": pid}
    environment = read_file(root + "/environ")
    if "text" in environment:
        pairs = [one.partition("=") for one in environment["text"].split("\0") if "=" in one]
        record["environ"] = {name: value for name, _, value in pairs}
    else:
        record["environ_error"] = environment["error"]
    maps = read_file(root + "/maps", 4 * 1024 * 1024)
    if "text" in maps:
        paths = {line.split(None, 5)[-1] for line in maps["text"].splitlines() if line.count("/")}
        record["mapped"] = sorted(path for path in paths if ".so" in os.path.basename(path))
    else:
        record["mapped_error"] = maps["error"]
    record["status"] = read_file(root + "/status")
    return record


def group_names() -> Any:
    """The groups of this process by name where they have one, else by number."""
    from .record import group_name

    return [group_name(gid) or str(gid) for gid in os.getgroups()]


def limit(name: str) -> Any:
    """The soft limit, -1 for unlimited, None where this system has no such limit."""
    kind = getattr(resource, name, None)
    return None if kind is None else resource.getrlimit(kind)[0]


def working_folder() -> Any:
    """The working folder and whether it can be written; None where it is gone."""
    try:
        path = os.getcwd()
    except OSError:
        return None
    return {"path": path, "writable": os.access(path, os.W_OK)}
