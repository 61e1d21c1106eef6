"""One try to get what is missing of a file from one address."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from ascendenv.fetch.answers import Answer, Asked, Broken, Refused
from ascendenv.fetch.partial import Origin
from ascendenv.fetch.space import require
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from threading import Event

    from ascendenv.fetch.goal import Goal
    from ascendenv.fetch.http import Client
    from ascendenv.fetch.partial import Partial
    from ascendenv.fetch.progress import Progress
    from ascendenv.fetch.servers import Patience
    from ascendenv.language import Message

__all__ = ["Stopped", "Transfer", "WrongBytes"]

_BLOCK = 1 << 20


class Stopped(Exception):
    """The whole run is to end; what is there of the file stays for the next one."""


class WrongBytes(Exception):
    """The file is whole, and is not the one that was wanted. `resumed`: a part of it is from an earlier try."""

    def __init__(self, reason: Message, *, resumed: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.resumed = resumed


@dataclass(frozen=True)
class Transfer:
    """A file, an address, and what is there of the file."""

    url: str
    goal: Goal
    partial: Partial
    client: Client
    progress: Progress
    stop: Event
    patience: Patience

    def run(self) -> None:
        """Make the file whole; raises Broken, Refused, WrongBytes, Stopped, DiskFull or OSError."""
        if self.stop.is_set():
            raise Stopped
        start, validator = self._place()
        asked = Asked(self.url, start, validator, self.goal.referer)
        with self._answer(asked) as answer:
            self._expect(answer)
            if answer.start == 0:
                self.partial.begin(Origin(self.url, answer.validator))
            self._read(answer)
        self._check(resumed=answer.start > 0)

    def _place(self) -> tuple[int, str]:
        """From where to ask, and for which state of the file.

        Without a hash nothing would tell that two halves do not belong together: only the same state at the same address
        is gone on with. With a hash any address will do.
        """
        length, goal = self.partial.length, self.goal
        validator = self.partial.validator_at(self.url)
        too_long = goal.size is not None and length > goal.size
        if not length or too_long or (goal.sha256 is None and not validator):
            return 0, ""
        return length, validator

    def _answer(self, asked: Asked) -> AbstractContextManager[Answer]:
        is_file = urlsplit(asked.url).scheme.lower() == "file"
        return _local(asked.url) if is_file else self.client.ask(asked)

    def _expect(self, answer: Answer) -> None:
        """Raise Refused where the file has another size, DiskFull where one of unknown size does not fit."""
        size = self.goal.size
        if answer.total is None:
            return
        if size is not None and answer.total != size:
            raise Refused(
                say("it has {total} bytes there, the lock says {size}", total=answer.total, size=size)
            )
        if size is None:
            self.progress.begin(self.goal.name, answer.total, answer.start)
            require(self.partial.path.parent, answer.total - answer.start)

    def _read(self, answer: Answer) -> None:
        pace = _Pace(self.patience, self.partial.length)
        for block in answer.blocks:
            if self.stop.is_set():
                raise Stopped
            self.partial.append(block)
            length = self.partial.length
            self.progress.grew(self.goal.name, length)
            if self.goal.size is not None and length > self.goal.size:
                self.partial.clear()
                raise Refused(say("it has more than the {size} bytes of the lock", size=self.goal.size))
            pace.check(length)
        if answer.total is not None and self.partial.length < answer.total:
            values = {"length": self.partial.length, "total": answer.total}
            raise Broken(say("the connection ended at {length} of {total} bytes", **values))

    def _check(self, *, resumed: bool) -> None:
        goal, length, digest = self.goal, self.partial.length, self.partial.digest
        if goal.size is not None and length != goal.size:
            reason = say("{length} bytes came, the lock says {size}", length=length, size=goal.size)
            raise WrongBytes(reason, resumed=resumed)
        if goal.sha256 is not None and digest != goal.sha256:
            reason = say("its sha256 is {found}, the lock says {wanted}", found=digest, wanted=goal.sha256)
            raise WrongBytes(reason, resumed=resumed)


class _Pace:
    """Watches that a server does not only drip."""

    def __init__(self, patience: Patience, length: int) -> None:
        self._patience = patience
        self._since, self._mark = time.monotonic(), length

    def check(self, length: int) -> None:
        """Raise Broken where too little came in the time that a server gets."""
        now = time.monotonic()
        if now - self._since <= self._patience.stall:
            return
        if length - self._mark < self._patience.least:
            raise Broken(say("the server sends next to nothing"), idle=True)
        self._since, self._mark = now, length


@contextmanager
def _local(url: str) -> Iterator[Answer]:
    """The file that a `file://` address names."""
    path = Path(unquote(urlsplit(url).path))
    try:
        stream = path.open("rb")
    except OSError as error:
        raise Refused(say("it cannot be read: {reason}", reason=error.strerror or str(error))) from error
    with stream:
        total = path.stat().st_size
        yield Answer(0, total, "", iter(lambda: stream.read(_BLOCK), b""))
