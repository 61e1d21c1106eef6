"""Fix steps that several checks share, with exact pins from the matrix for this box.

Every function takes what is known (None where it is not) and returns steps that can be typed as they stand; where a
pin cannot be known, the step says what to look up instead of guessing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.finding import Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from ascendenv.matrix.model import Matrix
    from ascendenv.versions import Version

__all__ = [
    "install_cann",
    "install_nnal",
    "install_torch_pair",
    "pip_install",
    "reboot",
    "source_cann",
    "upgrade_driver",
]


def install_torch_pair(
    matrix: Matrix,
    *,
    torch: Version | None = None,
    torch_npu: Version | None = None,
    cann: Version | None = None,
    arch: str | None = None,
    python: Version | None = None,
) -> tuple[Fix, ...]:
    """Steps that bring torch and torch_npu to a pair that fits this CANN, architecture and Python."""
    raise NotImplementedError


def source_cann(cann: Version | None = None, root: str | None = None) -> Fix:
    """The step that puts this CANN into the environment of the shell, for the layout that this version has."""
    raise NotImplementedError


def install_cann(
    matrix: Matrix,
    *,
    cann: Version | None = None,
    torch_npu: Version | None = None,
    chip: str | None = None,
    arch: str | None = None,
) -> tuple[Fix, ...]:
    """Steps that install toolkit and ops of `cann` (or of the release that `torch_npu` wants) for this chip."""
    raise NotImplementedError


def install_nnal(matrix: Matrix, *, cann: Version | None = None, arch: str | None = None) -> tuple[Fix, ...]:
    """Steps that install NNAL of the same release as `cann` and source it."""
    raise NotImplementedError


def upgrade_driver(
    matrix: Matrix, *, cann: Version | None = None, chip: str | None = None, arch: str | None = None
) -> tuple[Fix, ...]:
    """Steps that bring firmware and driver to the HDK release that `cann` is paired with."""
    raise NotImplementedError


def reboot() -> Fix:
    """The reboot that makes a new driver or firmware run."""
    return Fix("reboot", say("stops every job on this machine"), needs_root=True, disruptive=True)


def pip_install(*requirements: str, note_missing_index: bool = False) -> Fix:
    """A pip step for the interpreter in use."""
    raise NotImplementedError
