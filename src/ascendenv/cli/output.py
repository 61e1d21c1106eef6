"""Where an answer goes: standard output, or a file that is written whole."""

from __future__ import annotations

import sys
from pathlib import Path

from ascendenv.errors import UnusableInput
from ascendenv.files import write_whole
from ascendenv.language import say

__all__ = ["write_text"]


def write_text(text: str, output: str, *, mode: int = 0o644) -> None:
    """Write `text` to the file `output`, `-` for standard output; raises UnusableInput where it cannot be written."""
    if output == "-":
        sys.stdout.write(text)
        return
    try:
        write_whole(Path(output), text.encode("utf-8", "surrogateescape"), mode=mode)
    except OSError as error:
        raise UnusableInput(
            say("this cannot be written: {reason}", reason=error.strerror or str(error)), where=output
        ) from error
