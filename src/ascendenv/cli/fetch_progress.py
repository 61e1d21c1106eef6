"""How a fetch is seen while it works: bars on a terminal, else a plain line now and then. Always on standard error."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from ascendenv.fetch.space import shown_size
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from ascendenv.fetch.progress import Progress
    from ascendenv.language import Message

__all__ = ["Lines", "shown_progress"]

_EVERY = 10.0


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """A progress that is shown in the way that fits where standard error goes."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(binary_units=True),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as bars:
        yield Bars(bars)


class Bars:
    """One bar for each file that is on its way."""

    def __init__(self, bars: RichProgress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}
        self._guard = Lock()

    def begin(self, name: str, size: int | None, have: int) -> None:
        """Show a bar, or set the size of the one that is there."""
        with self._guard:
            if name not in self._tasks:
                self._tasks[name] = self._bars.add_task(name, total=size, completed=have)
            self._bars.update(self._tasks[name], total=size, completed=have)

    def grew(self, name: str, length: int) -> None:
        """Move the bar."""
        self._bars.update(self._tasks[name], completed=length)

    def note(self, name: str, message: Message) -> None:
        """A line above the bars."""
        self._bars.console.print(f"{name}: {message}", markup=False, highlight=False)

    def end(self, name: str) -> None:
        """Take the bar away."""
        with self._guard:
            self._bars.remove_task(self._tasks.pop(name))


class Lines:
    """Lines for logs: when a file begins, every ten seconds how far it is, and when it ends."""

    def __init__(self) -> None:
        self._sizes: dict[str, int | None] = {}
        self._lengths: dict[str, int] = {}
        self._said: dict[str, float] = {}

    def begin(self, name: str, size: int | None, have: int) -> None:
        """Say which file, and how large it is."""
        again = name in self._sizes
        self._sizes[name], self._lengths[name], self._said[name] = size, have, time.monotonic()
        if not again:
            shown = shown_size(size) if size is not None else "?"
            self._print(name, say("{size}, {have} are here", size=shown, have=shown_size(have)))

    def grew(self, name: str, length: int) -> None:
        """Say how far it is, from time to time."""
        self._lengths[name] = length
        now = time.monotonic()
        if now - self._said[name] < _EVERY:
            return
        self._said[name] = now
        size = self._sizes[name]
        shown = shown_size(size) if size is not None else "?"
        self._print(name, say("{length} of {size}", length=shown_size(length), size=shown))

    def note(self, name: str, message: Message) -> None:
        """Say it."""
        self._print(name, message)

    def end(self, name: str) -> None:
        """Say how much is here."""
        self._print(name, say("{length} are here", length=shown_size(self._lengths.get(name, 0))))

    def _print(self, name: str, message: Message) -> None:
        print(f"{name}: {message}", file=sys.stderr, flush=True)
