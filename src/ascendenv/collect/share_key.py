"""The key of this operator's pseudonyms: with one key, equal things are equal in all files that one person shares."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from ascendenv.files import write_whole

__all__ = ["share_key"]

_SIZE = 32


def share_key() -> bytes:
    """The key from the state folder, made at the first call; one for this run only where nothing can be written."""
    path = _place()
    try:
        key = path.read_bytes()
    except OSError:
        key = b""
    if len(key) == _SIZE:
        return key
    key = secrets.token_bytes(_SIZE)
    try:
        write_whole(path, key, mode=0o600)
    except OSError:
        return key
    return key


def _place() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or str(Path("~/.local/state").expanduser())
    return Path(state) / "ascendenv" / "share.key"
