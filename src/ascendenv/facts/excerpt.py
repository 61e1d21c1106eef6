"""The parts of an input that facts are read from.

That is all of a small one; of a large one its beginning, its end, and places in between where a tool shows versions.
A job prints its surroundings when it starts and its traceback when it ends. What lies between, gigabytes at times,
is looked through for a few words only, so that reading stays fast and memory flat.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from ascendenv.facts.page import page_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.page import Page

__all__ = ["Excerpt"]

_HEAD = 1 << 20
_TAIL = 1 << 20
_WORDS = (b"npu-smi ", b"_name=Ascend-")
_BEFORE = 1 << 11
_AFTER = 1 << 14
_ISLANDS = 64


class Excerpt:
    """Takes the chunks of a stream one by one; gives the pages to read at the end."""

    def __init__(self) -> None:
        self._size = 0
        self._lines = 1
        self._head: list[bytes] = []
        self._tail: deque[tuple[int, bytes]] = deque()
        self._tail_size = 0
        self._islands: list[tuple[int, bytes]] = []

    def feed(self, chunk: bytes) -> None:
        """The next chunk of whole lines."""
        if self._size < _HEAD:
            self._head.append(chunk)
        else:
            self._tail.append((self._lines, chunk))
            self._tail_size += len(chunk)
            while self._tail_size - len(self._tail[0][1]) >= _TAIL:
                line, old = self._tail.popleft()
                self._tail_size -= len(old)
                self._search(line, old)
        self._size += len(chunk)
        self._lines += chunk.count(b"\n")

    def pages(self, origin: str) -> Iterator[Page]:
        """The pages to read; their lines have the numbers that they have in the whole."""
        parts = [(1, b"".join(self._head)), *self._islands]
        if self._tail:
            parts.append((self._tail[0][0], b"".join(chunk for _, chunk in self._tail)))
        for line, part in parts:
            yield page_of(part.decode("utf-8", "replace"), origin, line)

    def _search(self, line: int, chunk: bytes) -> None:
        """Keeps the surroundings of the first of the words in this chunk."""
        if len(self._islands) >= _ISLANDS:
            return
        places = [place for word in _WORDS if (place := chunk.find(word)) >= 0]
        if places:
            start = chunk.rfind(b"\n", 0, max(0, min(places) - _BEFORE)) + 1
            end = chunk.find(b"\n", min(places) + _AFTER)
            island = chunk[start : end if end >= 0 else len(chunk)]
            self._islands.append((line + chunk.count(b"\n", 0, start), island))
