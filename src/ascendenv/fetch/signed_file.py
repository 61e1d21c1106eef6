"""The signature of a file that a site got: it lies beside the file, or in an archive with what it signs."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

from ascendenv.fetch.signature import check_signature

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import IO

    from ascendenv.fetch.signature import Signed

__all__ = ["BESIDE", "signature_of"]

BESIDE = (".cms", ".crl")
"""What lies beside a file and is none itself: its signature, and the list of revoked certificates."""
_BLOCK = 1 << 20


def signature_of(path: Path, kept: Path, roots: Sequence[str]) -> Signed | None:
    """Who signed the file at `path`, whose bytes are at `kept`; None where no signature is found. Raises BadSignature."""
    beside = path.with_name(f"{path.name}.cms")
    if beside.is_file():
        with kept.open("rb") as stream:
            lists = [one.read_bytes() for one in _lists_beside(path)]
            return check_signature(_blocks(stream), beside.read_bytes(), lists, roots, str(path))
    if zipfile.is_zipfile(kept):
        return _signature_inside(path, kept, roots)
    return None


def _lists_beside(path: Path) -> list[Path]:
    """The list of revoked certificates of the same name, else all that lie there."""
    own = path.with_name(f"{path.name}.crl")
    return [own] if own.is_file() else sorted(path.parent.glob("*.crl"))


def _signature_inside(path: Path, kept: Path, roots: Sequence[str]) -> Signed | None:
    with zipfile.ZipFile(kept) as archive:
        names = set(archive.namelist())
        signed = sorted(one for one in names if f"{one}.cms" in names)
        lists = [archive.read(one) for one in sorted(names) if one.endswith(".crl")]
        found = None
        for one in signed:
            with archive.open(one) as stream:
                found = check_signature(
                    _blocks(stream), archive.read(f"{one}.cms"), lists, roots, f"{path}: {one}"
                )
        packages = {one for one in names if one.endswith((".run", ".zip", ".hpm"))}
        # What nobody signed is not vouched for by its neighbour.
        return found if packages <= set(signed) else None


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    while block := stream.read(_BLOCK):
        yield block
