"""Faults of the loader, whether a log printed them or the collector found them in files.

A log line is understood by a pattern that knows whose library it names. The collector gives the bare fact; it is put to
the same patterns in the words of the loader, so that both are judged by one table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.signals.catalogue import shipped_catalogue
from ascendenv.signals.model import Signal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.signals.model import Signals

__all__ = ["faults"]


def faults(signals: Signals, *ids: str) -> tuple[Signal, ...]:
    """The signals with one of these ids, and the collector's faults that their patterns understand."""
    found = list(signals.of(*ids))
    known = {(one.id, one.get("library")) for one in found}
    for fault, line in _collected(signals):
        for pattern in shipped_catalogue().patterns:
            if pattern.id not in ids:
                continue
            for _, fields in pattern.find(line):
                key = (pattern.id, fields.get("library", ""))
                if key not in known:
                    known.add(key)
                    found.append(Signal(pattern.id, fields, fault.evidence))
    return tuple(found)


def _collected(signals: Signals) -> Iterator[tuple[Signal, str]]:
    """Each fault that was found in a file, and what the loader would print for it."""
    for one in signals.of("missing-library"):
        yield one, f"{one.get('library')}: cannot open shared object file"
    for one in signals.of("undefined-symbol"):
        if one.get("needed_by"):
            yield one, f"{one.get('needed_by')}: undefined symbol: {one.get('symbol')}"
