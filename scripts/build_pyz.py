"""Builds `ascendenv.pyz`: the doctor as one zip file of pure Python, for machines without network or packages.

    python -m scripts.build_pyz WHEEL OUTPUT

Taken along is what the doctor imports: ascendenv itself and typer with what it needs. Compiled libraries stay out, so
one file serves every architecture; pydantic, PyYAML and requests are not on the doctor's path. The bytes are the same
for the same wheels: entries are sorted and carry no time.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

LIBRARIES = ("typer>=0.16,<0.29", "packaging>=24")
"""Beside ascendenv; pip adds what typer itself needs."""

MAIN = "from ascendenv.cli import main\n\nmain()\n"
SHEBANG = b"#!/usr/bin/env python3\n"
EPOCH = (1980, 1, 1, 0, 0, 0)
LEFT_OUT = ("bin", "__pycache__")


class NotPure(Exception):
    """A library came with compiled code, which one zip file for all architectures cannot hold."""


def build(wheel: Path, output: Path) -> None:
    """Write the zip file `output` from the built `wheel` of ascendenv; raises NotPure, CalledProcessError."""
    with tempfile.TemporaryDirectory() as folder:
        install(folder, "--no-deps", str(wheel))
        install(folder, "--only-binary=:all:", *LIBRARIES)
        pack(Path(folder), output)


def install(folder: str, *requirements: str) -> None:
    """Let pip unpack wheels into `folder`."""
    options = ["--quiet", "--disable-pip-version-check", "--no-compile", "--upgrade", "--target", folder]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, *requirements], check=True)


def pack(folder: Path, output: Path) -> None:
    """Pack everything in `folder` that a run needs."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not _is_left_out(path, folder))
    compiled = [path.name for path in files if path.suffix == ".so"]
    if compiled:
        raise NotPure(", ".join(compiled))
    output.parent.mkdir(parents=True, exist_ok=True)
    with output.open("wb") as stream:
        stream.write(SHEBANG)
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in files:
                _add(archive, path.relative_to(folder).as_posix(), path.read_bytes())
            _add(archive, "__main__.py", MAIN.encode())
    output.chmod(0o755)


def _is_left_out(path: Path, folder: Path) -> bool:
    parts = path.relative_to(folder).parts
    return any(part in LEFT_OUT for part in parts) or parts[-1] in ("RECORD", "INSTALLER", "direct_url.json")


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
