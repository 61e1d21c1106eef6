"""The job needs more NPU memory than it gets: fragments, or simply too large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.runtime.memory_report import memory_report
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.doctor.checks.runtime.memory_report import MemoryReport
    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals

SOURCES = ("torch_npu: NPUCachingAllocator", "torch_npu: PYTORCH_NPU_ALLOC_CONF")


class OutOfMemory(Check):
    """NPU memory ran out: fragmented, or too small for the job."""

    id = "RUN001"
    causes = ("memory-fragmentation", "model-too-large")

    def check(self, signals: Signals, environment: Mapping[str, str] | None = None) -> Iterator[Finding]:
        """The numbers of the message decide: reserved against allocated, and what nobody of us holds."""
        for signal in signals.of("npu-out-of-memory"):
            report = memory_report(signal)
            if report.fragmented:
                yield self._fragmented(signal, report, (environment or {}).get("PYTORCH_NPU_ALLOC_CONF", ""))
            elif not report.foreign:
                yield self._too_large(signal, report)
        for signal in signals.of("graph-memory-short"):
            yield self._too_large(signal, memory_report(signal))

    def _fragmented(self, signal: Signal, report: MemoryReport, setting: str) -> Finding:
        return self.finding(
            confidence=Confidence.LIKELY,
            title=say("NPU memory is fragmented: there is enough, but not in one piece"),
            observed=say(
                "{requested} GiB were asked for while torch held {unused} GiB without using them",
                requested=f"{report.requested:.2f}",
                unused=f"{report.unused:.2f}",
            ),
            expected=say("reserved memory close to allocated memory"),
            why=say(
                "blocks of changing sizes split what torch keeps reserved; expandable segments grow in place"
                " instead. Set now: {setting}",
                setting=setting or say("not told"),
            ),
            evidence=(signal.evidence,),
            fix=(
                Fix(
                    "export PYTORCH_NPU_ALLOC_CONF=expandable_segments:True",
                    say("before Python starts; needs a driver and CANN with virtual memory"),
                ),
                Fix(
                    "export PYTORCH_NPU_ALLOC_CONF=max_split_size_mb:256",
                    say("where expandable segments are refused"),
                ),
                Fix(note=say("padding sequences to a few fixed lengths keeps block sizes alike")),
            ),
            sources=SOURCES,
        )

    def _too_large(self, signal: Signal, report: MemoryReport) -> Finding:
        known = report.allocated is not None and report.total is not None
        return self.finding(
            cause="model-too-large",
            severity=Severity.INFO,
            confidence=Confidence.LIKELY if known else Confidence.POSSIBLE,
            title=say("The job itself needs more NPU memory than the card has"),
            observed=say(
                "{allocated} of {total} GiB are in use by this job",
                allocated=f"{report.allocated:.2f}",
                total=f"{report.total:.2f}",
            )
            if known
            else say("an allocation on the NPU failed"),
            why=say(
                "this is no fault of the environment: model, batch and caches together are larger than the card"
            ),
            evidence=(signal.evidence,),
            fix=(
                Fix("npu-smi info", say("is the rest of the card really free?")),
                Fix(
                    note=say(
                        "smaller batch or sequence, more cards (tensor parallel), quantised weights, recomputation"
                    )
                ),
            ),
            sources=SOURCES,
        )
