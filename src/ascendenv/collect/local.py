"""Collects on this machine, in this process."""

from __future__ import annotations

from ascendenv.collect.probes.main import collect
from ascendenv.collect.script import probe_source
from ascendenv.collect.snapshot import Snapshot

__all__ = ["collect_here"]


def collect_here(python: str | None = None, pid: int | None = None, *, tools: bool = False) -> Snapshot:
    """The snapshot of this machine; see `ascendenv.collect.probes.main.collect`."""
    return Snapshot(collect(probe_source("interpreter"), python, pid, tools=tools))
