"""The catalogue of environment variables: every row is whole, and names what exists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascendenv.env.explanation import explain, nearest
from ascendenv.matrix.store import shipped_matrix, shipped_variables

SHARED = Path(__file__).resolve().parents[3] / "shared" / "box" / "env-vars.json"
CATALOGUE = shipped_variables().variables


def test_the_catalogue_holds_all_known_variables() -> None:
    assert len(CATALOGUE) >= 151


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="the research data is not beside the checkout")
def test_the_catalogue_misses_no_researched_variable() -> None:
    assert {row["name"] for row in json.loads(SHARED.read_text())["records"]} <= set(CATALOGUE)


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_row_is_whole(name: str) -> None:
    row = CATALOGUE[name]

    assert row.source
    assert row.when
    assert row.meaning.zh != row.meaning.en
    assert set(row.families) <= set(shipped_matrix().families)
    assert (row.kind == "words") == bool(row.words)
    assert (row.kind == "whole") == (row.least is not None)
    assert row.replaced_by is None or row.replaced_by in CATALOGUE
    assert row.above is None or row.above in CATALOGUE
    assert name in explain(row)


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("HCCL_CONECT_TIMEOUT", "HCCL_CONNECT_TIMEOUT"),
        ("hccl_connect_timeout_", "HCCL_CONNECT_TIMEOUT"),
        ("ATB_OPSRUNNER_KERNEL_CACHE_GLOBAL_COUNT", "ATB_OPSRUNNER_KERNEL_CACHE_GLOABL_COUNT"),
    ],
)
def test_a_slip_finds_the_name(slip: str, meant: str) -> None:
    assert nearest(slip, CATALOGUE)[0] == meant


def test_what_resembles_nothing_finds_nothing() -> None:
    assert nearest("ZZZ", CATALOGUE) == ()
