"""An operator or a data type does not exist for the NPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal, Signals

SOURCES = ("torch dispatcher", "torch_npu: VariableFallbackKernel", "aclnn parameter checks (EZ1001)")

_NEWER_TYPE = "DT_BFLOAT16"
"""What 910A and 310P do not compute with."""


class UnsupportedOperator(Check):
    """An operator, or an operator with this data type, is not implemented for the NPU."""

    id = "RUN003"
    causes = ("operator-unsupported", "torch-npu-too-old-for-framework", "chip-unsupported")
    rank = -2

    def check(self, signals: Signals) -> Iterator[Finding]:
        """A refusal stops the job; a fall back to the CPU only slows it."""
        yield from self._refused(signals)
        if fallen := signals.of("operator-fallback"):
            names = ", ".join(dict.fromkeys(one.get("operator") for one in fallen))
            yield self.finding(
                severity=Severity.INFO,
                confidence=Confidence.CERTAIN,
                title=say("Operators run on the CPU instead of the NPU"),
                observed=say("on the CPU: {operators}", operators=names),
                why=say("each call copies its data to the host and back; results are right, only slow"),
                evidence=(one.evidence for one in fallen),
                fix=(
                    Fix(
                        "export TORCH_NPU_FALLBACK_CPU_DISABLE=1",
                        say("turns it into an error, to find the place"),
                    ),
                    Fix(note=say("a newer torch_npu may have it; else write the operation with others")),
                ),
                sources=SOURCES,
            )

    def _refused(self, signals: Signals) -> Iterator[Finding]:
        missing, types = signals.of("operator-missing"), signals.of("operator-type-refused")
        if not missing and not types:
            return
        name = next((one.get("operator") for one in missing if one.get("operator")), "")
        kind = next((one.get("dtype") for one in types if one.get("dtype")), "")
        if kind == _NEWER_TYPE:
            yield self._other("chip-unsupported", say("This chip has no bfloat16"), types, Confidence.LIKELY)
        yield self.finding(
            severity=Severity.WARNING,
            confidence=Confidence.POSSIBLE if kind == _NEWER_TYPE else Confidence.LIKELY,
            title=say("The NPU has no implementation for an operator or its data type"),
            observed=say("not implemented: {what}", what=name or kind or "?"),
            expected=say("operators and types in the list of supported ones of this torch_npu and CANN"),
            why=say(
                "torch_npu brings its own implementation of each operator; some exist only from a later release on,"
                " some never, and double precision and complex numbers are often left out"
            ),
            evidence=(one.evidence for one in (*missing, *types)),
            rank=self.rank + 2,
            fix=(
                Fix("pip index versions torch-npu", say("is there a newer post release of the same torch?")),
                Fix(
                    note=say(
                        "convert to float32 or bfloat16, move this one operation to the CPU, or write it with others"
                    )
                ),
            ),
            sources=SOURCES,
        )
        if missing:
            yield self._other(
                "torch-npu-too-old-for-framework", say("A newer torch_npu may have the operator"), missing
            )
        if types and kind != _NEWER_TYPE:
            yield self._other("chip-unsupported", say("This chip may not have the data type"), types)

    def _other(
        self,
        cause: str,
        title: Message,
        found: tuple[Signal, ...],
        confidence: Confidence = Confidence.POSSIBLE,
    ) -> Finding:
        return self.finding(
            cause=cause,
            severity=Severity.WARNING,
            confidence=confidence,
            title=title,
            observed=say(
                "not implemented: {what}", what=found[0].get("operator") or found[0].get("dtype") or "?"
            ),
            evidence=(one.evidence for one in found),
            fix=(Fix(f"ascendenv explain {cause}"),),
            sources=SOURCES,
        )
