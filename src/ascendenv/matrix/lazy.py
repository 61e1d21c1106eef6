"""Rows that are built when they are asked for: most questions touch a handful of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from ascendenv.matrix.fields import decode
from ascendenv.versions import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ascendenv.versions import Scheme, Version

__all__ = ["RawRow", "VersionedRows"]

T = TypeVar("T")
RawRow = dict[str, object]


class VersionedRows(Mapping[str, T], Generic[T]):
    """Rows by their version, newest first; `key` names the field that holds the version."""

    def __init__(
        self,
        row: type[T],
        raws: Iterable[RawRow],
        *,
        key: str,
        scheme: Scheme,
        prepared: Callable[[RawRow], RawRow] = dict,
    ) -> None:
        self._row = row
        self._raws = {str(raw[key]): raw for raw in raws}
        self._scheme: Scheme = scheme
        self._prepared = prepared
        self._built: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._built:
            self._built[name] = decode(self._row, self._prepared(self._raws[name]))
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._raws)

    def __contains__(self, name: object) -> bool:
        return name in self._raws

    def find(self, version: Version) -> T | None:
        """The row of exactly that version or alias, else the one that it is a build or patch of."""
        name = self._names.get(version)
        if name is None:
            name = next((own for known, own in self._names.items() if version.belongs_to(known)), None)
        return None if name is None else self[name]

    @cached_property
    def _versions(self) -> dict[str, Version]:
        return {name: parse(name, self._scheme) for name in self._raws}

    @cached_property
    def _order(self) -> list[str]:
        return sorted(self._raws, key=self._versions.__getitem__, reverse=True)

    @cached_property
    def _names(self) -> dict[Version, str]:
        names = {
            parse(alias, self._scheme): name for name, raw in self._raws.items() for alias in _aliases(raw)
        }
        return names | {version: name for name, version in self._versions.items()}


def _aliases(raw: RawRow) -> list[str]:
    aliases = raw.get("aliases")
    return [str(alias) for alias in aliases] if isinstance(aliases, list) else []
