"""Opens what the user names: a file or, with `-`, standard input."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

from ascendenv.errors import UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["open_input"]


def open_input(name: str, option: str) -> BinaryIO:
    """A binary stream of the file `name`; raises UnusableInput where it cannot be read."""
    if name == "-":
        return sys.stdin.buffer
    try:
        if stat.S_ISDIR(os.stat(name).st_mode):  # noqa: PTH116  (pathlib is not imported on this path)
            raise UnusableInput(
                say("this is a folder, {option} takes a file", option=option),
                where=name,
                hint=say("name the file, or pipe it in: cat FILE | ascendenv doctor {option} -", option=option),
            )
        return open(name, "rb")  # noqa: PTH123, SIM115  (the caller closes it)
    except OSError as error:
        raise UnusableInput(
            say("the file for {option} cannot be read: {reason}", option=option, reason=error.strerror or str(error)),
            where=name,
            hint=say("check the name and the permissions"),
        ) from error
