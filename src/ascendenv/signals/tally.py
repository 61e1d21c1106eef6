"""Collects signals while a log is read: the same one is counted, and no log can make the collection grow without end."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.signals.model import Signal, Signals

if TYPE_CHECKING:
    from ascendenv.facts.evidence import Evidence

__all__ = ["KEPT_FIRST", "KEPT_LAST", "Key", "Tally"]

KEPT_FIRST = 100
"""How many different signals of one id are kept from the beginning of a log."""
KEPT_LAST = 10
"""How many more are kept from its end."""

Key = tuple[str, tuple[tuple[str, str], ...]]


@dataclass
class Entry:
    """A signal that is being counted; `order` is its place among all signals of the log."""

    order: int
    fields: dict[str, str]
    evidence: Evidence
    count: int = 1


class Tally:
    """Counts signals by id and fields; the proof of each is its first occurrence."""

    def __init__(self) -> None:
        self._first: dict[Key, Entry] = {}
        self._last: dict[str, OrderedDict[Key, Entry]] = {}
        self._kinds: dict[str, int] = {}
        self._order = 0

    def count(self, key: Key) -> bool:
        """Count one more occurrence; False where it is the first, which `begin` then takes."""
        entry = self._first.get(key)
        if entry is None and key[0] in self._last:
            entry = self._last[key[0]].get(key)
        if entry is None:
            return False
        entry.count += 1
        return True

    def begin(self, key: Key, evidence: Evidence) -> None:
        """Keep the first occurrence of a signal."""
        name, fields = key
        self._order += 1
        entry = Entry(self._order, dict(fields), evidence)
        kinds = self._kinds[name] = self._kinds.get(name, 0) + 1
        if kinds <= KEPT_FIRST:
            self._first[key] = entry
            return
        last = self._last.setdefault(name, OrderedDict())
        last[key] = entry
        if len(last) > KEPT_LAST:
            last.popitem(last=False)

    def signals(self) -> Signals:
        """What was collected, in the order in which it was first seen."""
        entries = [*self._first.items(), *(item for last in self._last.values() for item in last.items())]
        entries.sort(key=lambda item: item[1].order)
        return Signals(
            tuple(Signal(key[0], entry.fields, entry.evidence, entry.count) for key, entry in entries)
        )
