"""Brings many files at once. One that cannot be had does not keep the others; a full disk and Ctrl-C end all of them."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from ascendenv.fetch.download import Downloader, NotFetched
from ascendenv.fetch.servers import Patience, Servers
from ascendenv.fetch.space import disk_errors, require
from ascendenv.fetch.transfer import Stopped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from concurrent.futures import Future

    from ascendenv.errors import AscendenvError
    from ascendenv.fetch.goal import Goal
    from ascendenv.fetch.progress import Progress
    from ascendenv.fetch.store import Store

__all__ = ["Brought", "bring_all"]

_TICK = 0.2


@dataclass(frozen=True)
class Brought:
    """What became of a file: the hash of the object that it is now, or why it is not here."""

    goal: Goal
    sha256: str | None
    error: AscendenvError | None = None


def bring_all(
    goals: Sequence[Goal],
    store: Store,
    progress: Progress,
    *,
    here: Mapping[Goal, str] | None = None,
    jobs: int = 4,
    patience: Patience | None = None,
    ca: str | None = None,
) -> tuple[Brought, ...]:
    """What became of each file, in the order of `goals`; raises DiskFull, or HostFailed where the disk fails.

    What is in the store already is not asked for again; `here` names the objects of files whose hash the lock does not know.
    """
    known = {goal: goal.sha256 or (here or {}).get(goal) for goal in goals}
    have = {goal: one for goal, one in known.items() if one is not None and store.has(one, goal.size)}
    away = [goal for goal in goals if goal not in have and goal.urls]
    require(store.root, _room(away, store))
    stop = Event()
    downloader = Downloader(store, Servers(stop.wait), progress, stop, patience or Patience(), ca)
    # The largest first: one of them that begins last would keep everybody waiting.
    away.sort(key=lambda goal: goal.size or 0, reverse=True)
    with closing(downloader):
        found = _run(downloader, away, jobs)
    return tuple(found.get(goal) or Brought(goal, have.get(goal)) for goal in goals)


def _room(goals: Iterable[Goal], store: Store) -> int:
    """The bytes that are still to be written, as far as sizes are known."""
    return sum(max(0, goal.size - store.begun(goal.sha256, goal.key)) for goal in goals if goal.size)


def _run(downloader: Downloader, goals: Sequence[Goal], jobs: int) -> dict[Goal, Brought]:
    found: dict[Goal, Brought] = {}
    with ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="fetch") as pool:
        running = {pool.submit(downloader.bring, goal): goal for goal in goals}
        try:
            while running:
                # In short waits: a signal is heard between them.
                done, _ = wait(running, timeout=_TICK, return_when=FIRST_COMPLETED)
                for future in done:
                    goal = running.pop(future)
                    found[goal] = _outcome(future, goal, downloader.store)
        except BaseException:
            downloader.stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return found


def _outcome(future: Future[str], goal: Goal, store: Store) -> Brought:
    try:
        with disk_errors(store.root):
            return Brought(goal, future.result())
    except NotFetched as error:
        return Brought(goal, None, error)
    except Stopped:
        return Brought(goal, None)
