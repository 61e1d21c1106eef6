"""The Pythons of this machine that the collector must run on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

__all__ = ["pythons"]

OLDEST = (3, 6)


@lru_cache
def pythons() -> dict[str, str]:
    """Version to path: those of a version manager, those on PATH, and our own."""
    folders = [
        *sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin")),
        *map(Path, os.environ.get("PATH", "").split(":")),
    ]
    found = {".".join(map(str, sys.version_info[:2])): sys.executable}
    for folder in folders:
        if "shims" in folder.parts:
            continue
        for path in sorted(folder.glob("python3.*")):
            if re.fullmatch(r"python3\.\d+", path.name) and path.name.removeprefix("python") not in found:
                version = _version(path)
                if version is not None and version >= OLDEST:
                    found[".".join(map(str, version))] = str(path)
    return found


def _version(path: Path) -> tuple[int, int] | None:
    code = "import sys; print(*sys.version_info[:2])"
    try:
        answer = subprocess.run([path, "-c", code], capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    major, minor = answer.stdout.split()
    return int(major), int(minor)
