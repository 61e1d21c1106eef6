"""What a fetch tells while it works; whoever shows it decides how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ascendenv.language import Message

__all__ = ["Progress", "Silent"]


class Progress(Protocol):
    """Hears what happens, from several threads at once. `name` is the name of a file."""

    def begin(self, name: str, size: int | None, have: int) -> None:
        """A file is asked for; `have` bytes of it are here already."""

    def grew(self, name: str, length: int) -> None:
        """So many bytes of it are here now; fewer than before where it had to begin anew."""

    def note(self, name: str, message: Message) -> None:
        """Something went wrong that may still turn out well."""

    def end(self, name: str) -> None:
        """The file is here, or was given up."""


class Silent:
    """Shows nothing."""

    def begin(self, name: str, size: int | None, have: int) -> None:
        """Nothing."""

    def grew(self, name: str, length: int) -> None:
        """Nothing."""

    def note(self, name: str, message: Message) -> None:
        """Nothing."""

    def end(self, name: str) -> None:
        """Nothing."""
