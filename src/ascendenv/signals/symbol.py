"""What a symbol's name tells: how people read it, whose it is, and which form of `std::string` it was built for."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ascendenv.resources import read_compiled
from ascendenv.signals.demangle import Unsupported, demangle

__all__ = ["Symbol", "provider_of", "read_symbol"]

_LENGTH_AND_NAME = re.compile(r"(\d+)(?=[A-Za-z_])")
_OLD_STRING = re.compile(r"Ss|SbI[cw]")
_QUALIFIED = re.compile(
    r"(?:(?:vtable|VTT|typeinfo(?: name)?|guard variable) for )?(?P<name>(?:\(anonymous namespace\)|[^<(@])+)"
)


@dataclass(frozen=True)
class Symbol:
    """A linker symbol.

    `readable` is for people; `qualified` the name up to its first argument (`c10::Error::Error`); `provider` the package that
    should have it (`torch`, `torch_npu`, `cann`, `nnal`, `driver`, `libstdc++`, ...), None when nothing tells.
    """

    name: str
    readable: str
    qualified: str
    provider: str | None

    @property
    def namespace(self) -> str | None:
        """The outermost C++ namespace, e.g. `c10`; None for a C name and for a C++ name without one."""
        first, colons, _ = self.qualified.partition("::")
        return first if colons else None

    @property
    def string_abi(self) -> Literal["old", "new"] | None:
        """`new` when it was built for the C++11 `std::string`, `old` for the one before; None when no string is in it."""
        if not self.name.startswith("_Z"):
            return None
        if "__cxx11" in self.name or "B5cxx11" in self.name:
            return "new"
        return "old" if _OLD_STRING.search(_without_names(self.name)) else None


def read_symbol(name: str) -> Symbol:
    """The symbol of that name; one that cannot be read keeps its name as its readable form."""
    try:
        readable = demangle(name)
    except Unsupported:
        qualified = "::".join(_names_in(name)) or name
        readable = qualified if name.startswith("_Z") else name
    else:
        match = _QUALIFIED.match(readable)
        qualified = match["name"] if match else readable
    return Symbol(name, readable, qualified, _provider(qualified))


def provider_of(symbol: str) -> str | None:
    """The package that should have `symbol`, e.g. `torch` for `_ZN3c105ErrorD1Ev`; None when nothing tells."""
    return read_symbol(symbol).provider


def _provider(qualified: str) -> str | None:
    fitting = [rule for rule in _rules() if _fits(rule[0], qualified)]
    return max(fitting, key=lambda rule: len(rule[0]))[1] if fitting else None


def _fits(prefix: str, name: str) -> bool:
    if prefix.endswith("("):
        return name == prefix[:-1]
    if not name.startswith(prefix):
        return False
    if prefix.endswith(("::", "_")):
        return True
    return "::" not in name and not name[len(prefix) : len(prefix) + 1].islower()


@lru_cache(maxsize=1)
def _rules() -> tuple[tuple[str, str], ...]:
    rules = json.loads(read_compiled("symbols.json"))["rules"]
    return tuple((prefix, rule["provider"]) for rule in rules for prefix in rule["prefixes"])


def _without_names(mangled: str) -> str:
    """The mangled form without the identifiers in it, so that their letters are not taken for grammar."""
    kept, at = [], 0
    while match := _LENGTH_AND_NAME.search(mangled, at):
        kept.append(mangled[at : match.start()])
        at = match.end() + int(match[1])
    return " ".join([*kept, mangled[at:]])


def _names_in(mangled: str) -> list[str]:
    """The identifiers at the front of a mangled name that the demangler does not read."""
    names: list[str] = []
    if not mangled.startswith("_Z"):
        return names
    at = len(mangled) - len(re.sub(r"^_Z(?:T[VTIS]|GV)?(?:N?[rVKRO]*)", "", mangled))
    while match := _LENGTH_AND_NAME.match(mangled, at):
        at = match.end() + int(match[1])
        names.append(mangled[match.end() : at])
    return names
