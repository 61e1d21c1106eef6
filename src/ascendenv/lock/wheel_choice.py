"""Which wheel of a package a target takes: newer uvs list only that one, older ones list all."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import InvalidWheelFilename, parse_wheel_filename

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ascendenv.matrix.rows.base import Arch

__all__ = ["best_wheel"]

_GLIBC = 28
"""The second number of the glibc that is taken where none is named; manylinux_2_28 is what torch asks for."""
_OLDEST = 5
_LEGACY = {17: "manylinux2014", 12: "manylinux2010", 5: "manylinux1"}


def best_wheel(files: Iterable[str], *, arch: Arch, python: str, platform: str | None) -> str | None:
    """The file that pip would take on that target; None where none fits. `platform` is such as `manylinux_2_28`."""
    ranks = _ranks(arch, python, platform)
    found = ((rank, file) for file in files if (rank := _rank(file, ranks)) is not None)
    return min(found, default=(0, None))[1]


def _rank(file: str, ranks: Mapping[Tag, int]) -> int | None:
    try:
        *_, tags = parse_wheel_filename(file)
    except InvalidWheelFilename:
        return None
    return min((ranks[tag] for tag in tags if tag in ranks), default=None)


@lru_cache(maxsize=16)
def _ranks(arch: Arch, python: str, platform: str | None) -> Mapping[Tag, int]:
    numbers = [int(one) for one in python.split(".")[:2]]
    minor = int(platform.rpartition("_")[2]) if platform is not None else _GLIBC
    platforms = list(_platforms(minor, arch))
    interpreter = "cp" + "".join(str(one) for one in numbers)
    tags = [
        *cpython_tags(numbers, [interpreter], platforms),
        *compatible_tags(numbers, interpreter, platforms),
    ]
    return {tag: rank for rank, tag in reversed(list(enumerate(tags)))}


def _platforms(minor: int, arch: Arch) -> Iterable[str]:
    oldest = 17 if arch == "aarch64" else _OLDEST
    for number in range(minor, oldest - 1, -1):
        yield f"manylinux_2_{number}_{arch}"
        if number in _LEGACY:
            yield f"{_LEGACY[number]}_{arch}"
    yield f"linux_{arch}"
