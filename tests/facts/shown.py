"""Facts as plain data, so that expectations can lie beside samples as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from ascendenv.facts.model import HostFacts, Packages
from ascendenv.facts.unknown import Unknown
from ascendenv.versions import Version

__all__ = ["shown"]

_APART = frozenset(("signals", "provenance"))


def shown(facts: HostFacts) -> dict[str, Any]:
    """The known facts, without signals and provenance; what is None inside a fact is left out."""
    known = {one.name: getattr(facts, one.name) for one in fields(HostFacts) if one.name not in _APART}
    return {name: _plain(value) for name, value in known.items() if not isinstance(value, Unknown)}


def _plain(value: object) -> Any:
    if isinstance(value, Version):
        return str(value)
    if isinstance(value, Packages):
        return {package.name: package.version for package in value}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (tuple, frozenset)):
        plain = [_plain(one) for one in value]
        return sorted(plain) if isinstance(value, frozenset) else plain
    if is_dataclass(value):
        told = {one.name: getattr(value, one.name) for one in fields(value)}
        return {name: _plain(one) for name, one in told.items() if one is not None}
    return value
