"""Room on the disk: asked for before it is used, and words for when it runs out all the same."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar

from ascendenv.errors import HostFailed
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["DiskFull", "disk_errors", "free", "require", "shown_size"]

_MARGIN = 16 << 20
"""Names, pages and the file system's own records need some room, too."""
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


class DiskFull(HostFailed):
    """The files do not fit."""

    code: ClassVar[str] = "disk-full"


def free(path: Path) -> int:
    """The bytes that can still be written to the file system of `path`, which need not exist yet."""
    while not path.exists():
        path = path.parent
    found = os.statvfs(path)
    return found.f_bavail * found.f_frsize


def require(path: Path, needed: int) -> None:
    """Raise DiskFull where `needed` bytes do not fit."""
    have = free(path)
    if needed and needed + _MARGIN > have:
        raise DiskFull(
            say(
                "{needed} are needed here and {have} are free",
                needed=shown_size(needed + _MARGIN),
                have=shown_size(have),
            ),
            where=str(path),
            hint=say("make room, or name another folder with -o; nothing that was fetched is lost"),
        )


@contextmanager
def disk_errors(root: Path) -> Iterator[None]:
    """Turn what a disk says into DiskFull or HostFailed."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise DiskFull(
                say("the disk is full, {have} are free", have=shown_size(free(root))),
                where=str(root),
                hint=say("make room and run this again: it goes on where it stopped"),
            ) from error
        raise HostFailed(
            say("this cannot be read or written: {reason}", reason=error.strerror or str(error)),
            where=str(error.filename or root),
        ) from error


def shown_size(count: float) -> str:
    """`count` bytes in words: 1.5 GiB."""
    for unit in _UNITS:
        if count < 1024 or unit == _UNITS[-1]:  # noqa: PLR2004
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return ""
