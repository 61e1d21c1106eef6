"""All ways to put a stack together: the pairs of torch_npu and CANN, and the HDK releases that carry them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ascendenv.matrix.conflicts import breaks
from ascendenv.matrix.fit import hdk_cell, stated_level
from ascendenv.matrix.given import Given, Looked
from ascendenv.matrix.hardware_relations import hdk_chip, pairs_of
from ascendenv.matrix.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.rows.releases import CannRelease, HdkRelease, TorchNpuRelease
    from ascendenv.versions import Version

__all__ = ["Carrier", "Pair", "Place", "carrier_of", "carriers", "pairs"]

_PAIRS: WeakKeyDictionary[Matrix, dict[str, tuple[Pair, ...]]] = WeakKeyDictionary()
_CARRIERS: WeakKeyDictionary[Matrix, dict[tuple[str, Place], tuple[Carrier, ...]]] = WeakKeyDictionary()
"""What was found in each matrix, because one search asks for the same many times."""


@dataclass(frozen=True)
class Pair:
    """A torch_npu that can be installed from the package index, and a CANN that it works with."""

    torch_npu: TorchNpuRelease
    cann: CannRelease
    level: Level


@dataclass(frozen=True)
class Place:
    """Where a stack is to run: one names of chip, family and product, None where not known."""

    chip: str | None = None
    family: str | None = None
    product: str | None = None


@dataclass(frozen=True)
class Carrier:
    """A driver that carries a CANN, with the firmware of the family as far as known; `hdk` None where it has no row."""

    hdk: HdkRelease | None
    driver: Version
    firmware: Version | None
    level: Level


def pairs(matrix: Matrix, cann: CannRelease) -> tuple[Pair, ...]:
    """Every torch_npu that is at least compatible with that CANN, newest first."""
    known = _PAIRS.setdefault(matrix, {})
    name = str(cann.version)
    if name not in known:
        known[name] = tuple(_pairs(matrix, cann))
    return known[name]


def _pairs(matrix: Matrix, cann: CannRelease) -> Iterator[Pair]:
    may_break = any(one.given.cann is None or one.given.cann.contains(cann.version) for one in matrix.breaks)
    for torch_npu in matrix.torch_npu.values():
        if torch_npu.on_index and not torch_npu.version.is_prerelease:
            level = stated_level(torch_npu, cann.version, cann)
            if level >= Level.COMPATIBLE and not (may_break and _breaks(matrix, torch_npu, cann)):
                yield Pair(torch_npu, cann, level)


def _breaks(matrix: Matrix, torch_npu: TorchNpuRelease, cann: CannRelease) -> bool:
    return any(breaks(Looked(matrix, Given(torch_npu=torch_npu.version, cann=cann.version))))


def carriers(matrix: Matrix, cann: CannRelease, place: Place) -> tuple[Carrier, ...]:
    """The drivers that CANN's table says yes to on that chip, best first: recommended, seen there, newest."""
    known = _CARRIERS.setdefault(matrix, {})
    key = (str(cann.version), place)
    if key not in known:
        ranked = sorted(_carriers(matrix, cann, place), key=lambda one: one[0], reverse=True)
        known[key] = tuple(carrier for _, carrier in ranked)
    return known[key]


Rank = tuple[Level, Level, bool, "Version"]


def _carriers(matrix: Matrix, cann: CannRelease, place: Place) -> Iterator[tuple[Rank, Carrier]]:
    for hdk in matrix.hdk.values():
        pair = hdk.pair_for(place.family)
        driver = pair.driver if pair is not None else hdk.driver
        cell = hdk_cell(cann, hdk.hdk, family=place.family, product=place.product)
        if cell is None or driver is None or Level.named(cell.level) < Level.COMPATIBLE:
            continue
        chip = _on_chip(matrix, driver, place)
        if chip >= Level.COMPATIBLE and not _breaks_driver(matrix, driver, cann, place):
            firmware = pair.firmware if pair is not None else None
            level = min(Level.named(cell.level), chip)
            yield (level, chip, firmware is not None, hdk.hdk), Carrier(hdk, driver, firmware, level)


def _breaks_driver(matrix: Matrix, driver: Version, cann: CannRelease, place: Place) -> bool:
    given = Given(driver=driver, cann=cann.version, chip=place.chip or place.family, product=place.product)
    return any(breaks(Looked(matrix, given)))


def carrier_of(matrix: Matrix, cann: CannRelease, place: Place, driver: Version) -> Carrier | None:
    """That driver as a carrier of that CANN on that chip; None where the tables do not say yes."""
    hdk = matrix.find_hdk(driver)
    options = (
        hdk_cell(cann, one, family=place.family, product=place.product)
        for one in (driver, hdk.hdk if hdk else None)
        if one
    )
    cell = next((one for one in options if one is not None), None)
    if (
        cell is None
        or Level.named(cell.level) < Level.COMPATIBLE
        or _on_chip(matrix, driver, place) < Level.COMPATIBLE
    ):
        return None
    return Carrier(hdk, driver, _firmware(hdk, driver, place.family), Level.named(cell.level))


def _firmware(hdk: HdkRelease | None, driver: Version, family: str | None) -> Version | None:
    """The firmware that comes with exactly this driver on that family."""
    found = pairs_of(hdk, driver) if hdk is not None else []
    return next((pair.firmware for pair in found if family is None or family in pair.families), None)


def _on_chip(matrix: Matrix, driver: Version, place: Place) -> Level:
    relation = hdk_chip(
        Looked(matrix, Given(driver=driver, chip=place.chip or place.family, product=place.product))
    )
    return Level.RECOMMENDED if relation is None else relation.level
