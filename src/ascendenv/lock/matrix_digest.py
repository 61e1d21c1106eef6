"""The digest of the matrix that a lock was made from, so that two locks can be told apart by their sources."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascendenv.matrix.artefacts import Artefacts
    from ascendenv.matrix.model import Matrix

__all__ = ["matrix_digest"]


def matrix_digest(matrix: Matrix, artefacts: Artefacts) -> str:
    """`sha256:` and 64 digits over all rows, whatever order their keys have."""
    whole = sha256()
    for raw in (matrix.raw, artefacts.raw):
        whole.update(json.dumps(raw, sort_keys=True, separators=(",", ":")).encode())
    return f"sha256:{whole.hexdigest()}"
