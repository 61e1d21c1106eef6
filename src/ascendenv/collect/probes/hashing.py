"""The hashes by which the symbol tables of libraries are searched."""

import math
from operator import mul
from typing import Callable, Dict, Iterable, Tuple

WEIGHTS: Dict[int, Tuple[int, Tuple[int, ...]]] = {}
"""Start of the sum, and what each byte of a name counts, by the length of the name: faster than step by step."""
LONGEST_WEIGHED = 2048


def gnu_hash(name: bytes) -> int:
    """The hash by which GNU tables are searched: from 5381 on, times 33 plus the next byte, cut to 32 bits."""
    size = len(name)
    if size > LONGEST_WEIGHED:
        value = 5381
        for byte in name:
            value = (value * 33 + byte) & 0xFFFFFFFF
        return value
    if size not in WEIGHTS:
        WEIGHTS[size] = _weights(size)
    start, weights = WEIGHTS[size]
    return (start + dot(name, weights)) & 0xFFFFFFFF


def _dot(first: Iterable[int], second: Iterable[int]) -> int:
    return sum(map(mul, first, second))


# Python 3.12 brings a faster one.
dot: Callable[[Iterable[int], Iterable[int]], int] = getattr(math, "sumprod", _dot)


def _weights(size: int) -> Tuple[int, Tuple[int, ...]]:
    powers = [pow(33, place, 1 << 32) for place in range(size, -1, -1)]
    return 5381 * powers[0], tuple(powers[1:])


def plain_hash(name: bytes) -> int:
    """The hash by which System V tables are searched."""
    value = 0
    for byte in name:
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high & 0xFFFFFFFF
    return value
