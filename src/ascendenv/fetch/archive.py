"""A bundle as one file to carry: a tar that is the same to the byte whenever the bundle is the same."""

from __future__ import annotations

import io
import os
import tarfile
from typing import TYPE_CHECKING

from ascendenv.fetch.manifest import MANIFEST, manifest_text
from ascendenv.fetch.pages import pages
from ascendenv.fetch.partial import flush_folder
from ascendenv.fetch.space import require

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.fetch.manifest import Manifest

__all__ = ["PREFIX", "write_archive"]

PREFIX = "ascendenv-bundle/"
"""The folder that everything lies in."""
_FRAME = 2048
"""Bytes around a file in the archive at most, for names of usual length."""


def write_archive(root: Path, manifest: Manifest, target: Path) -> None:
    """Write what `manifest` lists of the bundle in `root` to `target`, whole or not at all; raises DiskFull, OSError.

    Each file is in it once, under its name; without the objects.
    """
    made = {**pages(manifest), MANIFEST: manifest_text(manifest)}
    listed = manifest.listed()
    target.parent.mkdir(parents=True, exist_ok=True)
    require(target.parent, sum(one.size + _FRAME for one in listed.values()) + sum(map(len, made.values())))
    new = target.with_name(f".{target.name}.part")
    try:
        with new.open("wb") as stream:
            with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
                # The manifest first: whoever reads the archive from its beginning knows what comes.
                for path in (MANIFEST, *sorted({*listed, *made} - {MANIFEST})):
                    _add(archive, path, root, made.get(path))
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(target)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    flush_folder(target.parent)


def _add(archive: tarfile.TarFile, path: str, root: Path, data: bytes | None) -> None:
    member = tarfile.TarInfo(PREFIX + path)
    member.mode = 0o644
    if data is not None:
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
        return
    with (root / path).open("rb") as stream:
        member.size = os.fstat(stream.fileno()).st_size
        archive.addfile(member, stream)
