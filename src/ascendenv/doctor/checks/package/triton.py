"""Which triton-ascend belongs to this box, and how it is put in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.package.vllm import pair_of, row_of
from ascendenv.doctor.finding import Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.versions import Version

__all__ = ["paired_triton_ascend", "reinstall"]


def paired_triton_ascend(matrix: Matrix, facts: HostFacts) -> Version | None:
    """The triton-ascend that goes with the installed vllm-ascend, torch_npu or CANN, in this order."""
    row = row_of(matrix, pair_of(facts.packages or None).plugin)
    if row is not None and row.triton_ascend is not None:
        return row.triton_ascend
    release = matrix.find_torch_npu(facts.torch_npu) if facts.torch_npu else None
    if release is not None and release.triton_ascend is not None:
        return release.triton_ascend
    return _of_cann(matrix, facts.cann) if facts.cann else None


def reinstall(matrix: Matrix, facts: HostFacts) -> tuple[Fix, ...]:
    """Steps that leave triton-ascend alone in the folder."""
    wanted = paired_triton_ascend(matrix, facts)
    index = next((one.url for one in matrix.package_indexes if "triton-ascend" in one.packages), None)
    pin = f"triton-ascend=={wanted}" if wanted is not None else "triton-ascend==VERSION"
    extra = f" --extra-index-url {index}" if index else ""
    return (
        Fix(
            "pip uninstall -y triton triton-ascend",
            say("both, because they share a folder; repeat until none is left"),
        ),
        Fix('rm -rf "$(python3 -c \'import sysconfig; print(sysconfig.get_path("purelib"))\')/triton"'),
        Fix(
            f"pip install --force-reinstall --no-deps {pin}{extra}",
            None
            if wanted is not None
            else say("the version that the release notes of CANN or of the framework name"),
        ),
        Fix("python3 -c 'import torch, torch_npu, triton, triton.language; print(triton.__version__)'"),
    )


def _of_cann(matrix: Matrix, cann: Version) -> Version | None:
    rows = [one for project in matrix.downstream.values() for one in project.releases]
    found = [one.triton_ascend for one in rows if one.cann == cann and one.triton_ascend is not None]
    return max(found, default=None)
