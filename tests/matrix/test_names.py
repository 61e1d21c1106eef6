"""Every published name leads to one chip or product."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascendenv.matrix.names import normalised
from ascendenv.versions import vendor

if TYPE_CHECKING:
    from ascendenv.matrix.model import Matrix


@pytest.mark.parametrize(
    ("text", "name", "family"),
    [
        ("910B3", "Ascend910B3", "910B"),
        ("Ascend910B3", "Ascend910B3", "910B"),
        ("ascend910b3", "Ascend910B3", "910B"),
        ("Ascend 910B3", "Ascend910B3", "910B"),
        ("910B4-1", "Ascend910B4-1", "910B"),
        ("Ascend910B4_1", "Ascend910B4-1", "910B"),
        ("910B2C", "Ascend910B2C", "910B"),
        ("A2G3", "Ascend910B1", "910B"),
        ("910B", "910B", "910B"),
        ("Ascend910B", "910B", "910B"),
        ("A2", "910B", "910B"),
        ("Atlas A2", "910B", "910B"),
        ("dav-c220", "910B", "910B"),
        ("A3", "A3", "A3"),
        ("910_93", "A3", "A3"),
        ("Ascend910_93", "A3", "A3"),
        ("910C", "A3", "A3"),
        ("Ascend 910C", "A3", "A3"),
        ("Ascend910", "A3", "A3"),
        ("Ascend910_9391", "Ascend910_9391", "A3"),
        ("910_9362", "Ascend910_9362", "A3"),
        ("910", "910A", "910A"),
        ("910A", "910A", "910A"),
        ("910ProB", "Ascend910ProB", "910A"),
        ("Ascend910PremiumA", "Ascend910PremiumA", "910A"),
        ("310P3", "Ascend310P3", "310P"),
        ("Ascend310P", "310P", "310P"),
        ("310B4", "Ascend310B4", "310B"),
        ("310", "310", "310"),
        ("Ascend310", "310", "310"),
        ("950", "950", "950"),
        ("A5", "950", "950"),
        ("Ascend950PR", "Ascend950PR", "950"),
        ("950DT", "Ascend950DT", "950"),
        ("Ascend950PR_9579", "Ascend950PR_9579", "950"),
        ("ascend950dt_9582", "Ascend950DT_9582", "950"),
        ("Ascend950DT_95f7", "Ascend950DT", "950"),
        ("Ascend910_93ff", "A3", "A3"),
        ("Ascend910_95", "950", "950"),
    ],
)
def test_chips(matrix: Matrix, text: str, name: str, family: str) -> None:
    chip = matrix.find_chip(text)
    assert chip is not None
    assert (chip.name, chip.family) == (name, family)


@pytest.mark.parametrize("text", ["", "RTX 4090", "H100", "9", "A1", "Ascend", "cpu"])
def test_what_is_no_chip(matrix: Matrix, text: str) -> None:
    assert matrix.find_chip(text) is None


@pytest.mark.parametrize(
    ("npu_smi", "family"), [("22.0.4", "910A"), ("21.0.2", "910A"), ("23.0.3", "910B"), ("25.5.1", "910B")]
)
def test_old_tools_call_the_first_generation_910b(matrix: Matrix, npu_smi: str, family: str) -> None:
    chip = matrix.find_chip("910B", vendor(npu_smi))
    assert chip is not None
    assert chip.family == family


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("910B3", ("910b", "910b", 65536, None)),
        ("910B4", ("910b", "910b", 32768, None)),
        ("910B4-1", ("910b", "910b", 65536, None)),
        ("Ascend910_9382", ("A3", "a3", 65536, None)),
        ("Ascend950PR_9579", ("950", "950", 131072, "9.0.0")),
        ("Ascend950DT_9572", ("950", "950", 98304, "9.1.0")),
        ("310P", ("310p", "310p", None, None)),
    ],
)
def test_what_a_chip_is_good_for(
    matrix: Matrix, text: str, expected: tuple[str, str, int | None, str | None]
) -> None:
    chip = matrix.find_chip(text)
    assert chip is not None
    first_cann = str(chip.first_cann) if chip.first_cann is not None else None
    assert (chip.package_suffix, chip.image_tag, chip.memory, first_cann) == expected


@pytest.mark.parametrize(
    ("text", "name", "family"),
    [
        ("Atlas 800I A2", "Atlas 800I A2", "910B"),
        ("atlas-800i-a2", "Atlas 800I A2", "910B"),
        ("800T A2", "Atlas 800T A2", "910B"),
        ("Atlas 900 A3 Pod", "Atlas 900 A3 SuperPoD", "A3"),
        ("Atlas 350", "Atlas 350", "950"),
        ("Atlas 350 A5", "Atlas 350", "950"),
        ("Atlas 300I Duo", "Atlas 300I Duo", "310P"),
        ("A300i-duo", "Atlas 300I Duo", "310P"),
        ("Atlas 950 SuperPoD", "Atlas 950 SuperPoD", "950"),
        ("Atlas 800 (Model 9000)", "Atlas 800 (Model 9000)", "910A"),
        ("Atlas 800 9000", "Atlas 800 (Model 9000)", "910A"),
    ],
)
def test_products(matrix: Matrix, text: str, name: str, family: str) -> None:
    product = matrix.find_product(text)
    assert product is not None
    assert (product.name, product.family) == (name, family)


def test_names_are_compared_without_case_and_punctuation() -> None:
    assert normalised("Ascend 910_9391") == normalised("ascend910-9391") == "9109391"
    assert normalised("Atlas 800T A2") == "800ta2"


def test_no_name_leads_to_two_things(matrix: Matrix) -> None:
    """Each alias of a family or chip finds that family or chip; the 910B of old tools is the one exception."""
    for family in matrix.families.values():
        for alias in (family.name, *family.aliases):
            chip = matrix.find_chip(alias)
            assert chip is not None
            assert chip.name == family.name, alias
        for row in family.chips:
            for alias in (row.name, *row.aliases):
                found = matrix.find_chip(alias)
                assert found is not None
                assert found.name == row.name, alias
    for product in matrix.products.values():
        for alias in (product.name, *product.aliases):
            assert matrix.find_product(alias) == product, alias
