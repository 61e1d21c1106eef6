"""Rows of a lock, and downloads that do not make tests wait."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ascendenv.fetch.goal import Goal, Places, goals_of
from ascendenv.fetch.servers import Patience
from ascendenv.lock.model import Artefact, Lock, Part, Stack

if TYPE_CHECKING:
    from pathlib import Path
    from threading import Event

    from ascendenv.language import Message

QUICK = Patience(tries=3, first=0.01, most=0.02, longest=2.0, stall=0.4, least=4000)


def row(body: bytes | None = None, *urls: str, file: str = "a.run", **values: Any) -> Artefact:
    """A row of the lock for a file with those bytes; without bytes nothing is known of them."""
    known: dict[str, Any] = {
        "component": "toolkit",
        "name": "toolkit",
        "version": "9.0.0",
        "verified": "unverified" if body is None else "deployer",
        "file": file,
        "urls": urls,
        "size": None if body is None else len(body),
        "sha256": None if body is None else sha256(body).hexdigest(),
    }
    return Artefact(**(known | values))


def wheel(body: bytes, *urls: str, name: str = "six", version: str = "1.17.0", **values: Any) -> Artefact:
    """A row for a wheel."""
    file = values.pop("file", f"{name.replace('-', '_')}-{version}-py3-none-any.whl")
    known = {"component": "pip", "name": name, "version": version, "verified": "package index"}
    return row(body, *urls, file=file, **(known | values))


_PARTS = {"hdk": "hdk", "driver": "hdk", "firmware": "hdk", "pip": "python", "interpreter": "python"}


def lock_of(*rows: Artefact, stack: str = "default", family: str = "910B") -> Lock:
    """A lock with one stack that has those rows in their parts."""
    parts: dict[str, list[Artefact]] = {"hdk": [], "cann": [], "python": []}
    for one in rows:
        parts[_PARTS.get(one.component, "cann")].append(one)
    return Lock(
        stacks=(
            Stack(
                name=stack,
                arch=("aarch64",),
                parts=tuple(Part(name=name, artefacts=tuple(some)) for name, some in parts.items() if some),
                chip="910B3",
                family=family,
            ),
        )
    )


def goal(body: bytes | None, *urls: str, **values: Any) -> Goal:
    (found,) = goals_of([row(body, *urls, **values)], Places())
    return found


@dataclass
class Heard:
    """A progress that remembers what it was told; `stop_at` ends the run when that many bytes are here."""

    begun: list[tuple[str, int | None, int]] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    stop: Event | None = None
    stop_at: int = 0

    def begin(self, name: str, size: int | None, have: int) -> None:
        self.begun.append((name, size, have))

    def grew(self, name: str, length: int) -> None:
        self.lengths.append(length)
        if self.stop is not None and length >= self.stop_at:
            self.stop.set()

    def note(self, name: str, message: Message) -> None:
        self.notes.append(message.text())

    def end(self, name: str) -> None:
        self.ended.append(name)


def names_below(root: Path) -> set[str]:
    """The paths of all files in a folder, relative to it."""
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


def tree_of(root: Path) -> dict[str, bytes]:
    """Every file of a folder with its content."""
    return {name: (root / name).read_bytes() for name in sorted(names_below(root))}
