"""What the doctor looks at: this box, or the files that the user names (`-` is standard input)."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING

from ascendenv.cli.background import Background
from ascendenv.cli.live_probe import LiveWish
from ascendenv.errors import NothingChecked, UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, BinaryIO

    from ascendenv.collect.snapshot import Snapshot
    from ascendenv.facts.model import HostFacts

__all__ = ["Inputs", "Reading"]


@dataclass(frozen=True)
class Reading:
    """The facts of one box, and the records of its snapshot where there is one."""

    facts: HostFacts
    records: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Inputs:
    """The inputs of one box; a snapshot, a report and a log that are given together describe the same box."""

    log: str | None = None
    report: str | None = None
    snapshot: str | None = None
    python: str | None = None
    pid: int | None = None
    live: LiveWish = field(default_factory=LiveWish)

    def read(self) -> Reading:
        """What all inputs together tell; nothing given means this box.

        Raises UnusableInput for what cannot be read, NothingChecked for texts that have nothing to do with Ascend.
        """
        return self.begin()()

    def begin(self) -> Callable[[], Reading]:
        """Start to look at this box, if that is asked for; the answer waits for it and gives what `read` gives.

        The box answers slowly (npu-smi, another Python), so the caller has time for imports.
        """
        self._check()
        look = Background(self._collected)
        return lambda: self._read(look.result())

    def _check(self) -> None:
        named = [name for name in (self.snapshot, self.report, self.log) if name is not None]
        if named.count("-") > 1:
            raise UnusableInput(
                say("only one of --log, --report and --snapshot can be read from standard input")
            )
        if named and (self.python is not None or self.pid is not None or self.live.wanted):
            raise UnusableInput(say("--python, --pid and --live look at this box, not at files"))
        self.live.check()

    def _read(self, snapshot: Snapshot | None) -> Reading:
        parts = [*(_facts_of(one) for one in [snapshot] if one is not None), *self._texts()]
        return Reading(self.live.added_to(_merged(parts)), None if snapshot is None else snapshot.data)

    def facts(self) -> HostFacts:
        """The facts that `read` gives."""
        return self.read().facts

    def files(self) -> dict[str, str]:
        """The names of the files behind the places `log` and `report`."""
        named = {"log": self.log, "report": self.report}
        return {place: name for place, name in named.items() if name not in (None, "-")}

    def _collected(self) -> Snapshot | None:
        if self.snapshot is not None:
            from ascendenv.collect.snapshot import read_snapshot

            with _open_snapshot(self.snapshot) as stream:
                return read_snapshot(stream, self.snapshot)
        if self.log is None and self.report is None:
            from ascendenv.collect.local import collect_here

            return collect_here(self.python, self.pid)
        return None

    def _texts(self) -> tuple[HostFacts, ...]:
        if self.report is None and self.log is None:
            return ()  # nor are the parsers imported for nothing
        from ascendenv.facts.text import has_ascend_trace, read_log, read_report

        parts: list[HostFacts] = []
        if self.report is not None:
            parts.append(read_report(_source(self.report)))
        if self.log is not None:
            parts.append(read_log(_source(self.log)))
        if self.snapshot is None and not any(has_ascend_trace(part) for part in parts):
            raise NothingChecked(
                say("this says nothing about an Ascend machine"),
                where=" ".join(name for name in (self.report, self.log) if name),
                hint=say("give the output of `npu-smi info`, `pip list` and the whole error text"),
            )
        return tuple(parts)


def _merged(parts: Sequence[HostFacts]) -> HostFacts:
    if len(parts) == 1:
        return parts[0]
    from ascendenv.facts.text import merge

    return reduce(merge, parts)


def _facts_of(snapshot: Snapshot) -> HostFacts:
    from ascendenv.facts.snapshot import facts_of_snapshot

    return facts_of_snapshot(snapshot)


def _source(name: str) -> BinaryIO | str:
    return sys.stdin.buffer if name == "-" else name


def _open_snapshot(name: str) -> BinaryIO:
    if name == "-":
        return sys.stdin.buffer
    try:
        return open(name, "rb")  # noqa: PTH123  (pathlib is not imported on this path; the caller closes it)
    except OSError as error:
        raise UnusableInput(
            say("this cannot be read: {reason}", reason=error.strerror or str(error)), where=name
        ) from error
