"""What a lock wants brought: each file once, whichever stacks and names it has."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ascendenv.lock.model import Artefact

__all__ = ["Goal", "Places", "goals_of"]


@dataclass(frozen=True)
class Goal:
    """A file, the places that may have it in the order in which they are asked, the header they want, its rows in the lock.

    The rows say the same of the bytes: the same hash, or without one the same file of the same package.
    """

    rows: tuple[Artefact, ...]
    urls: tuple[str, ...]
    referer: str | None = None

    @property
    def first(self) -> Artefact:
        """The row that stands for all."""
        return self.rows[0]

    @property
    def sha256(self) -> str | None:
        """The hash that the lock knows."""
        return self.first.sha256

    @property
    def size(self) -> int | None:
        """The bytes that the lock knows of."""
        return next((one.size for one in self.rows if one.size is not None), None)

    @property
    def name(self) -> str:
        """The file's name for people."""
        return self.first.file or f"{self.first.name} {self.first.version}"

    @property
    def key(self) -> str:
        """A name for the unfinished file as long as no hash is known."""
        return sha256(json.dumps(identity(self.first)).encode()).hexdigest()


class Places:
    """Where files are asked for.

    `mirrors` are pairs of a beginning of addresses and a template that takes their place, `referers` headers that servers
    want, by the names of the servers.
    """

    def __init__(
        self, mirrors: Sequence[tuple[str, str]] = (), referers: Mapping[str, str] | None = None
    ) -> None:
        self._mirrors = mirrors
        self._referers = referers or {}

    def referer(self, row: Artefact) -> str | None:
        """The header that the row names, or that its server wants."""
        servers = (urlsplit(url).hostname or "" for url in row.urls)
        return row.referer or next((self._referers[one] for one in servers if one in self._referers), None)

    def addresses(self, row: Artefact) -> tuple[str, ...]:
        """Mirrors first, in the order of the rules, then the addresses of the lock."""
        found = [
            _filled(template, url[len(prefix) :], row)
            for prefix, template in self._mirrors
            for url in row.urls
            if url.startswith(prefix)
        ]
        return tuple(dict.fromkeys([*(one for one in found if one), *row.urls]))


def goals_of(rows: Iterable[Artefact], places: Places) -> tuple[Goal, ...]:
    """The files of those rows, in their order."""
    found: dict[object, list[Artefact]] = {}
    for row in rows:
        found.setdefault(row.sha256 or identity(row), []).append(row)
    return tuple(_goal(tuple(same), places) for same in found.values())


def _goal(rows: tuple[Artefact, ...], places: Places) -> Goal:
    urls = dict.fromkeys(url for row in rows for url in places.addresses(row))
    return Goal(rows, tuple(urls), next(filter(None, map(places.referer, rows)), None))


def identity(row: Artefact) -> tuple[str | None, ...]:
    """What names a file whose hash is not known."""
    return (row.component, row.name, row.version, row.arch, row.file)


def _filled(template: str, path: str, row: Artefact) -> str:
    """The mirror's address; nothing where it wants a hash that is not known."""
    if "{sha256}" in template and row.sha256 is None:
        return ""
    values = {"path": path, "file": row.file or "", "sha256": row.sha256 or ""}
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", value)
    return template
