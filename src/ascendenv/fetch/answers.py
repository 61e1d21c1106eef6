"""What is asked of a server and what comes back; what goes wrong is of two kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.language import Message

__all__ = ["Answer", "Asked", "Broken", "Refused", "shown"]


class Broken(Exception):
    """The transfer did not work this time.

    `wait` is how many seconds the server asks for, `restart` drops what is there, `silent` tells that no server answered,
    `idle` that the few bytes that came are not worth going on like this.
    """

    def __init__(
        self,
        reason: Message,
        *,
        wait: float | None = None,
        restart: bool = False,
        silent: bool = False,
        idle: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait
        self.restart = restart
        self.silent = silent
        self.idle = idle


class Refused(Exception):
    """This address will not give the file, however often it is asked."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Asked:
    """A question: the bytes from `start` on, as long as the file is still in the state that `validator` names."""

    url: str
    start: int = 0
    validator: str = ""
    referer: str | None = None


@dataclass(frozen=True)
class Answer:
    """What comes: bytes from `start` on (0 where the server knows no ranges), `total` as far as the server tells it."""

    start: int
    total: int | None
    validator: str
    blocks: Iterator[bytes]


def shown(url: str) -> str:
    """The address without user, password and query, which may be secrets."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
