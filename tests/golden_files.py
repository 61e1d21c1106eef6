"""Compares rendered output with a file in `tests/golden`; `UPDATE_GOLDEN=1 pytest ...` writes the files anew."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["assert_golden"]

FOLDER = Path(__file__).parent / "golden"


def assert_golden(name: str, text: str) -> None:
    """Fail where `text` differs from the file `name`."""
    path = FOLDER / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    assert text == path.read_text()
