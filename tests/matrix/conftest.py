"""What the tests of the matrix share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascendenv.matrix.store import shipped_matrix

if TYPE_CHECKING:
    from ascendenv.matrix.model import Matrix


@pytest.fixture(scope="session")
def matrix() -> Matrix:
    return shipped_matrix()
