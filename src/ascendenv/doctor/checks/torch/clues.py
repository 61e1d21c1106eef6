"""What several checks of this family read from the signals of a failed import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.fixes import install_torch_pair
from ascendenv.facts.unknown import known
from ascendenv.signals.symbol import provider_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Fix
    from ascendenv.facts.model import HostFacts, Packages
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals
    from ascendenv.versions import Version

__all__ = [
    "IMPORT_FAILURES",
    "belongs_to_torch_npu",
    "belongs_to_vllm",
    "differ",
    "is_absent",
    "pair_steps",
    "same_base",
    "symbols_of",
    "taken_from_site",
]

IMPORT_FAILURES = (
    "backend-load-failed",
    "circular-import",
    "crash-at-import",
    "library-damaged",
    "missing-attribute",
    "missing-library",
    "missing-module",
    "missing-name",
    "static-tls",
    "two-accelerators",
    "undefined-symbol",
    "version-node-missing",
)
"""Signals of an import that broke; the reason stands in the signal itself, save for the first."""

_SITE = ("site-packages", "dist-packages")
_OWN_LIBRARIES = ("libtorch_npu", "libop_plugin", "libnpu_profiler", "libtorchair")


def symbols_of(signals: Signals, provider: str) -> Iterator[Signal]:
    """The undefined symbols that the package `provider` (`torch`, `torch_npu`) should have."""
    for signal in signals.of("undefined-symbol", "undefined-reference"):
        if provider_of(signal.get("symbol")) == provider:
            yield signal


def belongs_to_torch_npu(signal: Signal) -> bool:
    """Whether the library that the signal names is one of torch_npu's own."""
    return "/torch_npu/" in signal.get("path") or signal.get("library").startswith(_OWN_LIBRARIES)


def belongs_to_vllm(signal: Signal) -> bool:
    """Whether the library is an extension of vllm itself (not of its Ascend plugin)."""
    return "/vllm/" in signal.get("path") or "vllm._C" in signal.evidence.text


def taken_from_site(signals: Signals) -> bool | None:
    """Whether Python took torch_npu from an installation folder; None when no traceback tells."""
    roots = [signal.get("root") for signal in signals.of("torch-npu-frame")]
    roots.extend(
        signal.get("path")
        for signal in signals.of("missing-name", "circular-import")
        if signal.get("module").split(".")[0] == "torch_npu" and "/" in signal.get("path")
    )
    if not roots:
        return None
    return any(part in root for root in roots for part in _SITE)


def differ(torch: Version | None, torch_npu: Version | None) -> bool:
    """Whether both versions are known and are of different torch releases."""
    return torch is not None and torch_npu is not None and torch.base != torch_npu.base


def same_base(torch: Version | None, torch_npu: Version | None) -> bool:
    """Whether both versions are known and are of one torch release."""
    return torch is not None and torch_npu is not None and torch.base == torch_npu.base


def is_absent(packages: Packages | None, name: str) -> bool | None:
    """Whether the distribution is missing; None unless a whole listing was seen or it is there."""
    if packages is None:
        return None
    if name in packages:
        return False
    return True if packages.complete else None


def pair_steps(matrix: Matrix, facts: HostFacts, *, keep_torch_npu: bool = True) -> tuple[Fix, ...]:
    """Steps to a pair of torch and torch_npu for this box; without `keep_torch_npu` the one that is there may go."""
    return install_torch_pair(
        matrix,
        torch=known(facts.torch),
        torch_npu=known(facts.torch_npu) if keep_torch_npu else None,
        cann=known(facts.cann),
        arch=known(facts.arch),
        python=known(facts.python),
    )
