"""What the tests of the explorer share: a small matrix, a site's folder, the page, and a browser to open it in."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from tests.site.chromium import Chromium

from ascendenv.matrix.model import Matrix
from ascendenv.matrix.store import shipped_matrix, with_site
from ascendenv.site.page import page as page_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.site.chromium import Page

HOSTILE = "</script><img src=x onerror=window.hacked=1>"
"""A name that would run if it ever became markup."""
KEPT = {
    "cann": ("version", {"9.1.0", "9.0.0", "8.5.0", "8.0.0", "8.0.RC1", "8.5.0.alpha001"}),
    "hdk": ("hdk", {"26.0.RC1", "25.5.1", "25.7.RC1", "24.1.RC2"}),
    "torch_npu": ("version", {"2.10.0", "2.9.0", "2.5.1", "2.1.0.post4", "2.1.0", "2.13.0rc1"}),
    "torch": ("torch", {"2.10.0", "2.9.0", "2.5.1", "2.1.0", "2.13.0"}),
    "families": ("name", {"910B", "950", "A3"}),
    "products": ("name", {"Atlas 350", "Atlas 800I A2"}),
}
SITE_FILES = {
    "cann/99.0.0.yaml": """
version: "99.0.0"
channel: release
layout: cann
chips: ["910B", "A3"]
python: ">=3.7,<3.12"
hdk_cells:
  - {hdk: "25.5.1", level: recommended, source: ["our acceptance test"]}
source: ["our acceptance test"]
""",
    "torch_npu/99.9.0.yaml": """
version: "99.9.0"
torch: "2.9.0"
basis: official
cann: ["99.0.0"]
cann_compatible: ["9.0.X"]
on_index: true
wheels: {aarch64: ["cp311", "cp312"], x86_64: ["cp310"]}
source: ["our wheel <b>shop</b> & Co"]
""",
    "products.yaml": f"""
- {{name: "{HOSTILE}", family: A3, source: ["our inventory"]}}
""",
    "breaks.yaml": """
- id: ours
  given: {cann: "99.0.0", torch_npu: "<2.9", families: ["910B"]}
  cause: {en: "braces {like these} & <i>markup</i> stay as they are", zh: "花括号 {如此} 与 <i>标记</i> 原样保留"}
  source: ["our ticket"]
""",
    "contradictions.yaml": """
- id: ours-too
  subject: driver 25.5.1 with CANN 99.0.0
  says: [{who: us, what: "yes"}, {who: them, what: "no"}]
  advice: {en: "us", zh: "以我们为准"}
  kind: cann-hdk
  given: {cann: "99.0.0", driver: "25.5.1"}
  level: compatible
  source: ["our ticket"]
""",
}


@pytest.fixture(scope="session")
def matrix() -> Matrix:
    return shipped_matrix()


@pytest.fixture(scope="session")
def small(matrix: Matrix) -> Matrix:
    """A matrix of a few rows of each kind, whose page is made at once."""
    raw = {
        kind: [row for row in rows if kind not in KEPT or row[KEPT[kind][0]] in KEPT[kind][1]]
        for kind, rows in matrix.raw.items()
    }
    return Matrix(raw)


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site's own matrix: a CANN, a torch_npu, a product with a hostile name, a break and a contradiction."""
    folder = tmp_path_factory.mktemp("site") / "our matrix"
    for name, text in SITE_FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="session")
def site_matrix(matrix: Matrix, site_folder: Path) -> Matrix:
    return with_site(matrix, site_folder)


@pytest.fixture(scope="session")
def small_site(small: Matrix, site_folder: Path) -> Matrix:
    return with_site(small, site_folder)


@pytest.fixture(scope="session")
def address(matrix: Matrix, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the page of the shipped matrix lies."""
    file = tmp_path_factory.mktemp("page") / "index.html"
    file.write_bytes(page_of(matrix))
    return file.as_uri()


@pytest.fixture(scope="session")
def site_address(site_matrix: Matrix, site_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the page of the matrix with a site's folder on top lies."""
    file = tmp_path_factory.mktemp("page") / "index.html"
    file.write_bytes(page_of(site_matrix, [str(site_folder)]))
    return file.as_uri()


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    if shutil.which("chromium") is None:
        pytest.skip("chromium is not installed")
    with Chromium(tmp_path_factory.mktemp("chromium")) as browser:
        yield browser


@pytest.fixture
def page(chromium: Chromium) -> Page:
    found = chromium.page()
    found.size(1280, 900)
    found.locale("en-GB")
    return found
