"""The HTML report: one file, escaped, and read by a real browser at every width."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from tests.golden_files import assert_golden
from tests.report.chromium import PROGRAM, Browser, overflowing
from tests.report.diagnoses import CASES
from tests.report.rules import rules

from ascendenv.language import use_language
from ascendenv.report.html import html_of
from ascendenv.report.record import reviewed_record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Outline(HTMLParser):
    """What a page consists of; `crossed` holds tags that do not close in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.crossed: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.crossed.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def page_of(name: str) -> str:
    return html_of(reviewed_record(CASES[name]), rules())


@pytest.mark.parametrize("name", CASES)
def test_the_page_is_well_formed_and_reaches_for_nothing(name: str, language: str) -> None:
    outline = Outline(page_of(name))
    attributes = [(key, value or "") for _, found in outline.tags for key, value in found.items()]

    assert outline.crossed == []
    assert outline.open == []
    assert not {"script", "iframe", "object", "img", "form"} & {tag for tag, _ in outline.tags}
    assert not [key for key, _ in attributes if key.startswith("on") or key == "src"]
    links = [found.get("href") or "" for tag, found in outline.tags if tag == "a"]
    assert all(link.startswith("https://") for link in links)
    assert "url(" not in page_of(name)
    assert "@import" not in page_of(name)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ["broken", "healthy", "nothing", "reviewed"])
def test_the_page_is_as_recorded(name: str, language: str, restored: None) -> None:
    use_language(language)
    body = page_of(name).partition("<body>")[2]

    assert_golden(f"report/{name}.{language}.html", body)


@pytest.fixture
def restored() -> Iterator[None]:
    yield
    use_language("en")


def test_the_page_names_its_language(language: str) -> None:
    assert f'<html lang="{ {"en": "en", "zh": "zh-Hans"}[language] }">' in page_of("broken")


def test_hostile_text_stays_text() -> None:
    text = page_of("hostile")
    outline = Outline(text)

    assert "<script" not in text
    assert "{{ 7*7 }}" in "".join(outline.words)
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e\u2028\ud800]", text)
    assert [found["href"] for tag, found in outline.tags if tag == "a"] == [
        'https://example.org/"onmouseover="alert(1)'
    ]


def test_times_and_pseudonyms_are_told_only_when_asked_for() -> None:
    record = reviewed_record(CASES["broken"])
    record["redaction"] = {
        "key": "k",
        "replaced": [{"kind": "host", "pseudonym": "host-1a2b3c4d", "count": 2}],
    }

    text = html_of(record, rules(), day="2026-11-29")

    assert "2026-11-29" in text
    assert "host-1a2b3c4d" in text
    assert "pseudonyms" not in page_of("broken")
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", page_of("broken"))


# --- a real browser ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    assert PROGRAM, "chromium is installed by tests/install-system-packages.sh"
    opened = Browser(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 360, 768, 1280])
@pytest.mark.parametrize("name", CASES)
def test_the_page_fits_and_is_quiet(
    name: str, width: int, language: str, browser: Browser, tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    page.write_text(page_of(name), encoding="utf-8", newline="")

    browser.show(page, width=width, script=False)

    assert browser.troubles() == []
    assert browser.requests() == [page.as_uri()]
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert [one for one in overflowing(browser) if not one.startswith("PRE")] == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(scheme: str, browser: Browser, tmp_path: Path) -> None:
    """The contrast that WCAG asks of text, 4.5, for every piece of text."""
    page = tmp_path / "report.html"
    page.write_text(page_of("reviewed"), encoding="utf-8")
    browser.show(page, width=1280, scheme=scheme)

    assert browser.value(_CONTRAST) >= 4.5


@pytest.mark.slow
def test_on_paper_commands_are_whole(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text(page_of("broken"), encoding="utf-8")
    browser.show(page, width=700)

    browser.print_view()

    cut = "[...document.querySelectorAll('pre')].filter(one => one.scrollWidth > one.clientWidth + 1).length"
    assert browser.value(cut) == 0
    assert browser.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


_CONTRAST = """
(() => {
  const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = colour => {
    const [r, g, b] = numbers(colour).map(one => one / 255)
      .map(one => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = one => {
    for (; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (numbers(colour)[3] !== 0) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const texts = [...document.querySelectorAll('body *')]
    .filter(one => [...one.childNodes].some(child => child.nodeType === 3 && child.data.trim()));
  return Math.min(...texts.map(one => {
    const [a, b] = [light(getComputedStyle(one).color), light(ground(one))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }));
})()
"""
