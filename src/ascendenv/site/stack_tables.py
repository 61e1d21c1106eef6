"""What `pick` searches in, worked out beforehand: pairs of torch_npu and CANN, drivers that carry a CANN, wheels."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, TypedDict

from ascendenv.matrix.given import Given, Looked
from ascendenv.matrix.hardware_relations import hdk_chip
from ascendenv.matrix.level import Level
from ascendenv.matrix.search import Carrier, Place, carrier_of, carriers, pairs
from ascendenv.site.folding import Folded, fold
from ascendenv.site.relation_tables import life_days
from ascendenv.versions import pep440

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ascendenv.matrix.rows.releases import CannRelease, TorchNpuRelease
    from ascendenv.site.parts import Parts
    from ascendenv.site.parts import Place as NamedPlace
    from ascendenv.versions import Version

__all__ = ["StackData", "stack_data"]


class CannData(TypedDict):
    """One CANN: `pairs` alternate number of torch_npu and level, newest first; `python` and `families` None for all."""

    release: bool
    families: list[str] | None
    python: list[int] | None
    pairs: list[int]


class TorchNpuData(TypedDict):
    """One torch_npu: number of its torch, numbers of Pythons by architecture, and the days from which it is old or not."""

    torch: int
    wheels: dict[str, list[int]]
    old: list[tuple[str, bool]]


class CarrierData(TypedDict):
    """Lists of drivers that carry a CANN, as driver, firmware, level; `table` leads from kin and CANN to a list."""

    lists: list[list[int]]
    table: Folded


class StackData(TypedDict):
    """All that a search needs. `best` are carriers in the order they are tried, `named` those for a driver by name."""

    cann: list[CannData]
    torchNpu: list[TorchNpuData]
    best: CarrierData
    named: CarrierData


def stack_data(parts: Parts) -> StackData:
    """Everything that stacks are put together from."""
    return {
        "cann": [_cann(one, parts) for one in parts.matrix.cann.values()],
        "torchNpu": [_torch_npu(one, parts) for one in parts.matrix.torch_npu.values()],
        "best": _carriers(parts, _best),
        "named": _carriers(parts, _named),
    }


def _carriers(parts: Parts, find: Callable[[Parts, Place, CannRelease], Iterable[Carrier]]) -> CarrierData:
    lists: dict[tuple[int, ...], int] = {}
    cells = []
    for place in (Place(), *(_place(one) for one in parts.kins)):
        for cann in parts.matrix.cann.values():
            flat = tuple(chain.from_iterable(_carrier(one, parts) for one in find(parts, place, cann)))
            cells.append(lists.setdefault(flat, len(lists)))
    return {
        "lists": [list(one) for one in lists],
        "table": fold(cells, [1 + len(parts.kins), len(parts.matrix.cann)]),
    }


def _carrier(carrier: Carrier, parts: Parts) -> tuple[int, int, int]:
    driver, firmware = parts.number("driver", carrier.driver), parts.number("firmware", carrier.firmware)
    return driver, firmware, int(carrier.level)


def _best(parts: Parts, place: Place, cann: CannRelease) -> Iterable[Carrier]:
    return carriers(parts.matrix, cann, place)


def _named(parts: Parts, place: Place, cann: CannRelease) -> Iterator[Carrier]:
    for driver in parts.versions["driver"]:
        if _may_run(parts, place, driver):
            found = carrier_of(parts.matrix, cann, place, driver)
            if found is not None:
                yield found


@lru_cache(maxsize=4096)
def _may_run(parts: Parts, place: Place, driver: Version) -> bool:
    """Whether the driver is for that place; asked beforehand, because `carrier_of` asks it last."""
    given = Given(driver=driver, chip=place.chip or place.family, product=place.product)
    relation = hdk_chip(Looked(parts.matrix, given))
    return relation is None or relation.level >= Level.COMPATIBLE


def _place(place: NamedPlace) -> Place:
    if place.kind == "product":
        return Place(None, place.family, place.name)
    return Place(place.name, place.family, None)


def _cann(release: CannRelease, parts: Parts) -> CannData:
    found = (
        (parts.number("torch_npu", one.torch_npu.version), one.level) for one in pairs(parts.matrix, release)
    )
    listed = release.python
    pythons = enumerate(parts.versions["python"], start=1)
    return {
        "release": release.channel == "release",
        "families": list(release.chips) or None,
        "python": [number for number, one in pythons if listed.contains(one)] if listed is not None else None,
        "pairs": [int(number) for number in chain.from_iterable(found)],
    }


def _torch_npu(release: TorchNpuRelease, parts: Parts) -> TorchNpuData:
    life = release.lifecycle
    return {
        "torch": parts.number("torch", release.torch),
        "wheels": {arch: sorted(_pythons(tags, parts)) for arch, tags in sorted(release.wheels.items())},
        "old": [(day, life.state(day) == "eol") for day in life_days(life)]
        if life is not None
        else [("", False)],
    }


def _pythons(tags: Iterable[str], parts: Parts) -> Iterator[int]:
    for tag in tags:
        yield parts.number("python", pep440(f"{tag[2]}.{tag[3:]}"))
