"""The beginning of a file that is still on its way. It never has its final name, and its end is always known to the hash."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Origin", "Partial"]

_BLOCK = 1 << 20


@dataclass(frozen=True)
class Origin:
    """Where the bytes came from, and what the server called this state of the file (an ETag or a date; may be empty)."""

    url: str
    validator: str = ""

    @property
    def place(self) -> str:
        """The hash of the address, which may hold a password and is written down."""
        return sha256(self.url.encode()).hexdigest()


class Partial:
    """A file that grows at its end; what an earlier run left is hashed again and kept.

    `length` counts its bytes, `digest` is the sha256 of them. Only one process may hold it (see `occupied`).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._note = path.with_name(f"{path.name}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._stream = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+b", buffering=0)
        self._hash = sha256()
        self.length = 0
        while block := self._stream.read(_BLOCK):
            self._hash.update(block)
            self.length += len(block)

    def close(self) -> None:
        """Let go of the file; it stays as it is."""
        self._stream.close()

    @property
    def digest(self) -> str:
        """The sha256 of the bytes so far."""
        return self._hash.hexdigest()

    def validator_at(self, url: str) -> str:
        """What the server at that address called the state of the file that the bytes are from; empty for any other one."""
        try:
            noted = json.loads(self._note.read_bytes())
            return str(noted["validator"]) if noted["place"] == Origin(url).place else ""
        except (OSError, ValueError, KeyError, TypeError):
            return ""

    def begin(self, origin: Origin) -> None:
        """Drop all bytes; those that come next are from `origin`."""
        self.clear()
        self._note.write_text(json.dumps({"place": origin.place, "validator": origin.validator}))

    def clear(self) -> None:
        """Drop all bytes."""
        self._stream.truncate(0)
        self._stream.seek(0)
        self._note.unlink(missing_ok=True)
        self._hash = sha256()
        self.length = 0

    def append(self, block: bytes) -> None:
        """Put `block` at the end; raises OSError, after which `length` and `digest` still tell what the file holds."""
        rest = memoryview(block)
        while rest:
            count = self._stream.write(rest)
            self._hash.update(rest[:count])
            self.length += count
            rest = rest[count:]

    def become(self, target: Path) -> None:
        """Give the file its final name: flushed to disk first, read-only from then on. It is closed."""
        os.fsync(self._stream.fileno())
        os.fchmod(self._stream.fileno(), 0o444)
        self._stream.close()
        target.parent.mkdir(parents=True, exist_ok=True)
        # The note goes first: whenever this ends, none is left alone.
        self._note.unlink(missing_ok=True)
        self.path.replace(target)
        flush_folder(target.parent)

    def discard(self) -> None:
        """Remove it."""
        self._stream.close()
        self._note.unlink(missing_ok=True)
        self.path.unlink(missing_ok=True)


def flush_folder(folder: Path) -> None:
    """Make the names in `folder` last over a power cut, where the file system can."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    except OSError:  # some network file systems refuse it; the names are then as safe as they get there
        pass
    finally:
        os.close(handle)
