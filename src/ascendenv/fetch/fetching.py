"""The whole of `fetch`: what a lock wants, into a bundle."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ascendenv.errors import UnusableInput
from ascendenv.fetch.bundle import open_bundle
from ascendenv.fetch.download import NotFetched
from ascendenv.fetch.goal import Places, goals_of
from ascendenv.fetch.occupied import occupy
from ascendenv.fetch.parallel import bring_all
from ascendenv.fetch.space import disk_errors
from ascendenv.language import say

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.fetch.bundle import Bundle
    from ascendenv.fetch.goal import Goal
    from ascendenv.fetch.indexes import Indexes
    from ascendenv.fetch.parallel import Brought
    from ascendenv.fetch.progress import Progress
    from ascendenv.fetch.servers import Patience
    from ascendenv.lock.model import Artefact, Lock

__all__ = ["Fetched", "Order", "fetch", "rows_of"]


@dataclass(frozen=True, kw_only=True)
class Order:
    """What is to be fetched where. Without `stacks` and `arch` everything; `indexes` know wheels without an address.

    `prune` removes what the lock does not need, `repair` hashes what is here and fetches again what is damaged.
    """

    lock: Lock
    root: Path
    stacks: tuple[str, ...] = ()
    arch: str | None = None
    places: Places = field(default_factory=Places)
    indexes: Indexes | None = None
    jobs: int = 4
    patience: Patience | None = None
    ca: str | None = None
    prune: bool = False
    repair: bool = False


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """The bundle, and what became of each file; `removed` counts files that were pruned."""

    bundle: Bundle
    brought: tuple[Brought, ...]
    removed: int = 0

    @property
    def failed(self) -> tuple[Brought, ...]:
        """Files that have an address and did not come."""
        return tuple(one for one in self.brought if one.error is not None)

    @property
    def unobtainable(self) -> tuple[Brought, ...]:
        """Files that nobody published an address of: the site has to get and add them."""
        return tuple(one for one in self.brought if one.sha256 is None and one.error is None)

    @property
    def unverified(self) -> tuple[Brought, ...]:
        """Files that are here and that nobody but the server vouches for."""
        return tuple(one for one in self.brought if one.sha256 is not None and not one.goal.first.is_verified)


def rows_of(order: Order) -> tuple[Artefact, ...]:
    """The rows of the lock that are asked for; raises UnusableInput for a stack that is not there."""
    known = {one.name: one for one in order.lock.stacks}
    for name in order.stacks:
        if name not in known:
            raise UnusableInput(
                say("the lock has no stack {name}", name=name),
                hint=say("it has: {names}", names=", ".join(sorted(known))),
            )
    stacks = [known[name] for name in order.stacks] if order.stacks else list(order.lock.stacks)
    return tuple(dict.fromkeys(row for stack in stacks for row in stack.artefacts(order.arch)))


def fetch(order: Order, progress: Progress) -> Fetched:
    """Bring what is not here yet and write the bundle; raises Occupied, DiskFull, BadManifest, HostFailed.

    Files that cannot be had do not keep the others from coming.
    """
    goals = goals_of(rows_of(order), order.places)
    with disk_errors(order.root), occupy(order.root):
        bundle = open_bundle(order.root)
        bundle.prepare(thorough=order.repair)
        brought = _bring(order, bundle, goals, progress)
        found = {row: one.sha256 for one in brought if one.sha256 is not None for row in one.goal.rows}
        bundle = bundle.with_lock(order.lock, found)
        removed = 0
        if order.prune:
            bundle, removed = bundle.only(order.lock)
        return Fetched(bundle=bundle, brought=brought, removed=removed)


def _bring(order: Order, bundle: Bundle, goals: tuple[Goal, ...], progress: Progress) -> tuple[Brought, ...]:
    """What became of each file; addresses are looked up only for what is not here."""
    bundled = {goal: bundle.manifest.find(goal.first) for goal in goals}
    here = {goal: one.sha256 for goal, one in bundled.items() if one is not None}
    lost: dict[Goal, NotFetched] = {}
    if order.indexes is not None:
        away = [one for one in goals if not one.urls and not (one.sha256 and bundle.store.has(one.sha256))]
        found = order.indexes.addresses(away)
        lost = {goal: one for goal, one in found.items() if isinstance(one, NotFetched)}
        goals = tuple(
            replace(goal, urls=(one,)) if isinstance(one := found.get(goal), str) else goal for goal in goals
        )
    brought = bring_all(
        goals, bundle.store, progress, here=here, jobs=order.jobs, patience=order.patience, ca=order.ca
    )
    return tuple(replace(one, error=lost[one.goal]) if one.goal in lost else one for one in brought)
