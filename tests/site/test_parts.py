"""The values that the page offers, and their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascendenv.matrix.given import Given
from ascendenv.site.parts import PARTS, Parts, QuickMatrix
from ascendenv.versions import vendor

if TYPE_CHECKING:
    from ascendenv.matrix.model import Matrix


@pytest.fixture(scope="module")
def parts(matrix: Matrix) -> Parts:
    return Parts(QuickMatrix(matrix))


@pytest.mark.parametrize("part", PARTS)
def test_every_value_has_its_own_text(parts: Parts, part: str) -> None:
    texts = parts.texts(part)

    assert texts
    assert len(set(texts)) == len(texts)


def test_every_place_is_known_by_its_name(parts: Parts, matrix: Matrix) -> None:
    for place in parts.places:
        found = matrix.find_chip(place.name) if place.kind == "chip" else matrix.find_product(place.name)

        assert found is not None
        assert (found.name, found.family) == (place.name, place.family)


def test_families_come_before_their_products_and_chips(parts: Parts) -> None:
    names = [one.name for one in parts.places]

    assert names.index("A3") < names.index("Atlas 800I A3") < names.index("Ascend910_9392")


def test_a_chip_counts_as_its_family(parts: Parts) -> None:
    by_name = {one.name: one for one in parts.places}
    kins = [one.name for one in parts.kins]

    assert kins[parts.kin_of(by_name["Ascend910B3"]) - 1] == "910B"
    assert kins[parts.kin_of(by_name["Atlas 350"]) - 1] == "Atlas 350"


def test_numbers_count_from_one(parts: Parts) -> None:
    assert parts.number("cann", None) == 0
    assert parts.choices("cann")[parts.number("cann", vendor("9.0.0"))] == {"cann": vendor("9.0.0")}
    assert list(parts.every(["arch"])) == [Given(), Given(arch="aarch64"), Given(arch="x86_64")]


@pytest.mark.parametrize("part", ["driver", "firmware", "cann", "torch", "torch_npu", "python"])
def test_the_newest_version_comes_first(parts: Parts, part: str) -> None:
    assert list(parts.versions[part]) == sorted(parts.versions[part], reverse=True)


def test_drivers_hold_builds_and_names_of_unseen_releases(parts: Parts) -> None:
    assert {"25.6.rc1.b010", "25.0.rc1.3", "1.0.RC1"} <= set(parts.texts("driver"))
