"""triton and triton-ascend in one folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.triton import reinstall
from ascendenv.doctor.checks.package.wording import described
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding, Fix
    from ascendenv.facts.model import HostFacts, Packages
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

SOURCES = ("triton-lang/triton-ascend#306", "vllm-project/vllm-ascend#7790", "modelscope/ms-swift#3279")


class TritonClash(Check):
    """triton for CUDA and triton-ascend overwrote each other, or triton for CUDA is used alone."""

    id = "PKG008"
    causes = ("triton-clash",)
    rank = 7

    def check(
        self,
        matrix: Matrix,
        facts: HostFacts,
        signals: Signals | None = None,
        packages: Packages | None = None,
    ) -> Iterator[Finding]:
        """Names that the top of triton must have, drivers that are none or two, and both packages in one list."""
        fix = reinstall(matrix, facts)
        for signal, sure in _symptoms(signals) if signals else ():
            yield self._seen(signal, sure, fix)
        if packages is not None and "triton" in packages:
            both = "triton-ascend" in packages
            if both or facts.torch_npu or facts.npus:
                yield self._installed(_state(both=both), facts, fix)

    def _seen(self, signal: Signal, sure: Confidence, fix: tuple[Fix, ...]) -> Finding:
        return self.finding(
            confidence=sure,
            title=say("triton and triton-ascend overwrote each other"),
            observed=described(signal),
            expected=say("triton-ascend alone, installed last"),
            why=say(
                "both packages own the folder site-packages/triton: whichever is installed last wins file by file, and "
                "removing one takes files of the other away"
            ),
            evidence=[signal.evidence],
            fix=fix,
            sources=SOURCES,
        )

    def _installed(self, observed: Message, facts: HostFacts, fix: tuple[Fix, ...]) -> Finding:
        return self.finding(
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
            title=say("triton for CUDA is installed in an NPU environment"),
            observed=observed,
            expected=say("triton-ascend alone, or no triton at all"),
            why=say("packages such as xgrammar bring triton along; it has no driver for NPUs"),
            evidence=facts.seen("packages")[:3],
            fix=fix,
            sources=SOURCES,
        )


def _symptoms(signals: Signals) -> Iterator[tuple[Signal, Confidence]]:
    for signal in signals.of("missing-attribute", "circular-import", "missing-name", "missing-module"):
        if sure := _judge(signal):
            yield signal, sure
    for signal in signals.of("triton-active-drivers"):
        if not _has_both(signal):
            yield signal, Confidence.LIKELY
    for signal in signals.of("triton-file-missing"):
        yield signal, Confidence.CERTAIN
    for signal in signals.of("triton-kernel-not-subscriptable"):
        yield signal, Confidence.POSSIBLE


def _judge(signal: Signal) -> Confidence | None:
    """How surely a missing part of triton tells of a clash; a part of its language is a question of versions."""
    module = signal.get("module")
    if module.split(".")[0] != "triton":
        return None
    if module == "triton":
        return Confidence.POSSIBLE if signal.id == "missing-module" else Confidence.LIKELY
    if module == "triton.language" and signal.id == "missing-module":
        return Confidence.LIKELY
    return None if module.startswith("triton.language") else Confidence.LIKELY


def _has_both(signal: Signal) -> bool:
    drivers = signal.get("drivers").lower()
    return ("nvidia" in drivers or "cuda" in drivers) and ("ascend" in drivers or "npu" in drivers)


def _state(*, both: bool) -> Message:
    if both:
        return say("the package list holds triton beside triton-ascend")
    return say("the package list holds triton, but no triton-ascend")
