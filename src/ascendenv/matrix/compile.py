"""Compiled forms of the matrix: checked once, then JSON that loads without YAML and pydantic."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ascendenv.matrix.load import ARTEFACT_KINDS, VARIABLE_KINDS, load_raw

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["compile_artefacts", "compile_matrix", "compile_variables"]


def compile_matrix(folder: Path) -> bytes:
    """The JSON of all rows but artefacts, without the notes for editors; raises MatrixMistakes."""
    return _json({kind: [_lean(row) for row in rows] for kind, rows in load_raw(folder).items()})


def compile_artefacts(folder: Path) -> bytes:
    """The JSON of downloads and images; raises MatrixMistakes."""
    return _json(
        {kind: [_lean(row) for row in rows] for kind, rows in load_raw(folder, kinds=ARTEFACT_KINDS).items()}
    )


def compile_variables(folder: Path) -> bytes:
    """The JSON of the environment variables; raises MatrixMistakes."""
    return _json(
        {kind: [_lean(row) for row in rows] for kind, rows in load_raw(folder, kinds=VARIABLE_KINDS).items()}
    )


def _lean(value: object) -> object:
    if isinstance(value, dict):
        return {key: _lean(one) for key, one in value.items() if key != "notes"}
    return [_lean(one) for one in value] if isinstance(value, list) else value


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
