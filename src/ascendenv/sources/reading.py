"""Versions and days as people write them in tables and lists."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.sources.statement import UnreadableSource
from ascendenv.versions import InvalidRange, InvalidVersion, VersionRange, pep440, vendor

if TYPE_CHECKING:
    from ascendenv.sources.material import Document

__all__ = ["day", "is_nothing", "month_or_day", "python_range", "python_version", "vendor_version"]

_ASIDE = re.compile(r"[(（][^)）]*[)）]")
_DAY = re.compile(r"(\d{4})\s*[/.-]\s*(\d{1,2})(?:\s*[/.-]\s*(\d{1,2}))?")
_NOTHING = frozenset({"", "-", "--", "n/a", "na", "none", "/"})


def python_version(document: Document, line: int | None, text: str) -> str:
    """The normal form of a Python package's version: `2.1.0rc1` for `2.1.0.rc1 (beta)`; raises UnreadableSource."""
    bare = _ASIDE.sub("", text).strip()
    try:
        pep440(bare)
    except InvalidVersion as error:
        raise _unreadable(document, line, text) from error
    return _normal(bare)


def vendor_version(document: Document, line: int | None, text: str) -> str:
    """A version of Ascend software without the word CANN before it; raises UnreadableSource."""
    bare = re.sub(r"^CANN[\s_:-]*", "", _ASIDE.sub("", text).strip(), flags=re.IGNORECASE)
    try:
        return str(vendor(bare))
    except InvalidVersion as error:
        raise _unreadable(document, line, text) from error


def python_range(document: Document, line: int | None, text: str) -> str:
    """A range without blanks: `>=3.10,<3.13`; raises UnreadableSource."""
    bare = re.sub(r"\s+", "", text)
    try:
        return str(VersionRange(bare, "pep440"))
    except (InvalidRange, InvalidVersion) as error:
        raise _unreadable(document, line, text) from error


def is_nothing(text: str) -> bool:
    """Whether a cell says that there is nothing to say."""
    return text.strip().casefold() in _NOTHING


def day(document: Document, line: int | None, text: str) -> str:
    """A day as `2026-07-26`; raises UnreadableSource."""
    found = month_or_day(text)
    if found is None or found.count("-") != 2:  # noqa: PLR2004  (year, month, day)
        raise UnreadableSource(say("{text} is no day", text=repr(text)), name=document.name, line=line)
    return found


def month_or_day(text: str) -> str | None:
    """The day or month that the text names, as `2026-07-26` or `2026-10`; None where it names none."""
    match = _DAY.search(text)
    if match is None:
        return None
    year, month, on = int(match[1]), int(match[2]), match[3]
    try:
        found = date(year, month, int(on or 1)).isoformat()
    except ValueError:
        return None
    return found if on else found[:7]


def _normal(text: str) -> str:
    from packaging.version import Version

    return str(Version(text))


def _unreadable(document: Document, line: int | None, text: str) -> UnreadableSource:
    return UnreadableSource(
        say("the version {text} cannot be read", text=repr(text)), name=document.name, line=line
    )
