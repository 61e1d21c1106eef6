"""Rows about Python packages: what runs on CUDA only, what only sounds like Ascend software, where the rest is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ascendenv.matrix.rows.base import Sourced

__all__ = ["CudaOnlyPackage", "PackageIndex", "PlaceholderPackage", "TorchNpuNeed"]

Instead = Literal[
    "apex", "attention", "kernels", "megatron", "nothing", "onnx", "quantisation", "sglang", "torch"
]


@dataclass(frozen=True, kw_only=True)
class CudaOnlyPackage(Sourced):
    """A package that needs CUDA. `name` is normalised, a `*` at its end stands for any rest; `modules` are its imports."""

    name: str
    instead: Instead
    modules: tuple[str, ...] = ()

    def covers(self, distribution: str) -> bool:
        """Whether the row speaks of that (normalised) distribution."""
        if self.name.endswith("*"):
            return distribution.startswith(self.name[:-1])
        return distribution == self.name


@dataclass(frozen=True, kw_only=True)
class PlaceholderPackage(Sourced):
    """A package of the public index that is no Ascend software although its name says so."""

    name: str
    modules: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TorchNpuNeed(Sourced):
    """A module that torch_npu imports and older wheels do not declare; `package` is what to give to pip.

    `telling`: the absence of the module alone points at torch_npu.
    """

    module: str
    package: str
    telling: bool


@dataclass(frozen=True, kw_only=True)
class PackageIndex(Sourced):
    """An index beside the default one, and the packages it is needed for."""

    name: str
    url: str
    packages: tuple[str, ...]
