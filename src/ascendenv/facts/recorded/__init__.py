"""What the records of a snapshot claim: things that are no text, such as nodes, modules, packages and links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.facts.model import Unseen
from ascendenv.facts.recorded.claims import measured
from ascendenv.facts.recorded.devices import read_bus, read_holders, read_nodes, read_owners
from ascendenv.facts.recorded.driver import read_driver
from ascendenv.facts.recorded.interpreter import read_interpreter, read_runtimes
from ascendenv.facts.recorded.kernel import read_kernel
from ascendenv.facts.recorded.machine import read_confinement, read_machine, read_storage
from ascendenv.facts.recorded.printable import printable
from ascendenv.facts.recorded.process import read_process
from ascendenv.facts.recorded.toolkits import (
    read_components,
    read_kernels,
    read_links,
    read_picks,
    read_platforms,
    read_tools,
)
from ascendenv.facts.recorded.unseen import read_unseen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascendenv.collect.snapshot import Snapshot
    from ascendenv.facts.claim import Claim

__all__ = ["recorded_claims"]

_READERS: tuple[Callable[[Snapshot], Iterator[Claim]], ...] = (
    read_machine,
    read_storage,
    read_confinement,
    read_kernel,
    read_nodes,
    read_bus,
    read_holders,
    read_owners,
    read_driver,
    read_process,
    read_interpreter,
    read_runtimes,
    read_links,
    read_components,
    read_kernels,
    read_platforms,
    read_picks,
    read_tools,
    read_unseen,
)


def recorded_claims(snapshot: Snapshot) -> Iterator[Claim]:
    """The claims of all records. A snapshot may come from anybody: a record of another form is named as unseen."""
    for read in _READERS:
        yield from _guarded(read, snapshot)


def _guarded(read: Callable[[Snapshot], Iterator[Claim]], snapshot: Snapshot) -> list[Claim]:
    try:
        return list(read(snapshot))
    except (TypeError, KeyError, ValueError, AttributeError, IndexError, OverflowError) as error:
        part = Unseen(read.__name__.removeprefix("read_"), printable(f"damaged in the snapshot: {error!r}"))
        return [measured("unseen", part, "snapshot")]
