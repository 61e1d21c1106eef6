"""The commands that lead to each stack, as `commands_for` gives them, with the versions left open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, TypedDict

from ascendenv.matrix.commands import cann_commands, hdk_commands, python_commands
from ascendenv.matrix.level import Level
from ascendenv.matrix.search import pairs
from ascendenv.matrix.stack import Stack
from ascendenv.site.folding import Folded, fold
from ascendenv.site.parts import PARTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ascendenv.matrix.search import Pair
    from ascendenv.site.parts import Parts
    from ascendenv.versions import Version

__all__ = ["CommandData", "command_data"]

Names = Sequence[str | None]


class CommandData(TypedDict):
    """A command is a list of texts, and of -1, -2, ... for what is chosen of the first, the second part.

    `hdk` leads from family, driver, firmware and architecture to a list of commands, `cann` from family, CANN and
    architecture, `python` from the place of the pair (CANN by CANN, as they are listed there), Python, architecture.
    """

    commands: list[list[str | int]]
    lists: list[list[int]]
    families: list[str]
    hdk: Folded
    cann: Folded
    python: Folded


class _Commands:
    """Collects commands and lists of them, each once."""

    def __init__(self) -> None:
        self.commands: dict[tuple[str | int, ...], int] = {}
        self.lists: dict[tuple[int, ...], int] = {}

    def number(self, lines: Iterable[str], **chosen: Version | None) -> int:
        """The number of that list of commands, in which the chosen versions are left open."""
        numbers = {str(one): -1 - PARTS.index(part) for part, one in chosen.items() if one is not None}
        opened = (_opened(line, numbers) for line in lines)
        found = tuple(self.commands.setdefault(one, len(self.commands)) for one in opened)
        return self.lists.setdefault(found, len(self.lists))


def _opened(line: str, numbers: dict[str, int]) -> tuple[str | int, ...]:
    """The line with every text replaced by its number, longer texts first."""
    pieces: list[str | int] = [line]
    for text in sorted(numbers, key=len, reverse=True):
        pieces = [one for piece in pieces for one in _without(piece, text, numbers[text])]
    return tuple(piece for piece in pieces if piece != "")


def _without(piece: str | int, text: str, number: int) -> Iterator[str | int]:
    if isinstance(piece, int):
        yield piece
        return
    first, *rest = piece.split(text)
    yield first
    for one in rest:
        yield number
        yield one


def command_data(parts: Parts) -> CommandData:
    """The commands for every stack that the page can show."""
    known = _Commands()
    families, arches = [None, *parts.matrix.families], [None, *parts.texts("arch")]
    tables = {
        "hdk": _hdk(parts, known, families, arches),
        "cann": _cann(parts, known, families, arches),
        "python": _python(parts, known, arches),
    }
    return {
        "commands": [list(one) for one in known.commands],
        "lists": [list(one) for one in known.lists],
        "families": list(parts.matrix.families),
        "hdk": tables["hdk"],
        "cann": tables["cann"],
        "python": tables["python"],
    }


def _hdk(parts: Parts, known: _Commands, families: Names, arches: Names) -> Folded:
    drivers, firmwares = (None, *parts.versions["driver"]), (None, *parts.versions["firmware"])
    some = _any_stack(parts)
    cells = [
        known.number(
            hdk_commands(
                parts.matrix, replace(some, chip=family, driver=driver, firmware=firmware, arch=arch)
            ),
            driver=driver,
            firmware=firmware,
        )
        for family, driver, firmware, arch in product(families, drivers, firmwares, arches)
    ]
    return fold(cells, [len(families), len(drivers), len(firmwares), len(arches)])


def _cann(parts: Parts, known: _Commands, families: Names, arches: Names) -> Folded:
    canns, some = parts.versions["cann"], _any_stack(parts)
    cells = [
        known.number(cann_commands(parts.matrix, replace(some, chip=family, cann=cann, arch=arch)), cann=cann)
        for family, cann, arch in product(families, canns, arches)
    ]
    return fold(cells, [len(families), len(canns), len(arches)])


def _python(parts: Parts, known: _Commands, arches: Names) -> Folded:
    found = [one for cann in parts.matrix.cann.values() for one in pairs(parts.matrix, cann)]
    cells = [
        known.number(
            python_commands(parts.matrix, _stack(pair, python, arch)),
            torch=pair.torch_npu.torch,
            torch_npu=pair.torch_npu.version,
            python=python,
        )
        for pair, python, arch in product(found, parts.versions["python"], arches)
    ]
    return fold(cells, [len(found), len(parts.versions["python"]), len(arches)])


def _any_stack(parts: Parts) -> Stack:
    """A stack whose versions no command names that is asked for with it."""
    python = parts.versions["python"][0]
    return Stack(
        cann=parts.versions["cann"][0], torch=python, torch_npu=python, python=python, level=Level.UNKNOWN
    )


def _stack(pair: Pair, python: Version, arch: str | None) -> Stack:
    return Stack(
        cann=pair.cann.version,
        torch=pair.torch_npu.torch,
        torch_npu=pair.torch_npu.version,
        python=python,
        arch=arch,
        level=pair.level,
    )
