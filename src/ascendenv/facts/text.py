"""Facts and signals from text that people paste or save: environment reports and logs, in any order and state."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from ascendenv.errors import NothingChecked
from ascendenv.facts import npu_smi
from ascendenv.facts.assemble import assembled
from ascendenv.facts.decode import read_text
from ascendenv.facts.model import HostFacts, Packages
from ascendenv.facts.page import page_of
from ascendenv.facts.unknown import Unknown
from ascendenv.signals.model import Signals

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator

    from ascendenv.facts.claim import Claim
    from ascendenv.facts.page import Page

__all__ = ["facts_of", "has_ascend_trace", "merge", "read_log", "read_report"]

_PARSERS: tuple[Callable[[Page], Iterator[Claim]], ...] = (npu_smi.read,)


def read_report(data: bytes, origin: str = "report") -> HostFacts:
    """The facts and signals in an environment report.

    Raises UnusableInput for a binary file, NothingChecked for an empty one.
    """
    return _read(read_text(data, origin), origin)


def read_log(source: bytes | str | os.PathLike[str], origin: str = "log") -> HostFacts:
    """The facts and signals in a log: its bytes, or the path of a file of any size.

    Raises UnusableInput for what cannot be read, NothingChecked for an empty log.
    """
    if not isinstance(source, bytes):
        with open(source, "rb") as stream:
            source = stream.read()
    return _read(read_text(source, origin), origin)


def facts_of(report: str | bytes | None = None, log: str | bytes | None = None) -> HostFacts:
    """The facts of one box from a report, a log or both; an empty one beside a full one does no harm."""
    facts = None
    refusal = None
    for given, read in ((report, read_report), (log, read_log)):
        if given is None:
            continue
        try:
            one = read(given.encode() if isinstance(given, str) else given)
        except NothingChecked as nothing:
            refusal = nothing
            continue
        facts = one if facts is None else merge(facts, one)
    if facts is None and refusal is not None:
        raise refusal
    return facts or HostFacts()


def merge(first: HostFacts, second: HostFacts) -> HostFacts:
    """What both know together: `first` outranks `second`; collections are united, signals follow each other."""
    values: dict[str, object] = {}
    for one in fields(HostFacts):
        if one.name != "provenance":
            values[one.name] = _united(getattr(first, one.name), getattr(second, one.name))
    provenance = {
        name: first.seen(name) + second.seen(name) for name in {**first.provenance, **second.provenance}
    }
    return replace(HostFacts(**cast("Any", values)), provenance=MappingProxyType(provenance))


def has_ascend_trace(facts: HostFacts) -> bool:
    """Whether anything in the input has to do with Ascend: a report about another machine has none."""
    return any(
        not isinstance(getattr(facts, name), Unknown)
        for name in (
            "driver",
            "firmware",
            "npu_smi",
            "npus",
            "chip",
            "cann",
            "cann_installs",
            "nnal",
            "torch_npu",
        )
    )


def _read(text: str, origin: str) -> HostFacts:
    page = page_of(text, origin)
    facts = assembled(chain.from_iterable(read(page) for read in _PARSERS))
    return replace(facts, signals=_signals(text, origin))


def _signals(text: str, origin: str) -> Signals:
    from ascendenv.signals.scan import scan

    return scan(text.encode(), origin)


def _united(first: object, second: object) -> object:
    if isinstance(second, Unknown):
        return first
    if isinstance(first, Unknown):
        return second
    if isinstance(first, Signals) and isinstance(second, Signals):
        return Signals(first.items + second.items)
    if isinstance(first, tuple) and isinstance(second, tuple):
        return tuple(dict.fromkeys(first + second))
    if isinstance(first, frozenset) and isinstance(second, frozenset):
        return first | second
    if isinstance(first, Packages) and isinstance(second, Packages):
        return Packages(MappingProxyType({**second.by_name, **first.by_name}), complete=first.complete)
    if isinstance(first, MappingProxyType) and isinstance(second, MappingProxyType):
        return MappingProxyType({**second, **first})
    return first
