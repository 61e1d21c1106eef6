"""The page as a file: whole, small, the same every time, and nothing in it from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.site.conftest import HOSTILE

from ascendenv.matrix.relations import CORE
from ascendenv.site.data import page_data
from ascendenv.site.listings import listing_data
from ascendenv.site.page import page
from ascendenv.site.texts import Texts

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.matrix.model import Matrix

LARGEST = 500_000
AGAIN = """
import json
import sys
from ascendenv.matrix.model import Matrix
from ascendenv.site.page import page
sys.stdout.buffer.write(page(Matrix(json.load(sys.stdin))))
"""


@pytest.fixture(scope="module")
def small_page(small: Matrix) -> str:
    return page(small).decode()


def embedded(text: str) -> dict[str, Any]:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found.group(1))
    return data


def test_the_shipped_matrix_fits(matrix: Matrix) -> None:
    assert len(page(matrix)) < LARGEST


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_same_matrix_gives_the_same_bytes(small: Matrix, small_page: str, seed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", AGAIN],
        input=json.dumps(small.raw).encode(),
        env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C.UTF-8", "TZ": "Asia/Shanghai"},
        capture_output=True,
        check=True,
    )

    assert done.stdout.decode() == small_page


def test_nothing_is_fetched(small_page: str) -> None:
    markup = re.sub(r"<script id=\"data\".*?</script>", "", small_page, flags=re.DOTALL)

    assert not re.findall(r"\b(?:src|action|srcset)=", markup)
    assert {one[:5] for one in re.findall(r'\bhref="([^"]*)"', markup)} == {"data:", "#view"}
    assert not re.findall(r"@import|url\(|@font-face|fetch\(|XMLHttpRequest|import\(|innerHTML", markup)


def test_the_policy_allows_this_style_and_this_script_only(small_page: str) -> None:
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', small_page)
    assert policy is not None
    parts = dict(one.strip().split(" ", 1) for one in policy.group(1).replace("&#39;", "'").split(";"))
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", small_page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert parts[directive] == f"'sha256-{digest}'"
    assert parts["default-src"] == "'none'"


def test_foreign_text_cannot_leave_its_element(small_site: Matrix) -> None:
    text = page(small_site).decode()

    assert text.count("</script>") == 2
    assert HOSTILE in [one["name"] for one in embedded(text)["places"]]


def test_folders_stand_in_the_command_line(small: Matrix) -> None:
    assert embedded(page(small, ["our matrix"]).decode())["folders"] == ["our matrix"]


def test_rows_of_a_site_are_marked(small_site: Matrix, site_folder: Path) -> None:
    data = page_data(small_site, [str(site_folder)])
    marked = {part["name"]: [part["values"][number - 1] for number in part["site"]] for part in data["parts"]}

    assert marked["cann"] == ["99.0.0"]
    assert marked["torch_npu"] == ["99.9.0"]
    assert marked["place"] == [HOSTILE]
    assert marked["driver"] == []
    rows = {one["kind"]: [row[0] for row in one["rows"] if row[-1]] for one in data["listings"]}
    assert (rows["cann"], rows["products"], rows["breaks"]) == (["99.0.0"], [HOSTILE], ["ours"])
    assert rows["hdk"] == []


def test_every_relation_of_the_page_is_one_that_judge_knows(small: Matrix) -> None:
    relations = page_data(small)["relations"]
    core = {one["kind"] for one in relations["rules"] if one["core"]}

    # Not on the page: the ops package, which nobody chooses apart, and known breaks, which are conditions.
    assert CORE - core == {"toolkit-ops", "known-break"}


def test_tables_hold_every_row_with_its_sources(matrix: Matrix) -> None:
    texts = Texts()
    listings = listing_data(matrix, texts)
    rows = {one["kind"]: one["rows"] for one in listings}

    for kind, count in {
        "torch_npu": len(matrix.torch_npu),
        "cann": len(matrix.cann),
        "cann-hdk": sum(len(one.hdk_cells) for one in matrix.cann.values()),
        "torch": len(matrix.torch),
        "products": len(matrix.products),
        "contradictions": len(matrix.contradictions),
        "breaks": len(matrix.breaks),
    }.items():
        assert len(rows[kind]) == count
    sources = texts.data()["sources"]
    for listing in listings:
        for row in listing["rows"]:
            assert len(row) == len(listing["columns"]) + 2
            assert sources[int(str(row[-2]))]


def test_both_languages_say_the_same_things(small: Matrix) -> None:
    words = page_data(small)["words"]

    assert words["en"].keys() == words["zh"].keys()
    assert [name for name, text in words["zh"].items() if text.isascii()] == [
        "cann",
        "torch",
        "torch_npu",
        "python",
    ]
