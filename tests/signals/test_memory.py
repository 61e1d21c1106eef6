"""Memory that does not grow with the log."""

from __future__ import annotations

import io
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from tests.bench.logs import ERROR_LINE, noisy_log

from ascendenv.signals.scan import scan

if TYPE_CHECKING:
    from collections.abc import Callable

MEGABYTE = 1 << 20


class Endless(io.RawIOBase):
    """A stream of `size` bytes that repeats what `block` gives for each number, without holding them."""

    def __init__(self, block: Callable[[int], bytes], size: int) -> None:
        self._block = block
        self._left = size
        self._number = 0
        self._rest = b""

    def read(self, size: int = -1, /) -> bytes:
        while len(self._rest) < size and self._left > 0:
            more = self._block(self._number)
            self._number += 1
            self._left -= len(more)
            self._rest += more
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken


def _peak(block: Callable[[int], bytes], megabytes: int) -> int:
    scan(b"warm up\n", "log")
    tracemalloc.start()
    try:
        scan(Endless(block, megabytes * MEGABYTE), "log")  # type: ignore[arg-type]
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


NOISE = noisy_log(MEGABYTE, errors=3)
LIBRARIES = "ImportError: lib{}x{}.so: cannot open shared object file: No such file or directory\n"


def _libraries(number: int) -> bytes:
    return "".join(LIBRARIES.format(number, place) + "z" * 1500 + "\n" for place in range(40)).encode()


def _no_line_end(_: int) -> bytes:
    return b"item " + b"y" * 65_531


BLOCKS: dict[str, Callable[[int], bytes]] = {
    "few hits": lambda _: NOISE,
    "the same hit": lambda _: ERROR_LINE.encode() * 500,
    "ever new hits": _libraries,
    "no line end": _no_line_end,
}


@pytest.mark.parametrize("name", BLOCKS)
def test_four_times_the_log_needs_no_more_memory(name: str) -> None:
    small, large = _peak(BLOCKS[name], 2), _peak(BLOCKS[name], 8)
    assert large < small * 1.3 + 2 * MEGABYTE
    assert large < 48 * MEGABYTE
