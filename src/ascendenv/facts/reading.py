"""Small helpers of the parsers: a version that was read becomes a claim if it is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.facts.claim import Claim
from ascendenv.versions import InvalidVersion, pep440, vendor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.claim import Weight
    from ascendenv.facts.evidence import Evidence

__all__ = ["pep440_claim", "vendor_claim"]

_AROUND = "\"'`,;:，。；、()（）[]*"


def vendor_claim(fact: str, text: str, weight: Weight, line: Evidence) -> Iterator[Claim]:
    """The claim that `fact` has this version of Ascend's kind; nothing where the text is none, such as `x.x.x`."""
    try:
        yield Claim(fact, vendor(text.strip(_AROUND)), weight, line)
    except InvalidVersion:
        return


def pep440_claim(fact: str, text: str, weight: Weight, line: Evidence) -> Iterator[Claim]:
    """The claim that `fact` has this version of Python's kind; nothing where the text is none."""
    try:
        yield Claim(fact, pep440(text.strip(_AROUND)), weight, line)
    except InvalidVersion:
        return
