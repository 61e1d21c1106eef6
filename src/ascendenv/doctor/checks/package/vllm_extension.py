"""vllm with a compiled extension of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.wording import described
from ascendenv.doctor.checks.torch.clues import belongs_to_vllm, symbols_of
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals

SOURCES = ("vllm-project/vllm-ascend:docs/source/installation.md", "vllm-project/vllm-ascend#1249")
CUDA_LIBRARIES = ("libcuda", "libcublas", "libcudnn", "libnccl", "libnvrtc", "libtorch_cuda", "libc10_cuda")


class VllmExtension(Check):
    """vllm was installed with its own compiled part, which does not load on this machine."""

    id = "PKG007"
    causes = ("vllm-not-empty-target",)
    rank = 6

    def check(self, signals: Signals) -> Iterator[Finding]:
        """A library of vllm that misses symbols of torch or libraries of CUDA."""
        for signal in _symptoms(signals):
            passing = "Failed to import from vllm" in signal.evidence.text
            yield self.finding(
                severity=Severity.WARNING if passing else Severity.ERROR,
                confidence=Confidence.LIKELY,
                title=say("vllm was installed with its own compiled extension"),
                observed=described(signal),
                expected=say("vllm for the target `empty`: on NPUs the plugin brings all kernels"),
                why=say(
                    "the extension was compiled for CUDA or for the CPU against the torch that vllm names, not against the "
                    "one that torch_npu needs"
                ),
                evidence=[signal.evidence],
                fix=(
                    Fix("pip uninstall -y vllm"),
                    Fix(
                        "VLLM_TARGET_DEVICE=empty pip install vllm==VERSION --no-binary vllm",
                        say("the version of the installed vllm-ascend; then install vllm-ascend again"),
                    ),
                ),
                sources=SOURCES,
            )


def _symptoms(signals: Signals) -> Iterator[Signal]:
    for signal in symbols_of(signals, "torch"):
        if belongs_to_vllm(signal):
            yield signal
    for signal in signals.of("missing-library"):
        if signal.get("library").startswith(CUDA_LIBRARIES) and "vllm" in signal.evidence.text:
            yield signal
