"""One run at a time in a folder: the others are told who is there, since when, and how to take over."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import TYPE_CHECKING, ClassVar

from ascendenv.errors import UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Occupied", "occupy"]

_NAME = ".ascendenv.lock"


class Occupied(UnusableInput):
    """Another run writes there."""

    code: ClassVar[str] = "occupied"


@contextmanager
def occupy(folder: Path) -> Iterator[None]:
    """Have the folder, which is made, for oneself; raises Occupied.

    The kernel holds the lock for the process: it is free again as soon as that process is gone, however it ended.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / _NAME
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise _occupied(folder, os.pread(handle, 4096, 0)) from error
        except OSError:  # a file system without locks; files are whole there all the same
            pass
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(_me()).encode(), 0)
        yield
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def _me() -> dict[str, str | int]:
    return {
        "process": os.getpid(),
        "host": socket.gethostname(),
        "user": os.environ.get("SUDO_USER") or os.environ.get("USER") or str(os.getuid()),
        "since": datetime.now(timezone.utc).astimezone().isoformat(sep=" ", timespec="seconds"),
    }


def _occupied(folder: Path, noted: bytes) -> Occupied:
    try:
        who = json.loads(noted)
        values = {name: who[name] for name in ("process", "host", "user", "since")}
    except (ValueError, KeyError, TypeError):
        return Occupied(
            say("another run writes here"), where=str(folder), hint=say("wait until it has ended")
        )
    return Occupied(
        say("{user} writes here since {since}, with process {process} on {host}", **values),
        where=str(folder),
        hint=say(
            "wait until it has ended, or take over: `kill {process}` on {host}, then run this again; "
            "what it fetched so far is kept",
            **values,
        ),
    )
