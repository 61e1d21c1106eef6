"""What is wrong with a matrix folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.matrix.load import ARTEFACT_KINDS, KINDS, VARIABLE_KINDS, MatrixMistakes, load_raw

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ascendenv.matrix.yaml_file import Mistake

__all__ = ["Lint", "lint", "stands_alone"]

_WHOLE = ("cann", "hdk", "torch_npu", "chips")
"""A folder that has all of these stands on its own; any other is a site's folder on top of the shipped matrix."""


@dataclass(frozen=True)
class Lint:
    """The mistakes of a folder, and how many rows of each kind it has where there are none."""

    rows: Mapping[str, int]
    mistakes: tuple[Mistake, ...]


def stands_alone(folder: Path) -> bool:
    """Whether `folder` is a whole matrix, not a site's folder on top of the shipped one."""
    return all((folder / name).is_dir() for name in _WHOLE)


def lint(folder: Path) -> Lint:
    """Everything that is wrong in `folder`."""
    from ascendenv.matrix.store import shipped_matrix

    base = None if stands_alone(folder) else shipped_matrix().raw
    try:
        raw = load_raw(folder, base=base, kinds=(*KINDS, *ARTEFACT_KINDS, *VARIABLE_KINDS))
    except MatrixMistakes as error:
        return Lint({}, error.mistakes)
    return Lint({kind: len(rows) for kind, rows in raw.items() if rows}, ())
