"""How servers fare: who asked to be left alone for a while, and who does not answer at all. Shared by all downloads."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Patience", "Servers"]


@dataclass(frozen=True)
class Patience:
    """How often and how long it is tried. Times are in seconds.

    `tries` counts those in a row that brought no new byte. A server that sends less than `least` bytes in `stall`
    seconds is given up for this try; one that asks to wait longer than `longest` is given up for good.
    """

    tries: int = 6
    first: float = 1.0
    most: float = 60.0
    longest: float = 600.0
    stall: float = 60.0
    least: int = 60 * 1024

    def pause(self, tried: int) -> float:
        """How long to wait after that many tries in vain: twice as long each time, with chance in it."""
        step = min(self.most, self.first * 2.0 ** max(0, tried - 1))
        return step * random.uniform(0.5, 1.0)  # noqa: S311  (spreads the load; nobody must not guess it)


class Servers:
    """What is known of each server. `sleep` returns early when everything is to stop."""

    def __init__(self, sleep: Callable[[float], object], now: Callable[[], float] = time.monotonic) -> None:
        self._sleep = sleep
        self._now = now
        self._guard = Lock()
        self._until: dict[str, float] = {}
        self._silent: set[str] = set()

    def best_first(self, urls: tuple[str, ...]) -> tuple[str, ...]:
        """The addresses as they are given, those on servers that did not answer last."""
        with self._guard:
            return tuple(sorted(urls, key=lambda url: _server(url) in self._silent))

    def is_silent(self, url: str) -> bool:
        """Whether this server was given up because it did not answer."""
        with self._guard:
            return _server(url) in self._silent

    def gave_up(self, url: str) -> None:
        """Note that this server does not answer."""
        with self._guard:
            self._silent.add(_server(url))

    def answered(self, url: str) -> None:
        """Note that this server sent something."""
        with self._guard:
            self._silent.discard(_server(url))

    def leave_alone(self, url: str, seconds: float) -> None:
        """Ask this server nothing for so long: no download of this run does."""
        with self._guard:
            server = _server(url)
            self._until[server] = max(self._until.get(server, 0.0), self._now() + seconds)

    def wait_for(self, url: str) -> None:
        """Sleep until this server may be asked again."""
        while True:
            with self._guard:
                rest = self._until.get(_server(url), 0.0) - self._now()
            if rest <= 0 or self._sleep(rest):
                return


def _server(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2].lower()
