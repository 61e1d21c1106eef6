"""Python distributions in every listing: pip list, pip freeze, conda list, pip show, collect_env, and what pip says.

::

    Package            Version              [pip3] torch==2.5.1
    ------------------ ----------------     [conda] torch-npu      2.5.1      pypi_0    pypi
    torch              2.5.1+cpu            Name: torch_npu
    torch_npu          2.5.1.post1          Version: 2.5.1
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.claim import Claim, Weight
from ascendenv.facts.reading import package_claims

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.page import Page

__all__ = ["read"]

_NAME = r"[A-Za-z][A-Za-z0-9._-]{0,60}"
_VERSION = r"v?\d+(?:\.\d+)*(?:[._-]?(?:a|b|c|rc|alpha|beta|post|dev)[._-]?\d*)*(?:\+[\w.]+)?"
_DOTTED = r"\d{1,6}\.\d[\w.+!-]{0,60}"
_TAG = re.compile(r"\s*\[(?:pip3?|conda|uv|mamba)\]\s+")
_FROZEN = re.compile(rf"\s*({_NAME})(?:\[[\w,.-]*\])?\s?===?\s?({_DOTTED})\s*(?:#.*|;.*)?")
_ROW = re.compile(rf"\s*({_NAME})(?:[ ]{{2,}}|[ ]*\t\s*)({_DOTTED})(?:\s+(?:<pip>|[\w./:~-]+)){{0,3}}\s*")
_TAGGED_ROW = re.compile(rf"({_NAME})\s+({_DOTTED})(?:\s+\S+){{0,3}}\s*")
_DIRECT = re.compile(rf"\s*({_NAME})\s@\s\S*/[\w.]+-({_VERSION})-(?:cp|py|pp)\S*", re.IGNORECASE)
_REQUIREMENT = re.compile(rf"\s*{_NAME}(?:\[[\w,.-]*\])?\s*(?:>=|<=|~=|!=|>|<)\s*\d")
_HEADER = re.compile(r"\s*(?:#\s*Name|Package)\s+Version\b")
_RULE = re.compile(r"\s*-{3,}\s+-{3,}")
_SHOWN_NAME = re.compile(rf"\s*Name:\s*({_NAME})\s*")
_SHOWN_VERSION = re.compile(rf"\s*Version:\s*({_DOTTED})\s*")
_INSTALLED = re.compile(rf"({_NAME})-({_DOTTED})(?=\s|$)")
_SATISFIED = re.compile(rf"Requirement already satisfied: ({_NAME}).*\(({_DOTTED})\)\s*$")
_INCOMPATIBLE = re.compile(
    rf"(?P<by>{_NAME}) (?P<by_version>{_DOTTED}) (?:requires|depends on) .{{1,200}}?"
    rf"but (?:you have|you'll have) (?P<name>{_NAME}) (?P<version>{_DOTTED}) which is incompatible"
)
_CONFLICT = re.compile(rf"VersionConflict: \(({_NAME}) ({_DOTTED}) \(")
_MARKS = ("  ", "==", "\t", "[", "@")
_NEVER = frozenset(
    ("python", "cuda", "driver", "firmware", "cann", "linux", "node", "version", "ubuntu", "kernel")
)
_LAST_LETTER = "t"  # a listing is sorted: one that reaches this letter was not cut off before torch
_WHOLE = 8
_SHOW_BLOCK = 4


def read(page: Page) -> Iterator[Claim]:
    """The packages that are listed as installed. A listing with its header that reaches its end is `complete`."""
    listing = _Listing()
    shown: tuple[str, int] | None = None
    for index, line in enumerate(page.lines):
        if _RULE.match(line):
            continue
        row = _listed(line) if any(mark in line for mark in _MARKS) else None
        if row and row[0].lower() not in _NEVER and not _among_requirements(page.lines, index):
            listing.add(row[0])
            yield from package_claims(*row, Weight.LISTED, page.evidence(index))
            continue
        yield from listing.ended(page)
        if _HEADER.match(line):
            listing.begin(index)
        elif found := _SHOWN_NAME.fullmatch(line):
            shown = (found[1], index)
        elif shown and index - shown[1] < _SHOW_BLOCK and (found := _SHOWN_VERSION.fullmatch(line)):
            yield from package_claims(shown[0], found[1], Weight.LISTED, page.evidence(index))
            shown = None
        else:
            yield from _told_by_pip(line, page, index)
    yield from listing.ended(page)


class _Listing:
    """A table that began with a header: complete when its end was reached."""

    def __init__(self) -> None:
        self._header: int | None = None
        self._names: list[str] = []

    def begin(self, index: int) -> None:
        self._header, self._names = index, []

    def add(self, name: str) -> None:
        self._names.append(name.lower())

    def ended(self, page: Page) -> Iterator[Claim]:
        header, names, self._header, self._names = self._header, self._names, None, []
        if header is not None and len(names) >= _WHOLE and max(names) >= _LAST_LETTER:
            yield Claim("packages", None, Weight.LISTED, page.evidence(header))


def _listed(line: str) -> tuple[str, str] | None:
    if tag := _TAG.match(line):
        rest = line[tag.end() :]
        found = _FROZEN.fullmatch(rest) or _TAGGED_ROW.fullmatch(rest)
    else:
        found = _FROZEN.fullmatch(line) or _ROW.fullmatch(line) or _DIRECT.fullmatch(line)
    return (found[1], found[2]) if found else None


def _among_requirements(lines: list[str], index: int) -> bool:
    """Whether the lines around are demands such as `numpy>=1.20`, so that this is a requirements file."""
    return any(_REQUIREMENT.match(line) for line in lines[max(0, index - 2) : index + 3])


def _told_by_pip(line: str, page: Page, index: int) -> Iterator[Claim]:
    if "Successfully installed " in line:
        for name, version in _INSTALLED.findall(line.partition("Successfully installed ")[2]):
            yield from package_claims(name, version, Weight.LISTED, page.evidence(index))
    elif (at := line.find("Requirement already satisfied: ")) >= 0 and (found := _SATISFIED.match(line, at)):
        yield from package_claims(found[1], found[2], Weight.LISTED, page.evidence(index))
    elif "which is incompatible" in line and (found := _INCOMPATIBLE.search(line)):
        yield from package_claims(found["by"], found["by_version"], Weight.LISTED, page.evidence(index))
        yield from package_claims(found["name"], found["version"], Weight.LISTED, page.evidence(index))
    elif "VersionConflict" in line and (found := _CONFLICT.search(line)):
        yield from package_claims(found[1], found[2], Weight.LISTED, page.evidence(index))
