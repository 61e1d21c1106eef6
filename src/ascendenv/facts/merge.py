"""What two inputs about one box know together."""

from __future__ import annotations

from dataclasses import fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from ascendenv.facts.model import CannInstall, HostFacts, Packages
from ascendenv.facts.toolkit import resolve, tree_of
from ascendenv.facts.unknown import NOT_GIVEN, Unknown
from ascendenv.signals.model import Signals

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["merge"]


def merge(first: HostFacts, second: HostFacts) -> HostFacts:
    """All facts of both: `first` outranks `second`; collections are united, and signals follow each other."""
    values: dict[str, object] = {}
    provenance = {}
    for one in fields(HostFacts):
        if one.name == "provenance":
            continue
        mine, other = getattr(first, one.name), getattr(second, one.name)
        values[one.name] = _united(mine, other)
        outranked = not isinstance(mine, Unknown) and type(mine) not in _UNIONS
        if lines := first.seen(one.name) + (() if outranked else second.seen(one.name)):
            provenance[one.name] = lines
    for name in {**first.provenance, **second.provenance}.keys() - provenance.keys() - values.keys():
        provenance[name] = first.seen(name) or second.seen(name)
    both = replace(HostFacts(**cast("Any", values)), provenance=MappingProxyType(provenance))
    return _with_toolkit(both)


def _with_toolkit(facts: HostFacts) -> HostFacts:
    """One input may tell which toolkit is in use, the other the version of each."""
    if isinstance(facts.cann_installs, Unknown) or isinstance(facts.environment, Unknown):
        return facts
    recorded = any(install.version == facts.cann for install in facts.cann_installs)
    installs, cann = resolve(facts.cann_installs, facts.environment, NOT_GIVEN if recorded else facts.cann)
    return replace(facts, cann_installs=installs, cann=cann)


def _united(first: object, second: object) -> object:
    if isinstance(first, Unknown):
        # Of two reasons the one that says more than "not told" is kept.
        return first if isinstance(second, Unknown) and first is not NOT_GIVEN else second
    if isinstance(second, Unknown):
        return first
    union = _UNIONS.get(type(first))
    return union(first, second) if union and type(first) is type(second) else first


def _tuples(first: tuple[object, ...], second: tuple[object, ...]) -> tuple[object, ...]:
    known = {_identity(one) for one in first}
    return first + tuple(one for one in second if _identity(one) not in known)


def _identity(one: object) -> object:
    """Elements with the same identity are one thing seen twice."""
    for names in (("npu_id", "chip_id", "bus_id"), ("npu_id", "pid"), ("path", "mode"), ("device",)):
        if all(hasattr(one, name) for name in names):
            return tuple(getattr(one, name) for name in (names[:1] if names[0] == "path" else names))
    return (one.version, tree_of(one.path or "")) if isinstance(one, CannInstall) else one


def _packages(first: Packages, second: Packages) -> Packages:
    together = MappingProxyType({**second.by_name, **first.by_name})
    return Packages(together, complete=first.complete or second.complete)


_UNIONS: dict[type, Callable[[Any, Any], object]] = {
    tuple: _tuples,
    frozenset: frozenset.union,
    Signals: lambda first, second: Signals(first.items + second.items),
    Packages: _packages,
    MappingProxyType: lambda first, second: MappingProxyType({**second, **first}),
}
