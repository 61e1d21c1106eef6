"""Small helpers of the parsers: a version that was read becomes a claim if it is one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.claim import Claim
from ascendenv.facts.model import Package
from ascendenv.versions import InvalidVersion, Version, pep440, vendor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.claim import Weight
    from ascendenv.facts.evidence import Evidence

__all__ = ["package_claims", "pep440_claim", "vendor_claim", "vendor_or_none"]

_SEPARATORS = re.compile(r"[-_.]+")
_AROUND = "\"'`,;:，。；、()（）[]*"


def vendor_or_none(text: str) -> Version | None:
    """The version of Ascend's kind that `text` is, if it is one."""
    try:
        return vendor(text.strip(_AROUND))
    except InvalidVersion:
        return None


def vendor_claim(fact: str, text: str, weight: Weight, line: Evidence) -> Iterator[Claim]:
    """The claim that `fact` has this version of Ascend's kind; nothing where the text is none, such as `x.x.x`."""
    if version := vendor_or_none(text):
        yield Claim(fact, version, weight, line)


def pep440_claim(fact: str, text: str, weight: Weight, line: Evidence) -> Iterator[Claim]:
    """The claim that `fact` has this version of Python's kind; nothing where the text is none."""
    try:
        yield Claim(fact, pep440(text.strip(_AROUND)), weight, line)
    except InvalidVersion:
        return


def package_claims(name: str, version: str, weight: Weight, line: Evidence) -> Iterator[Claim]:
    """The claim that this distribution is installed, and for torch and torch_npu the claim of their version."""
    plain = _SEPARATORS.sub("-", name).lower()
    try:
        found = pep440(version.strip(_AROUND))
    except InvalidVersion:
        return
    yield Claim("packages", Package(plain, str(found)), weight, line)
    if plain in ("torch", "torch-npu"):
        yield Claim(plain.replace("-", "_"), found, weight, line)
