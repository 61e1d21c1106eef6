"""Checks of torch, torch_npu and what is built on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.checks.torch.backend_not_loaded import BackendNotLoaded
from ascendenv.doctor.checks.torch.broken_install import BrokenInstall
from ascendenv.doctor.checks.torch.cuda_asked_for import CudaAskedFor
from ascendenv.doctor.checks.torch.foreign_extension import ForeignExtension
from ascendenv.doctor.checks.torch.headers_not_found import HeadersNotFound
from ascendenv.doctor.checks.torch.missing_operator import MissingOperator
from ascendenv.doctor.checks.torch.missing_package import MissingPackage
from ascendenv.doctor.checks.torch.pair_mismatch import PairMismatch
from ascendenv.doctor.checks.torch.shadowed_package import ShadowedPackage
from ascendenv.doctor.checks.torch.transfer_shim import TransferShim
from ascendenv.doctor.checks.torch.two_accelerators import TwoAccelerators
from ascendenv.doctor.checks.torch.undeclared_dependencies import UndeclaredDependencies
from ascendenv.doctor.checks.torch.wrong_post_release import WrongPostRelease

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

CHECKS: tuple[type[Check], ...] = (
    PairMismatch,
    ForeignExtension,
    MissingOperator,
    WrongPostRelease,
    ShadowedPackage,
    MissingPackage,
    BrokenInstall,
    UndeclaredDependencies,
    BackendNotLoaded,
    TwoAccelerators,
    TransferShim,
    CudaAskedFor,
    HeadersNotFound,
)
