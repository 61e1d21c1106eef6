"""The catalogue polices itself: ids, causes, pages in both languages, consequences without a circle."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ascendenv.doctor.catalogue import FAMILIES, catalogue
from ascendenv.doctor.engine import request_of
from ascendenv.doctor.page import page_of
from ascendenv.facts.model import HostFacts

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

CHECKS = catalogue()
PREFIXES = {
    "driver": "DRV",
    "device": "DEV",
    "visibility": "VIS",
    "cann": "CAN",
    "nnal": "ATB",
    "torch": "TOR",
    "package": "PKG",
    "system": "SYS",
    "hccl": "HCC",
    "chip": "CHP",
    "runtime": "RUN",
    "live": "LIV",
}
HEADINGS = {
    "en": [
        "What it means",
        "How it shows",
        "Why it happens",
        "How to tell it from its neighbours",
        "Fix",
        "Sources",
    ],
    "zh": ["含义", "现象", "原因", "如何与相近问题区分", "修复", "来源"],
}
TAXONOMY = Path(__file__).resolve().parents[3] / "shared" / "cases" / "README.md"


def id_of(check: type[Check]) -> str:
    return check.id


def test_every_family_has_a_prefix_and_checks() -> None:
    assert set(PREFIXES) == set(FAMILIES)
    assert {check.id[:3] for check in CHECKS} == set(PREFIXES.values())


def test_ids_are_unique() -> None:
    ids = [check.id for check in CHECKS]

    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("check", CHECKS, ids=id_of)
def test_a_check_is_well_formed(check: type[Check]) -> None:
    family = check.__module__.split(".")[-2]

    assert re.fullmatch(PREFIXES[family] + r"\d{3}", check.id)
    assert check.causes
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", cause) for cause in check.causes)
    assert check.__doc__
    assert check.__doc__.strip().endswith(".")
    assert set(request_of(check).names) <= {*HostFacts.__dataclass_fields__, "matrix", "facts", "now"}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("check", CHECKS, ids=id_of)
def test_a_check_has_its_page(check: type[Check], language: str) -> None:
    page = page_of(check, language)

    assert page.title
    assert page.summary
    assert re.findall(r"^## (.+)$", page.body, re.MULTILINE) == HEADINGS[language]


@pytest.mark.parametrize("check", CHECKS, ids=id_of)
def test_a_page_names_its_check(check: type[Check]) -> None:
    module = check.__module__.replace(".", "/")
    for suffix in ("md", "zh.md"):
        path = Path(__file__).resolve().parents[2] / "src" / f"{module}.{suffix}"
        front = path.read_text().split("---")[1]

        assert f"id: {check.id}\n" in front
        assert f"causes: [{', '.join(check.causes)}]" in front


def test_consequences_name_checks_that_exist_and_run_in_no_circle() -> None:
    ids = {check.id for check in CHECKS}

    assert {root for check in CHECKS for root in check.consequence_of} <= ids
    TopologicalSorter({check.id: set(check.consequence_of) for check in CHECKS}).prepare()


@pytest.mark.shared
@pytest.mark.skipif(not TAXONOMY.exists(), reason="the research data is not beside the checkout")
def test_every_slug_of_the_taxonomy_has_a_check() -> None:
    slugs = set(re.findall(r"^\| ([a-z0-9]+(?:-[a-z0-9]+)+) \|", TAXONOMY.read_text(), re.MULTILINE))

    assert slugs
    assert slugs <= {cause for check in CHECKS for cause in check.causes}
