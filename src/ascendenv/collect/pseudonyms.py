"""Names that stand for other names: equal things get equal ones, and nobody without the key can tell which."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

__all__ = ["Pseudonyms"]

_LENGTH = 8
"""Hex digits of a pseudonym: in a cluster of ten thousand hosts two are equal once in a hundred times."""


class Pseudonyms:
    """Pseudonyms under one key, and what was replaced so far.

    A pseudonym has the form of what it stands for, so that a redacted file is read like the original: an address stays
    an address. `known` holds pseudonyms of an earlier pass, which stay as they are.
    """

    def __init__(self, key: bytes, known: frozenset[str] = frozenset()) -> None:
        self._key = key
        self._known = known
        self._given: dict[tuple[str, str], str] = {}
        self.counts: Counter[tuple[str, str]] = Counter()

    @property
    def key_id(self) -> str:
        """What tells two keys apart without telling the key."""
        return self._digest("key", "")[:_LENGTH]

    def of(self, kind: str, original: str) -> str:
        """The pseudonym of `original`; a pseudonym of an earlier pass stands for itself."""
        if original in self._known:
            return original
        name = self._given.get((kind, original))
        if name is None:
            name = self._given[kind, original] = self._shaped(kind, original)
        self.counts[kind, name] += 1
        return name

    def is_pseudonym(self, text: str) -> bool:
        """Whether `text` stands for something already, from this pass or an earlier one."""
        return text in self._known or text in self._given.values()

    def _shaped(self, kind: str, original: str) -> str:
        digest = self._digest(kind, original)
        if kind == "ipv4":
            # 240.0.0.0/4 is in use nowhere.
            numbers = [int(digest[place : place + 2], 16) for place in (0, 2, 4, 6)]
            return ".".join(map(str, (240 + numbers[0] % 15, *numbers[1:])))
        if kind == "ipv6":
            return f"2001:db8:{digest[0:4]}:{digest[4:8]}::{digest[8:12]}"
        if kind == "mac":
            return ":".join(["02", *(digest[place : place + 2] for place in range(0, 10, 2))])
        return f"{kind}-{digest[:_LENGTH]}"

    def _digest(self, kind: str, text: str) -> str:
        return hmac.new(
            self._key, f"{kind}\0{text}".encode("utf-8", "surrogatepass"), hashlib.sha256
        ).hexdigest()
