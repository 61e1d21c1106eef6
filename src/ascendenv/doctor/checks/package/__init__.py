"""Checks of Python packages around torch_npu: indexes, wheels, vllm, triton, CUDA-only packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.package.broken_vllm import BrokenVllm
from ascendenv.doctor.checks.package.cuda_only import CudaOnly
from ascendenv.doctor.checks.package.cuda_torch import CudaTorch
from ascendenv.doctor.checks.package.no_wheel import NoWheel
from ascendenv.doctor.checks.package.not_on_index import NotOnIndex
from ascendenv.doctor.checks.package.placeholder import Placeholder
from ascendenv.doctor.checks.package.triton_clash import TritonClash
from ascendenv.doctor.checks.package.triton_compiler import TritonCompiler
from ascendenv.doctor.checks.package.unreachable_index import UnreachableIndex
from ascendenv.doctor.checks.package.vllm_extension import VllmExtension
from ascendenv.doctor.checks.package.vllm_pair import VllmPair

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

CHECKS: tuple[type[Check], ...] = (
    NoWheel,
    NotOnIndex,
    UnreachableIndex,
    CudaTorch,
    VllmPair,
    BrokenVllm,
    VllmExtension,
    TritonClash,
    TritonCompiler,
    CudaOnly,
    Placeholder,
)
