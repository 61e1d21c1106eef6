"""What can go wrong for a user, and the exit code that each outcome has.

An `AscendenvError` is a message for people: the command line prints it without a traceback.
Every other exception is a bug of ours.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from ascendenv.language import Message

__all__ = ["AscendenvError", "ExitCode", "HostFailed", "NothingChecked", "UnusableInput", "strongest"]


class ExitCode(IntEnum):
    """The exit codes of every command."""

    GOOD = 0
    FINDINGS = 1
    UNUSABLE_INPUT = 2
    BLOCKED = 3
    NOTHING_CHECKED = 4
    HOST_FAILED = 5
    INTERRUPTED = 130


_STRENGTH = (
    ExitCode.HOST_FAILED,
    ExitCode.BLOCKED,
    ExitCode.FINDINGS,
    ExitCode.NOTHING_CHECKED,
    ExitCode.GOOD,
)


def strongest(codes: list[ExitCode]) -> ExitCode:
    """The code that stands for many boxes: 5, 3, 1, 4, 0 in this order; nothing at all is 4."""
    return next((code for code in _STRENGTH if code in codes), ExitCode.NOTHING_CHECKED)


class AscendenvError(Exception):
    """Something the user can act on: what was wrong, where, and what to do."""

    exit_code: ClassVar[ExitCode] = ExitCode.UNUSABLE_INPUT
    code: ClassVar[str] = "error"

    def __init__(self, message: Message, *, where: str = "", hint: Message | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        """The message in English, after the place."""
        text = self.message.text()
        return f"{self.where}: {text}" if self.where else text


class UnusableInput(AscendenvError):
    """A file, an argument or a configuration value that cannot be used."""

    code = "unusable-input"


class NothingChecked(AscendenvError):
    """The input holds nothing that could be judged."""

    exit_code = ExitCode.NOTHING_CHECKED
    code = "nothing-checked"


class HostFailed(AscendenvError):
    """A host or a tool failed under us."""

    exit_code = ExitCode.HOST_FAILED
    code = "host-failed"
