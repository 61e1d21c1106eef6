"""Packages that need CUDA, in an NPU environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.wording import described, is_fatal
from ascendenv.doctor.checks.torch.clues import symbols_of
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Package, Packages
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.package_rows import CudaOnlyPackage
    from ascendenv.signals.model import Signal, Signals

CUDA_LIBRARIES = (
    "libcudart",
    "libcuda.",
    "libcublas",
    "libcudnn",
    "libnccl",
    "libnvrtc",
    "libtorch_cuda",
    "libc10_cuda",
)
INSTEAD: dict[str, Message] = {
    "apex": say("the apex of the Ascend organisation, or torch.amp and the fused optimisers of torch_npu"),
    "attention": say(
        "attn_implementation='sdpa' in transformers, torch.nn.functional.scaled_dot_product_attention, or "
        "torch_npu.npu_fusion_attention"
    ),
    "kernels": say(
        "the implementation in plain torch that the model falls back to, or an NPU port of the kernels"
    ),
    "megatron": say("MindSpeed, which adapts Megatron to NPUs"),
    "nothing": say("nothing takes its place; the code that needs it has to be left out"),
    "onnx": say("onnxruntime-cann, with the CANN execution provider"),
    "quantisation": say("weights in bf16, or quantised with msModelSlim of MindStudio (W8A8) for NPUs"),
    "sglang": say("sgl-kernel-npu"),
    "torch": say("the +cpu build of torch, which needs none of it"),
}
"""What takes the place of a package, by the word in its row."""


class CudaOnly(Check):
    """Packages that run on CUDA only are installed or asked for."""

    id = "PKG010"
    causes = ("cuda-only-packages", "x86-needs-cpu-torch-index")

    def check(
        self,
        matrix: Matrix,
        facts: HostFacts,
        signals: Signals | None = None,
        packages: Packages | None = None,
    ) -> Iterator[Finding]:
        """A program that fails over such a package is an error, a package that is merely there a warning."""
        for signal, row in _asked_for(matrix, signals) if signals else ():
            yield self._asked(signal, row)
            if signal.id == "missing-library":
                yield self._build_of_torch(signal)
        found = _installed(matrix, packages) if packages is not None else []
        if found and (facts.torch_npu or facts.npus):
            yield self._there(found, facts)

    def _asked(self, signal: Signal, row: CudaOnlyPackage | None) -> Finding:
        fatal = is_fatal(signal)
        return self.finding(
            severity=Severity.ERROR if fatal else Severity.WARNING,
            confidence=Confidence.LIKELY if fatal else Confidence.POSSIBLE,
            title=say("The program uses a package that runs on CUDA only"),
            observed=described(signal),
            expected=INSTEAD[row.instead] if row is not None else say("packages without CUDA parts"),
            why=say("its compiled part needs CUDA libraries and an NVIDIA device, neither of which is here"),
            evidence=[signal.evidence],
            fix=_uninstall([row.name.rstrip("*-")] if row is not None else []),
            sources=row.sources if row is not None else (),
        )

    def _build_of_torch(self, signal: Signal) -> Finding:
        return self.finding(
            cause="x86-needs-cpu-torch-index",
            severity=Severity.WARNING,
            confidence=Confidence.POSSIBLE,
            title=say("It may be torch itself that is a build for CUDA"),
            observed=described(signal),
            expected=INSTEAD["torch"],
            evidence=[signal.evidence],
            fix=(
                Fix(
                    "python3 -c 'import torch; print(torch.__version__)'",
                    say("a build for NPUs ends in +cpu"),
                ),
            ),
        )

    def _there(self, found: Sequence[tuple[Package, CudaOnlyPackage]], facts: HostFacts) -> Finding:
        names = [package.name for package, _ in found]
        return self.finding(
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
            title=say("The environment holds packages that run on CUDA only"),
            observed=say("{names} in an environment with torch_npu", names=", ".join(names[:6])),
            expected=INSTEAD[found[0][1].instead],
            why=say("other packages find them and take their CUDA way; nothing of them runs on an NPU"),
            evidence=facts.seen("packages")[:4],
            fix=_uninstall(names),
            sources=dict.fromkeys(source for _, row in found for source in row.sources),
        )


def _asked_for(matrix: Matrix, signals: Signals) -> Iterator[tuple[Signal, CudaOnlyPackage | None]]:
    rows = {module: row for row in matrix.cuda_only for module in row.modules}
    for signal in signals.of("missing-module", "package-missing-metadata"):
        name = (signal.get("module") or signal.get("package").replace("-", "_")).split(".")[0]
        if name in rows:
            yield signal, rows[name]
    for signal in signals.of("missing-library"):
        if signal.get("library").startswith(CUDA_LIBRARIES) and "vllm" not in signal.evidence.text:
            yield signal, None
    for signal in (*symbols_of(signals, "nvidia"), *signals.of("cuda-home-unset")):
        yield signal, None
    for signal in signals.of("flash-attention-asked-for"):
        name = next((name for name in rows if name in signal.evidence.text), "flash_attn")
        yield signal, rows.get(name)


def _installed(matrix: Matrix, packages: Packages) -> list[tuple[Package, CudaOnlyPackage]]:
    return [(package, row) for package in packages for row in matrix.cuda_only if row.covers(package.name)]


def _uninstall(names: Sequence[str]) -> tuple[Fix, ...]:
    if not names:
        return (
            Fix("pip list | grep -i -E 'cu1[0-9]|cuda|nvidia|flash|xformers'", say("shows what needs CUDA")),
        )
    return (Fix(f"pip uninstall -y {' '.join(names)}"),)
