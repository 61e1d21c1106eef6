"""Facts and signals from text that people paste or save: environment reports and logs, in any order and state."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO

from ascendenv.errors import NothingChecked
from ascendenv.facts import (
    collect_env,
    containers,
    devices,
    environment,
    hccn,
    hints,
    machine,
    npu_smi,
    npu_smi_pages,
    packages,
    stated_tables,
    statements,
    surroundings,
    version_files,
)
from ascendenv.facts.assemble import assembled
from ascendenv.facts.decode import open_stream
from ascendenv.facts.excerpt import Excerpt
from ascendenv.facts.merge import merge
from ascendenv.facts.model import HostFacts
from ascendenv.facts.trace import has_ascend_trace, traces_in
from ascendenv.signals.catalogue import shipped_catalogue
from ascendenv.signals.scan import Scanner

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascendenv.facts.page import Page
    from ascendenv.signals.model import Signals

__all__ = ["facts_of", "has_ascend_trace", "merge", "read_log", "read_report"]

_PARSERS = (
    npu_smi,
    npu_smi_pages,
    version_files,
    packages,
    collect_env,
    environment,
    devices,
    containers,
    hccn,
    machine,
    statements,
    stated_tables,
    surroundings,
    hints,
)


def read_report(source: bytes | BinaryIO | str | os.PathLike[str], origin: str = "report") -> HostFacts:
    """The facts and signals in an environment report: its bytes, a stream, or the path of a file.

    It is read once, and memory does not grow with it. Raises UnusableInput for what cannot be read, NothingChecked
    for an empty report.
    """
    scanner = Scanner(shipped_catalogue(), origin)
    excerpt = Excerpt()
    for chunk in open_stream(source, _name(source, origin)):
        scanner.feed(chunk)
        excerpt.feed(chunk)
    return _facts(excerpt.pages(origin), scanner.tally.signals())


def read_log(source: bytes | BinaryIO | str | os.PathLike[str], origin: str = "log") -> HostFacts:
    """The same for a log. People mix both, so that one is read like the other; only `origin` differs."""
    return read_report(source, origin)


def facts_of(report: str | bytes | None = None, log: str | bytes | None = None) -> HostFacts:
    """The facts of one box from a report, a log or both; an empty one beside a full one does no harm.

    Raises UnusableInput for what cannot be read, NothingChecked where all that is given is empty.
    """
    read: list[HostFacts] = []
    refused: NothingChecked | None = None
    for given, reader in ((report, read_report), (log, read_log)):
        if given is None:
            continue
        try:
            read.append(reader(given.encode("utf-8", "replace") if isinstance(given, str) else given))
        except NothingChecked as empty:
            refused = empty
    if not read:
        if refused is not None:
            raise refused
        return HostFacts()
    return read[0] if len(read) == 1 else merge(*read)


def _name(source: bytes | BinaryIO | str | os.PathLike[str], origin: str) -> str:
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else origin


def _facts(pages: Iterable[Page], signals: Signals) -> HostFacts:
    read = list(pages)
    facts = assembled(chain.from_iterable(parser.read(page) for page in read for parser in _PARSERS))
    traces = {name: (line,) for page in reversed(read) for name, line in traces_in(page).items()}
    provenance = MappingProxyType({**facts.provenance, **traces})
    return replace(facts, signals=signals, provenance=provenance)
