"""The matrix that ships with ascendenv, and a site's own folder on top of it."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ascendenv.matrix.model import Matrix
from ascendenv.resources import read_compiled

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.matrix.artefacts import Artefacts
    from ascendenv.matrix.model import RawMatrix
    from ascendenv.matrix.variables import Catalogue

__all__ = [
    "SITE",
    "artefacts_with_site",
    "shipped_artefacts",
    "shipped_matrix",
    "shipped_variables",
    "with_site",
]

SITE = "site: "
"""How the sources of rows from a site's folder begin."""


@lru_cache(maxsize=1)
def shipped_matrix() -> Matrix:
    """The shipped matrix, read once from its compiled form."""
    return Matrix(json.loads(read_compiled("matrix.json")))


@lru_cache(maxsize=1)
def shipped_artefacts() -> Artefacts:
    """The shipped downloads and images, read once from their compiled form."""
    from ascendenv.matrix.artefacts import Artefacts

    return Artefacts(json.loads(read_compiled("artefacts.json")))


@lru_cache(maxsize=1)
def shipped_variables() -> Catalogue:
    """The shipped environment variables and profiles, read once from their compiled form."""
    from ascendenv.matrix.variables import Catalogue

    return Catalogue(json.loads(read_compiled("variables.json")))


def with_site(base: Matrix, folder: Path) -> Matrix:
    """`base` with a site's own folder on top; raises MatrixMistakes.

    A row of the site stands in for the shipped row of the same name; its sources tell where it came from.
    """
    from ascendenv.matrix.load import KINDS, load_raw

    own = load_raw(folder, base=base.raw)
    merged: RawMatrix = {}
    for kind in KINDS:
        marked = [_marked(row, folder) for row in own.get(kind.name, ())]
        names = {str(row[kind.key]).lower() for row in marked} if kind.key else set()
        kept = [
            row for row in base.raw.get(kind.name, ()) if str(row.get(kind.key or "")).lower() not in names
        ]
        merged[kind.name] = marked + kept
    return Matrix(merged)


def artefacts_with_site(base: Artefacts, folder: Path) -> Artefacts:
    """`base` with the files and images of a site's own folder before its own; raises MatrixMistakes."""
    from ascendenv.matrix.artefacts import Artefacts
    from ascendenv.matrix.load import ARTEFACT_KINDS, load_raw

    own = load_raw(folder, base={}, kinds=ARTEFACT_KINDS)
    kinds = (kind.name for kind in ARTEFACT_KINDS)
    return Artefacts(
        {name: [*(_marked(row, folder) for row in own[name]), *base.raw.get(name, ())] for name in kinds}
    )


def _marked(value: Any, folder: Path) -> Any:  # noqa: ANN401  (plain data of any shape)
    """The row with the folder named first in its sources, and in those of its parts."""
    if isinstance(value, dict):
        marked = {key: _marked(one, folder) for key, one in value.items()}
        if isinstance(value.get("source"), list):
            marked["source"] = [f"{SITE}{folder}", *value["source"]]
        return marked
    return [_marked(one, folder) for one in value] if isinstance(value, list) else value
