"""A comparison for a person at a terminal: what matters first, side by side."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ascendenv.compare.comparison import PARTIAL
from ascendenv.compare.trait import Area
from ascendenv.language import say
from ascendenv.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from rich.console import RenderableType

    from ascendenv.compare.comparison import Comparison, Difference
    from ascendenv.language import Message

__all__ = ["print_comparison"]

WIDTH = 120
ROWS = 12
"""So many differences of one area are shown unless all are asked for."""
SHORT = 26
"""Columns of a value that stands beside the other one; longer ones stand below each other."""

_AREAS = {
    Area.VERSIONS: say("Versions"),
    Area.HARDWARE: say("Hardware"),
    Area.SYSTEM: say("System"),
    Area.VARIABLES: say("Variables"),
    Area.LIBRARIES: say("Libraries"),
    Area.PACKAGES: say("Python packages"),
    Area.DEVICES: say("Driver and devices"),
    Area.ERRORS: say("Errors"),
}
_NAMES = {
    "driver": say("driver"),
    "driver on disk": say("driver on disk"),
    "firmware": say("firmware"),
    "firmware on disk": say("firmware on disk"),
    "CANN installed": say("CANN installed"),
    "kernels": say("kernels"),
    "NNAL string ABI": say("NNAL string ABI"),
    "chip": say("chip"),
    "cards": say("cards"),
    "card memory": say("card memory"),
    "card health": say("card health"),
    "virtual machine": say("virtual machine"),
    "system": say("system"),
    "kernel": say("kernel"),
    "architecture": say("architecture"),
    "container": say("container"),
    "privileged": say("privileged"),
    "user": say("user"),
    "groups": say("groups"),
    "locked memory": say("locked memory"),
    "interpreter": say("interpreter"),
    "driver library": say("driver library"),
    "module built for": say("module built for"),
    "nodes": say("nodes"),
    "kernel modules": say("kernel modules"),
    "mounts": say("mounts"),
    "links": say("links"),
    "ports": say("ports"),
    "variables": say("variables"),
    "mapped libraries": say("mapped libraries"),
    "libraries for torch_npu": say("libraries for torch_npu"),
    "packages": say("packages"),
    "errors": say("errors"),
}
_VALUES = {
    "yes": say("yes"),
    "no": say("no"),
    "root": say("root"),
    "not root": say("not root"),
    "loaded": say("loaded"),
    "mounted": say("mounted"),
    "seen": say("seen"),
    "there": say("there"),
}
_PATHS = re.compile(r"[^:]*/[^:]*(?::[^:]*)+")


def print_comparison(found: Comparison, a: str, b: str, stream: TextIO, *, verbose: bool = False) -> None:
    """Print the comparison of the inputs called `a` and `b`; plain where the stream is no terminal."""
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    console.width = min(console.width, WIDTH)
    with console.capture() as captured:
        for part in _parts(found, a, b, verbose=verbose):
            console.print(part)
    stream.write(re.sub(r"[ \u00a0]+$", "", captured.get(), flags=re.MULTILINE))


def _parts(found: Comparison, a: str, b: str, *, verbose: bool) -> Iterator[RenderableType]:
    yield Text.assemble(("A  ", "bold"), printable(a))
    yield Text.assemble(("B  ", "bold"), printable(b))
    yield Text("")
    for area in Area:
        rows = [one for one in found.differences if one.area is area]
        if rows:
            yield from _area(area, rows, verbose=verbose)
    yield Text(str(_summary(found)), style="bold")
    if verbose:
        yield from _one_sided(found)


def _area(area: Area, rows: Sequence[Difference], *, verbose: bool) -> Iterator[RenderableType]:
    yield Text(str(_AREAS[area]), style="bold")
    shown = rows if verbose else rows[:ROWS]
    short = [one for one in shown if _fits(one)]
    if short:
        table = _table()
        table.add_column()
        table.add_row("", Text("A", style="dim"), Text("B", style="dim"))
        for row in short:
            table.add_row(_name(row.name), _value(row.first), _value(row.second))
        yield _indented(table)
    for row in shown:
        if row not in short:
            yield _indented(Text(_name(row.name), style="dim"))
            table = _table()
            for side, text in _sides(row):
                table.add_row(Text(side, style="dim"), text)
            yield _indented(_indented(table))
    if len(shown) < len(rows):
        yield _indented(
            Text(str(say("and {count} more, which -v lists", count=len(rows) - ROWS)), style="dim")
        )
    yield Text("")


def _table() -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", overflow="fold")
    table.add_column(overflow="fold")
    return table


def _indented(part: RenderableType) -> RenderableType:
    return Padding(part, (0, 0, 0, 2), expand=False)


def _fits(row: Difference) -> bool:
    """Whether both sides have room beside each other; lists of folders are taken apart instead."""
    cells = (row.name, _value(row.first), _value(row.second))
    return not _both_lists(row) and all(cell_len(text) <= SHORT for text in cells)


def _both_lists(row: Difference) -> bool:
    return all(text is not None and _PATHS.fullmatch(text) for text in (row.first, row.second))


def _sides(row: Difference) -> Iterator[tuple[str, str]]:
    """(A or B, what is shown); of lists of folders only what differs."""
    if _both_lists(row) and row.first and row.second:
        apart = list(_folders(row.first.split(":"), row.second.split(":")))
        if apart:
            yield from apart
            return
    for side, text in (("A", row.first), ("B", row.second)):
        lines = text.split(":") if text and _PATHS.fullmatch(text) else [text]
        yield side, "\n".join(_value(line) for line in lines)


def _folders(mine: list[str], other: list[str]) -> Iterator[tuple[str, str]]:
    for side, here, there in (("A", mine, other), ("B", other, mine)):
        for folder in dict.fromkeys(here):
            if folder not in there:
                yield side, str(say("only here: {folder}", folder=printable(folder)))
    common = [
        [one for one in dict.fromkeys(here) if one in there] for here, there in ((mine, other), (other, mine))
    ]
    moved = next(((one, two) for one, two in zip(*common, strict=True) if one != two), None)
    if moved is not None:
        yield "A", str(say("first here: {folder}", folder=printable(moved[0])))
        yield "B", str(say("first here: {folder}", folder=printable(moved[1])))


def _value(text: str | None) -> str:
    if text is None:
        return str(say("not there"))
    return str(_VALUES.get(text, printable(text))) if text else '""'


def _name(name: str) -> str:
    return str(_NAMES.get(name, printable(name)))


def _summary(found: Comparison) -> Message:
    return say(
        "{different} different, {same} the same, {unknown} known of one of them only",
        different=len(found.differences),
        same=sum(found.same.values()),
        unknown=len(found.one_sided),
    )


def _one_sided(found: Comparison) -> Iterator[RenderableType]:
    """Scalars one by one; the names that a partial listing leaves open in one line."""
    for side, known_in in (("A", "first"), ("B", "second")):
        rows = [one for one in found.one_sided if one.known_in == known_in]
        if not rows:
            continue
        yield Text("")
        yield Text(str(say("Told by {side} only", side=side)), style="bold")
        table = _table()
        for area in Area:
            listed = [_name(one.name) for one in rows if one.area is area and one.reason == PARTIAL]
            for one in rows:
                if one.area is area and one.reason != PARTIAL:
                    table.add_row(_name(one.name), _value(one.value))
            if listed:
                table.add_row(str(_AREAS[area]), ", ".join(listed))
        yield _indented(table)
