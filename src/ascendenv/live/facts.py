"""Puts what the live probe told beside what was collected: a result, and signals as from a log."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from ascendenv.facts.unknown import Unknown, known
from ascendenv.signals.catalogue import shipped_catalogue
from ascendenv.signals.model import Signals
from ascendenv.signals.scan import Scanner
from ascendenv.versions import InvalidVersion, pep440

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts
    from ascendenv.live.run import LiveRun
    from ascendenv.versions import Version

__all__ = ["with_live"]


def with_live(facts: HostFacts, run: LiveRun) -> HostFacts:
    """The facts of the box together with what the run told; collected facts stay as they are."""
    found = [_signals(step, text) for step, text in run.texts]
    signals = Signals((*(known(facts.signals) or ()), *chain.from_iterable(one.items for one in found)))
    versions = run.result.versions or {}
    return replace(
        facts,
        live=run.result,
        signals=signals,
        torch=_version(facts.torch, versions.get("torch")),
        torch_npu=_version(facts.torch_npu, versions.get("torch_npu")),
    )


def _signals(step: str, text: str) -> Signals:
    scanner = Scanner(shipped_catalogue(), f"live {step}")
    scanner.feed(text.encode("utf-8", "replace"))
    return scanner.tally.signals()


def _version(collected: Version | Unknown, imported: str | None) -> Version | Unknown:
    if not isinstance(collected, Unknown) or not imported:
        return collected
    try:
        return pep440(imported)
    except InvalidVersion:
        return collected
