"""Whether pip finds nothing because there is no wheel for this Python, which no other index would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.package.vllm import row_of
from ascendenv.matrix.model import python_tag

if TYPE_CHECKING:
    from ascendenv.doctor.checks.package.requirements import Requirement
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals
    from ascendenv.versions import Version

__all__ = ["lacks_wheel"]


def lacks_wheel(
    matrix: Matrix, wanted: Requirement, signals: Signals, python: Version | None, arch: str | None
) -> bool | None:
    """Whether the wanted version exists but not for this Python; None when that cannot be told."""
    if _ignored_by_pip(wanted, signals):
        return True
    if python is None:
        return False if wanted.pinned is not None and ".dev" in wanted.version else None
    if wanted.name == "vllm-ascend":
        row = row_of(matrix, wanted.pinned)
        return None if row is None or row.python is None else not row.python.contains(python)
    return _lacks_torch_npu(matrix, wanted, python, arch) if wanted.name == "torch-npu" else None


def _ignored_by_pip(wanted: Requirement, signals: Signals) -> bool:
    """Whether pip says that it skipped exactly this version because of the Python that it demands."""
    said = f" {wanted.version} Requires-Python"
    return bool(wanted.version) and any(
        said in f" {signal.get('ignored')}" for signal in signals.of("versions-ignored-for-python")
    )


def _lacks_torch_npu(matrix: Matrix, wanted: Requirement, python: Version, arch: str | None) -> bool:
    if wanted.pinned is None:
        return matrix.torch_npu_for(python=python, arch=arch) is None
    release = matrix.torch_npu.get(str(wanted.pinned))
    if release is None or not release.on_index or not release.wheels:
        return False
    tags = [tag for name, some in release.wheels.items() if arch in {None, name} for tag in some]
    return python_tag(python) not in tags
