"""`ascendenv matrix site`: the matrix as one page that needs no server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ascendenv.errors import UnusableInput
from ascendenv.files import write_whole
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ascendenv.matrix.model import Matrix

__all__ = ["write_site"]


def write_site(matrix: Matrix, output: str, folders: Sequence[str]) -> Path:
    """Write the page of that matrix as `index.html` into the folder `output`; raises UnusableInput."""
    from ascendenv.site.page import page

    folder = Path(output)
    if folder.exists() and not folder.is_dir():
        raise UnusableInput(say("this is a file; name a folder"), where=output)
    target = folder / "index.html"
    try:
        write_whole(target, page(matrix, folders))
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnusableInput(
            say("this folder cannot be written: {reason}", reason=reason), where=output
        ) from None
    return target
