"""What vllm and its Ascend plugin are, and which of them go together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.doctor.checks.package.requirements import version_of
from ascendenv.doctor.fixes import install_torch_pair, pip_install
from ascendenv.facts.unknown import known

if TYPE_CHECKING:
    from ascendenv.doctor.finding import Fix
    from ascendenv.facts.model import HostFacts, Packages
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.rows.surroundings import Used
    from ascendenv.signals.model import Signal
    from ascendenv.versions import Version

__all__ = ["Pair", "is_shadowed", "pair_of", "row_of", "torch_pair_of"]

PROJECT = "vllm-ascend"


@dataclass(frozen=True)
class Pair:
    """The installed vllm and plugin; None where not seen."""

    vllm: Version | None
    plugin: Version | None

    @property
    def is_released(self) -> bool:
        """Whether both are known, and neither was built from a branch."""
        return all(one is not None and ".dev" not in str(one) for one in (self.vllm, self.plugin))

    def fits(self, matrix: Matrix) -> bool | None:
        """Whether the two belong together; None where one is unknown or a development build."""
        if not self.is_released or self.vllm is None or self.plugin is None:
            return None
        row = row_of(matrix, self.plugin)
        if row is None or row.vllm is None:
            return self.vllm.release[:3] == self.plugin.release[:3]
        wanted = [version_of(one) for one in row.vllm.split("/")]
        return any(one is not None and one.release[:3] == self.vllm.release[:3] for one in wanted)


def pair_of(packages: Packages | None) -> Pair:
    """The versions of vllm and vllm-ascend among the packages."""
    vllm = packages.get("vllm") if packages is not None else None
    plugin = packages.get(PROJECT) if packages is not None else None
    return Pair(version_of(vllm.version) if vllm else None, version_of(plugin.version) if plugin else None)


def row_of(matrix: Matrix, plugin: Version | None) -> Used | None:
    """The row of that plugin release in the table of vllm-ascend."""
    project = matrix.downstream.get(PROJECT) if plugin is not None else None
    if plugin is None or project is None:
        return None
    rows = [one for one in project.releases if one.kind == "release"]
    return next((one for one in rows if str(version_of(one.version) or "") == plugin.public), None)


def torch_pair_of(matrix: Matrix, row: Used | None, facts: HostFacts) -> tuple[Fix, ...]:
    """Steps to the torch and torch_npu that the row names; development builds come from the vendor's index."""
    if row is None or row.torch is None or row.torch_npu is None:
        return ()
    if str(row.torch_npu) in matrix.torch_npu:
        arch, python = known(facts.arch), known(facts.python)
        return install_torch_pair(
            matrix, torch=row.torch, torch_npu=row.torch_npu, cann=row.cann, arch=arch, python=python
        )
    index = next((one.url for one in matrix.package_indexes if "torch-npu" in one.packages), None)
    return (pip_install(f"torch=={row.torch}", f"torch-npu=={row.torch_npu}", index=index),)


def is_shadowed(signal: Signal) -> bool:
    """Whether a missing name was looked for in a folder without files, or in a single file, instead of the package."""
    if "unknown location" in signal.evidence.text:
        return True
    return "." not in signal.get("module") and signal.get("path").endswith(f"/{signal.get('module')}.py")
