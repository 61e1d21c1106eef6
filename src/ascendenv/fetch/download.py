"""Brings one file: over its addresses, over many tries, from where the last one stopped, and checks it before it counts."""

from __future__ import annotations

import time
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import unquote, urlsplit

from ascendenv.errors import HostFailed
from ascendenv.fetch.http import Answer, Asked, Broken, Client, Refused, shown
from ascendenv.fetch.partial import Origin
from ascendenv.fetch.servers import Patience
from ascendenv.fetch.space import require
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from threading import Event

    from ascendenv.fetch.goal import Goal
    from ascendenv.fetch.partial import Partial
    from ascendenv.fetch.progress import Progress
    from ascendenv.fetch.servers import Servers
    from ascendenv.fetch.store import Store
    from ascendenv.language import Message

__all__ = ["Downloader", "NotFetched", "Stopped"]

_BLOCK = 1 << 20


class NotFetched(HostFailed):
    """No address gave the file."""

    code: ClassVar[str] = "not-fetched"


class Stopped(Exception):
    """The whole run is to end; what is there of the file stays for the next one."""


class _WrongBytes(Exception):
    """The file is whole, and is not the one that was wanted."""

    def __init__(self, reason: Message, *, resumed: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.resumed = resumed


@dataclass
class Downloader:
    """Brings files into a store; one serves all threads. `ca` names certificates to trust instead of the usual ones."""

    store: Store
    servers: Servers
    progress: Progress
    stop: Event
    patience: Patience = field(default_factory=Patience)
    ca: str | None = None
    _own: local = field(default_factory=local)
    _clients: list[Client] = field(default_factory=list)

    def close(self) -> None:
        """Give all connections back."""
        for one in self._clients:
            one.close()

    def bring(self, goal: Goal) -> str:
        """The hash of the file, which is an object of the store now; raises NotFetched, Stopped or OSError."""
        reasons: list[tuple[str, Message]] = []
        self.progress.begin(goal.name, goal.size, self.store.begun(goal.sha256, goal.key))
        try:
            with closing(self.store.partial(goal.sha256, goal.key)) as partial:
                if partial.digest == goal.sha256:  # an earlier run was ended just before it gave the name
                    return self.store.keep(partial)
                for url in self.servers.best_first(goal.urls):
                    found = self._tried(url, goal, partial, reasons)
                    if found is not None:
                        return found
        finally:
            self.progress.end(goal.name)
        raise NotFetched(_all(reasons), where=goal.name)

    def _tried(
        self, url: str, goal: Goal, partial: Partial, reasons: list[tuple[str, Message]]
    ) -> str | None:
        try:
            return self._from(url, goal, partial)
        except Refused as error:
            reasons.append((url, error.reason))
            return None

    def _from(self, url: str, goal: Goal, partial: Partial) -> str:
        """The hash of the file from that address; raises Refused when it is given up."""
        tried, most, doubted = 0, partial.length, False
        while True:
            self._check_stop()
            self.servers.wait_for(url)
            try:
                resumed = self._transfer(url, goal, partial)
                _check(goal, partial, resumed=resumed)
                return self.store.keep(partial)
            except _WrongBytes as error:
                partial.clear()
                # A file that changed between two tries is put together wrongly; from its beginning it may be right.
                if doubted or not error.resumed:
                    raise Refused(error.reason) from error
                doubted = True
                self.progress.note(
                    goal.name, say("{reason}; once more from the beginning", reason=error.reason)
                )
            except Broken as error:
                tried = 1 if partial.length > most and not error.idle else tried + 1
                most = max(most, partial.length)
                if error.restart:
                    partial.clear()
                self._rest(url, goal, error, tried)

    def _rest(self, url: str, goal: Goal, error: Broken, tried: int) -> None:
        """Wait before the next try; raises Refused where there is none."""
        if tried >= (1 if self.servers.is_silent(url) else self.patience.tries):
            if error.silent:
                self.servers.gave_up(url)
            raise Refused(error.reason) from error
        if error.wait is not None:
            if error.wait > self.patience.longest:
                raise Refused(
                    say(
                        "{reason} and asks to wait {seconds} s",
                        reason=error.reason,
                        seconds=round(error.wait),
                    )
                ) from error
            self.servers.leave_alone(url, error.wait)
        pause = self.patience.pause(tried) if error.wait is None else error.wait
        words = say("{reason}; next try in {seconds} s", reason=error.reason, seconds=round(pause, 1))
        self.progress.note(goal.name, words)
        self.stop.wait(pause)

    def _transfer(self, url: str, goal: Goal, partial: Partial) -> bool:
        """Add to the file what is missing; whether it has bytes of an earlier try. Raises Broken, Refused, Stopped."""
        start, validator = _place(url, goal, partial)
        asked = Asked(url, start, validator, goal.first.referer)
        with self._answer(asked) as answer:
            self.servers.answered(url)
            if answer.start == 0:
                partial.begin(Origin(url, answer.validator))
            self._expect(goal, answer)
            self._read(goal, partial, answer)
            if answer.total is not None and partial.length < answer.total:
                raise Broken(
                    say(
                        "the connection ended at {length} of {total} bytes",
                        length=partial.length,
                        total=answer.total,
                    )
                )
        return answer.start > 0

    @contextmanager
    def _answer(self, asked: Asked) -> Iterator[Answer]:
        if urlsplit(asked.url).scheme.lower() == "file":
            with _local(asked.url) as answer:
                yield answer
            return
        client = getattr(self._own, "client", None)
        if client is None:
            client = self._own.client = Client(ca=self.ca)
            self._clients.append(client)
        with client.ask(asked) as answer:
            yield answer

    def _expect(self, goal: Goal, answer: Answer) -> None:
        """Raise Refused where the file has another size, OSError where it does not fit on the disk."""
        if answer.total is None:
            return
        if goal.size is not None and answer.total != goal.size:
            raise Refused(
                say("it has {total} bytes there, the lock says {size}", total=answer.total, size=goal.size)
            )
        if goal.size is None:
            self.progress.begin(goal.name, answer.total, answer.start)
            require(self.store.root, answer.total - answer.start)

    def _read(self, goal: Goal, partial: Partial, answer: Answer) -> None:
        since, mark = time.monotonic(), partial.length
        for block in answer.blocks:
            self._check_stop()
            partial.append(block)
            self.progress.grew(goal.name, partial.length)
            if goal.size is not None and partial.length > goal.size:
                partial.clear()
                raise Refused(say("it has more than the {size} bytes of the lock", size=goal.size))
            now = time.monotonic()
            if now - since > self.patience.stall:
                if partial.length - mark < self.patience.least:
                    raise Broken(say("the server sends next to nothing"), idle=True)
                since, mark = now, partial.length

    def _check_stop(self) -> None:
        if self.stop.is_set():
            raise Stopped


def _place(url: str, goal: Goal, partial: Partial) -> tuple[int, str]:
    """From where to ask, and for which state of the file.

    Without a hash nothing would tell that two halves do not belong together: only the same state at the same address is
    gone on with. With a hash any address will do.
    """
    origin = partial.origin
    same = origin is not None and origin.url == url
    validator = origin.validator if origin is not None and same else ""
    if not partial.length or (goal.sha256 is None and not validator):
        return 0, ""
    if goal.size is not None and partial.length > goal.size:
        return 0, ""
    return partial.length, validator


def _check(goal: Goal, partial: Partial, *, resumed: bool) -> None:
    if goal.size is not None and partial.length != goal.size:
        reason = say("{length} bytes came, the lock says {size}", length=partial.length, size=goal.size)
        raise _WrongBytes(reason, resumed=resumed)
    if goal.sha256 is not None and partial.digest != goal.sha256:
        reason = say(
            "its sha256 is {found}, the lock says {wanted}", found=partial.digest, wanted=goal.sha256
        )
        raise _WrongBytes(reason, resumed=resumed)


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


def _all(reasons: list[tuple[str, Message]]) -> Message:
    """The reasons of all addresses, one a line."""
    if len(reasons) == 1:
        url, reason = reasons[0]
        return say("{url}: {reason}", url=shown(url), reason=reason)
    found = say("no address gives it")
    for url, reason in reasons:
        found = say("{before}\n  {url}: {reason}", before=found, url=shown(url), reason=reason)
    return found
