"""What the page lets people choose: the parts of a stack, and the values of each that the matrix knows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

from ascendenv.matrix.given import Given
from ascendenv.matrix.model import Matrix
from ascendenv.versions import pep440

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ascendenv.matrix.names import Chip
    from ascendenv.matrix.rows.hardware import Product
    from ascendenv.matrix.rows.releases import HdkRelease
    from ascendenv.versions import Version

__all__ = ["PARTS", "Parts", "Place", "QuickMatrix"]

PARTS = ("place", "driver", "firmware", "cann", "torch", "torch_npu", "python", "arch")
"""The parts in the order of the page; `place` is a chip, a chip family or a product."""
_ARCHES = ("aarch64", "x86_64")


@dataclass(frozen=True)
class Place:
    """Where a stack is to run."""

    name: str
    kind: Literal["chip", "product"]
    family: str
    aliases: tuple[str, ...] = ()


class QuickMatrix(Matrix):
    """A matrix that remembers what it was asked: a page asks for the same names tens of thousands of times."""

    def __init__(self, matrix: Matrix) -> None:
        super().__init__(matrix.raw)
        self._hdk_of = lru_cache(maxsize=None)(super().find_hdk)
        self._chip_of = lru_cache(maxsize=None)(super().find_chip)
        self._product_of = lru_cache(maxsize=None)(super().find_product)

    def find_hdk(self, driver: Version) -> HdkRelease | None:
        """As `Matrix.find_hdk`."""
        return self._hdk_of(driver)

    def find_chip(self, text: str, npu_smi: Version | None = None) -> Chip | None:
        """As `Matrix.find_chip`."""
        return self._chip_of(text, npu_smi)

    def find_product(self, text: str) -> Product | None:
        """As `Matrix.find_product`."""
        return self._product_of(text)


class Parts:
    """The values of every part; number 0 of a part means that it is not chosen, its first value has number 1.

    `kin` is a coarser `place`, all that most relations look at: a chip counts as its family.
    """

    def __init__(self, matrix: QuickMatrix) -> None:
        self.matrix = matrix
        self.places = tuple(sorted((*_chips(matrix), *_products(matrix)), key=_place_order))
        self.kins = tuple(one for one in self.places if one.kind == "product" or one.name == one.family)
        self.versions: Mapping[str, tuple[Version, ...]] = {
            "driver": _newest_first(_drivers(matrix)),
            "firmware": _newest_first(_firmwares(matrix)),
            "cann": tuple(one.version for one in matrix.cann.values()),
            "torch": _newest_first(_torches(matrix)),
            "torch_npu": tuple(one.version for one in matrix.torch_npu.values()),
            "python": _newest_first(_pythons(matrix)),
        }

    def choices(self, part: str) -> tuple[dict[str, Any], ...]:
        """What each number of the part gives, as fields of `Given`."""
        if part in ("place", "kin"):
            places = self.places if part == "place" else self.kins
            return ({}, *({str(one.kind): one.name} for one in places))
        if part == "arch":
            return ({}, *({"arch": one} for one in _ARCHES))
        return ({}, *({part: one} for one in self.versions[part]))

    def every(self, parts: Iterable[str]) -> Iterator[Given]:
        """All combinations of the parts' numbers, those of the last part fastest."""
        for fields in product(*(self.choices(part) for part in parts)):
            yield Given(**{name: value for one in fields for name, value in one.items()})

    def number(self, part: str, value: Version | None) -> int:
        """The number of that version; 0 of None. Raises ValueError where the part has no such version."""
        if value is None:
            return 0
        return self.versions[part].index(value) + 1

    def kin_of(self, place: Place) -> int:
        """The number of the place's kin."""
        names = [one.name for one in self.kins]
        return names.index(place.name if place.kind == "product" else place.family) + 1

    def texts(self, part: str) -> list[str]:
        """The values of the part as text."""
        return [str(value) for one in self.choices(part)[1:] for value in one.values()]


def _chips(matrix: Matrix) -> Iterator[Place]:
    """Families and chips whose name leads to themselves."""
    for one in matrix.names.all_chips():
        if matrix.find_chip(one.name) == one:
            yield Place(one.name, "chip", one.family, one.aliases)


def _products(matrix: Matrix) -> Iterator[Place]:
    for one in matrix.products.values():
        yield Place(one.name, "product", one.family, one.aliases)


def _place_order(place: Place) -> tuple[str, bool, bool]:
    """Family by family: the family itself, its products, its chips."""
    return place.family, place.name != place.family, place.kind == "chip"


def _newest_first(versions: Iterable[Version]) -> tuple[Version, ...]:
    return tuple(sorted(dict.fromkeys(versions), reverse=True))


def _drivers(matrix: Matrix) -> Iterator[Version]:
    """Drivers and their builds; where none was seen, the name of the HDK release."""
    for hdk in matrix.hdk.values():
        found = [one for pair in hdk.pairs for one in (pair.driver, *pair.builds) if one is not None]
        yield from found or [hdk.hdk]


def _firmwares(matrix: Matrix) -> Iterator[Version]:
    pairs = (pair for hdk in matrix.hdk.values() for pair in hdk.pairs)
    yield from (pair.firmware for pair in pairs if pair.firmware is not None)


def _torches(matrix: Matrix) -> Iterator[Version]:
    yield from (one.torch for one in matrix.torch.values())
    yield from (one.torch for one in matrix.torch_npu.values())


def _pythons(matrix: Matrix) -> Iterator[Version]:
    for line in matrix.torch.values():
        yield from (_minor(*one.release[:2]) for one in line.pythons_documented)
    for release in matrix.torch_npu.values():
        yield from (_minor(*one.release[:2]) for one in release.pythons_documented)
        for tags in release.wheels.values():
            yield from (_minor(tag[2], tag[3:]) for tag in tags)


def _minor(major: object, minor: object) -> Version:
    return pep440(f"{major}.{minor}")
