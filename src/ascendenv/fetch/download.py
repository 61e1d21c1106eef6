"""Brings one file: over its addresses, over many tries, from where the last one stopped, and checked before it counts."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from threading import local
from typing import TYPE_CHECKING, ClassVar

from ascendenv.errors import HostFailed
from ascendenv.fetch.answers import Broken, Refused, shown
from ascendenv.fetch.http import Client
from ascendenv.fetch.servers import Patience
from ascendenv.fetch.transfer import Transfer, WrongBytes
from ascendenv.language import say

if TYPE_CHECKING:
    from threading import Event

    from ascendenv.fetch.goal import Goal
    from ascendenv.fetch.partial import Partial
    from ascendenv.fetch.progress import Progress
    from ascendenv.fetch.servers import Servers
    from ascendenv.fetch.store import Store
    from ascendenv.language import Message

__all__ = ["Downloader", "NotFetched"]


class NotFetched(HostFailed):
    """No address gave the file."""

    code: ClassVar[str] = "not-fetched"


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
        transfer = Transfer(url, goal, partial, self._client(), self.progress, self.stop, self.patience)
        try:
            _Tries(self, transfer).last()
            return self.store.keep(partial)
        except Refused as error:
            reasons.append((url, error.reason))
            return None

    def _client(self) -> Client:
        """This thread's own connections."""
        client: Client | None = getattr(self._own, "client", None)
        if client is None:
            client = self._own.client = Client(ca=self.ca)
            self._clients.append(client)
        return client


class _Tries:
    """All tries at one address."""

    def __init__(self, downloader: Downloader, transfer: Transfer) -> None:
        self._servers = downloader.servers
        self._patience = downloader.patience
        self._transfer = transfer
        self._most = transfer.partial.length
        self._tried = 0
        self._waited = 0.0
        self._doubted = False

    def last(self) -> None:
        """Try until the file is whole and right; raises Refused when the address is given up."""
        while True:
            self._servers.wait_for(self._transfer.url)
            try:
                self._transfer.run()
            except WrongBytes as error:
                self._doubt(error)
            except Broken as error:
                self._count(error)
                self._rest(error)
            else:
                self._servers.answered(self._transfer.url)
                return

    def _doubt(self, error: WrongBytes) -> None:
        """A file that changed between two tries is put together wrongly; from its beginning it may be right."""
        self._transfer.partial.clear()
        if self._doubted or not error.resumed:
            raise Refused(error.reason) from error
        self._doubted = True
        self._note(say("{reason}; once more from the beginning", reason=error.reason))

    def _count(self, error: Broken) -> None:
        """A try that brought something is no try in vain; nor is one that the server asked to make later."""
        partial = self._transfer.partial
        if not error.silent:
            self._servers.answered(self._transfer.url)
        if error.wait:
            self._waited += error.wait
        elif partial.length > self._most and not error.idle:
            self._tried = 1
        else:
            self._tried += 1
        self._most = max(self._most, partial.length)
        if error.restart:
            partial.clear()

    def _rest(self, error: Broken) -> None:
        """Wait before the next try; raises Refused where there is none."""
        url = self._transfer.url
        if error.wait and self._waited > self._patience.longest:
            words = say(
                "{reason} and asks to wait {seconds} s", reason=error.reason, seconds=round(error.wait)
            )
            raise Refused(words) from error
        if self._tried >= (1 if self._servers.is_silent(url) else self._patience.tries):
            if error.silent:
                self._servers.gave_up(url)
            raise Refused(error.reason) from error
        pause = error.wait or self._patience.pause(self._tried)
        if error.wait:
            self._servers.leave_alone(url, error.wait)
        self._note(say("{reason}; next try in {seconds} s", reason=error.reason, seconds=round(pause, 1)))
        self._transfer.stop.wait(pause)

    def _note(self, message: Message) -> None:
        self._transfer.progress.note(self._transfer.goal.name, message)


def _all(reasons: list[tuple[str, Message]]) -> Message:
    """The reasons of all addresses, one a line."""
    if len(reasons) == 1:
        url, reason = reasons[0]
        return say("{url}: {reason}", url=shown(url), reason=reason)
    found = say("no address gives it")
    for url, reason in reasons:
        found = say("{before}\n  {url}: {reason}", before=found, url=shown(url), reason=reason)
    return found
