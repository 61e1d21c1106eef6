"""The pages that ship beside the checks and topics: one Markdown file in each language."""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

__all__ = ["TOPICS", "Page", "page_of", "topic"]

TOPICS = "ascendenv.doctor.topics"
"""The package of the pages about things that are no check."""


@dataclass(frozen=True)
class Page:
    """A page: its title, and its Markdown body with the title as first line."""

    title: str
    body: str

    @property
    def summary(self) -> str:
        """The first paragraph after the title."""
        paragraphs = [part.strip() for part in self.body.split("\n\n")]
        return next((part for part in paragraphs[1:] if part and not part.startswith("#")), "")


def page_of(check: type[Check], language: str) -> Page:
    """The page of a check in `language`; raises FileNotFoundError where it was not written."""
    package, _, name = check.__module__.rpartition(".")
    return _read(package, name, language)


def topic(name: str, language: str) -> Page:
    """The page of a topic in `language`."""
    return _read(TOPICS, name, language)


@cache
def _read(package: str, name: str, language: str) -> Page:
    suffix = "md" if language == "en" else f"{language}.md"
    data = pkgutil.get_data(package, f"{name}.{suffix}")
    if data is None:
        raise FileNotFoundError(f"{package}/{name}.{suffix}")
    body = _without_front_block(data.decode("utf-8")).strip()
    return Page(body.partition("\n")[0].removeprefix("#").strip(), body)


def _without_front_block(text: str) -> str:
    if not text.startswith("---\n"):
        return text
    return text.partition("\n---\n")[2]
