"""Writes a lock and the files beside it so that nothing is lost: one writer at a time, every file whole, the lock first.

A run that is killed leaves the old lock or the new one. What lies beside it carries the digest that it was made from,
and the next run writes it again.
"""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ascendenv.errors import HostFailed
from ascendenv.files import write_whole
from ascendenv.language import say
from ascendenv.lock.lock_text import lock_text
from ascendenv.lock.pip_files import folder_of, pip_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ascendenv.lock.model import Lock

__all__ = ["only_writer", "stale_files", "write_all"]

_MAKE_ROOM = say("make room or choose another folder, and run the same command again")
_RESERVE = 64 * 1024
"""Bytes for the folder itself and for what others write meanwhile."""


@contextmanager
def only_writer(lock: Path) -> Iterator[None]:
    """Hold the folder of that lock for one run; raises HostFailed where another run holds it.

    The folder itself is locked, so that no file is left behind, and the kernel lets go when a run dies.
    """
    try:
        handle = os.open(lock.parent, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise HostFailed(
            say("the folder cannot be opened: {reason}", reason=error.strerror), where=str(lock.parent)
        ) from error
    try:
        _take(handle, lock)
        _sweep(lock)
        yield
    finally:
        os.close(handle)


def write_all(path: Path, lock: Lock) -> list[Path]:
    """Write what differs, the lock first, and remove what no stack has any more; the files that were written.

    Raises HostFailed where a file cannot be written; the old one stands then.
    """
    texts = {path: lock_text(lock)} | {folder_of(path) / name: text for name, text in pip_files(lock).items()}
    new = {file: text.encode() for file, text in texts.items() if _content(file) != text.encode()}
    _refuse_full_disk(path, sum(len(data) for data in new.values()))
    for file, data in new.items():
        _write(file, data)
    for file in _ours(path):
        if file not in texts:
            file.unlink(missing_ok=True)
    return list(new)


def _write(file: Path, data: bytes) -> None:
    try:
        write_whole(file, data)
    except OSError as error:
        raise HostFailed(
            say("cannot be written: {reason}; what stood there stands", reason=error.strerror),
            where=str(file),
            hint=_MAKE_ROOM,
        ) from error


def stale_files(path: Path, lock: Lock) -> list[Path]:
    """The files beside the lock that are not there or do not follow from it."""
    wanted = {folder_of(path) / name: text.encode() for name, text in pip_files(lock).items()}
    wrong = [file for file, data in wanted.items() if _content(file) != data]
    return [*wrong, *(file for file in _ours(path) if file not in wanted)]


def _take(handle: int, lock: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
            return  # a file system without locks; writing whole files still holds
        raise HostFailed(
            say("another run of ascendenv is writing here{who}", who=_holder(handle)),
            where=str(lock.parent),
            hint=say("wait until it has ended, then run the same command again"),
        ) from error


def _holder(handle: int) -> str:
    """The process that holds the folder, from the kernel's own table."""
    inode = f":{os.fstat(handle).st_ino}"
    try:
        with open("/proc/locks", encoding="ascii") as stream:  # noqa: PTH123
            lines = [line.split() for line in stream]
    except OSError:
        return ""
    return next((f" (process {one[4]})" for one in lines if len(one) > 5 and one[5].endswith(inode)), "")  # noqa: PLR2004


def _sweep(lock: Path) -> None:
    """Remove the temporary files of runs that were killed; nobody writes here while the folder is held."""
    for left in (*lock.parent.glob(f".{lock.name}.????????"), *folder_of(lock).glob(".*.txt.????????")):
        left.unlink(missing_ok=True)


def _ours(path: Path) -> list[Path]:
    folder = folder_of(path)
    return sorted([*folder.glob("*.requirements.txt"), *folder.glob("*.constraints.txt")])


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _refuse_full_disk(path: Path, needed: int) -> None:
    try:
        state = os.statvfs(path.parent)
    except OSError:
        return
    free = state.f_bavail * state.f_frsize
    if needed and free < needed + _RESERVE:
        raise HostFailed(
            say(
                "there is no room: {needed} bytes are needed, {free} are free",
                needed=needed + _RESERVE,
                free=free,
            ),
            where=str(path.parent),
            hint=_MAKE_ROOM,
        )
