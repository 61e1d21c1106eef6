"""The text report at 80 columns, in both languages."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len
from tests.golden_files import assert_golden
from tests.report.diagnoses import BROKEN, CASES

from ascendenv.doctor.waivers import Review
from ascendenv.language import use_language
from ascendenv.report.text import print_review

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("COLUMNS", "80")
    yield
    use_language("en")


def rendered(reviewed: Review, language: str, *, verbose: bool = False) -> str:
    use_language(language)
    stream = io.StringIO()
    print_review(reviewed, stream, verbose=verbose)
    return stream.getvalue()


@pytest.mark.parametrize("verbose", [False, True], ids=["brief", "verbose"])
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", [name for name in CASES if name != "hostile"])
def test_the_report_is_as_recorded(name: str, language: str, verbose: bool) -> None:
    kind = "verbose" if verbose else "brief"

    assert_golden(f"report/{name}.{kind}.{language}.txt", rendered(CASES[name], language, verbose=verbose))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_only_commands_are_wider_than_the_terminal(language: str) -> None:
    wide = [line for line in rendered(Review(BROKEN), language).splitlines() if cell_len(line) > 80]

    assert [line.strip()[0] for line in wide] == ["$"]


def test_commands_are_whole_so_that_they_can_be_copied() -> None:
    run = BROKEN.findings[0].fix[0].run

    assert f"      $ {run}\n" in rendered(Review(BROKEN), "en")


def test_a_finding_about_markup_is_printed_as_it_is() -> None:
    assert "[pip3] torch==2.9.0" in rendered(Review(BROKEN), "en")
