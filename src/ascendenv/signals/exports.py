"""Which torch releases have a C++ symbol, and which torch_npu asks torch or CANN for what.

The tables (`matrix/symbols/tables`) are read when the first symbol is asked for. Releases are those whose wheels were
read; for any other one the answer is "not known".
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypedDict, cast

from ascendenv.resources import read_compiled
from ascendenv.signals.symbol import read_symbol
from ascendenv.versions import pep440

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascendenv.versions import Version

__all__ = ["Callers", "Exporters", "Needs", "needed_by", "who_calls", "who_exports"]

_TWIN = "GetWorkspaceSize"
"""Every aclnn operator has a second function that is called before it."""


@dataclass(frozen=True)
class Exporters:
    """Who has a symbol of torch and who wants it; releases in order, the oldest first.

    `string_abi` is set when a `std::string` is in the symbol: then only builds with that form of it count, and `known`
    (the releases that were read) are of that form, too.
    """

    symbol: str
    string_abi: Literal["old", "new"] | None
    torch: tuple[Version, ...]
    known: tuple[Version, ...]
    torch_npu: tuple[Version, ...]
    """The torch_npu versions that need it."""


@dataclass(frozen=True)
class Callers:
    """Which torch_npu versions call a function of CANN, NNAL or the driver.

    Those in `bound_by` cannot be loaded without it; those in `looked_up_by` ask for it when it is needed.
    """

    function: str
    bound_by: tuple[Version, ...]
    looked_up_by: tuple[Version, ...]
    known: tuple[Version, ...]

    def bound_in(self, torch_npu: Version) -> bool | None:
        """Whether that torch_npu cannot be loaded without it; None for a version that was not read."""
        version = pep440(torch_npu.public)
        return version in self.bound_by if version in self.known else None


@dataclass(frozen=True)
class Needs:
    """What one torch_npu asks others for: torch symbols, and functions of CANN that it binds or looks up."""

    torch: frozenset[str]
    bound: frozenset[str]
    looked_up: frozenset[str]


class _Group(TypedDict):
    """Names between spaces, and the places of their holders (`has`: builds or binders) and askers in the lists of releases."""

    names: str
    has: list[int]
    asks: list[int]


class _Tables(TypedDict):
    torch: list[tuple[Literal["old", "new"], str]]
    torch_npu: list[str]
    exports: list[_Group]
    functions: list[_Group]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    return cast("_Tables", json.loads(read_compiled("symbol_tables.json")))


@lru_cache(maxsize=1)
def _torch_npu() -> tuple[Version, ...]:
    return tuple(pep440(one) for one in _tables()["torch_npu"])


def who_exports(symbol: str) -> Exporters | None:
    """Who has and who wants a symbol of torch; None for one that no torch_npu needs."""
    group = _group_of(symbol, _tables()["exports"])
    if group is None:
        return None
    string_abi = read_symbol(symbol).string_abi
    builds = _tables()["torch"]
    has = [builds[place] for place in group["has"]]
    known = _releases(builds, string_abi)
    return Exporters(
        symbol, string_abi, _releases(has, string_abi), known, _pick(_torch_npu(), group["asks"])
    )


def who_calls(function: str) -> Callers | None:
    """Who calls a function of CANN, NNAL or the driver; None for one that no torch_npu calls."""
    name = function.removesuffix(_TWIN)
    group = _group_of(name, _tables()["functions"])
    if group is None:
        return None
    versions = _torch_npu()
    return Callers(function, _pick(versions, group["has"]), _pick(versions, group["asks"]), versions)


def needed_by(torch_npu: Version) -> Needs | None:
    """What that torch_npu needs, on any architecture; None for a version that was not read."""
    versions = _torch_npu()
    if pep440(torch_npu.public) not in versions:
        return None
    place, tables = versions.index(pep440(torch_npu.public)), _tables()
    return Needs(
        _names(tables["exports"], "asks", place),
        _names(tables["functions"], "has", place),
        _names(tables["functions"], "asks", place),
    )


def _group_of(name: str, groups: list[_Group]) -> _Group | None:
    if not name or " " in name:
        return None
    return next((group for group in groups if f" {name} " in group["names"]), None)


def _releases(builds: Iterable[tuple[str, str]], string_abi: str | None) -> tuple[Version, ...]:
    return tuple(sorted({pep440(version) for abi, version in builds if string_abi in (None, abi)}))


def _pick(versions: tuple[Version, ...], places: Iterable[int]) -> tuple[Version, ...]:
    return tuple(versions[place] for place in places)


def _names(groups: Iterable[_Group], key: Literal["has", "asks"], place: int) -> frozenset[str]:
    return frozenset(name for group in groups if place in group[key] for name in group["names"].split())
