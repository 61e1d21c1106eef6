"""A variable of HCCL has a value that HCCL refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.hccl.clues import INTERFACE_VARIABLES, first_field, lines
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signal, Signals

_OTHERS = (*INTERFACE_VARIABLES, "RankIpFamily")
"""Names under which HCCL reports problems that other checks explain better."""
_BOTH = ("HCCL_INTRA_PCIE_ENABLE", "HCCL_INTRA_ROCE_ENABLE")
SOURCES = ("HCCL user guide: environment configuration (EI0001)", "HCCL user guide: environment variables")


class InvalidVariable(Check):
    """A variable of HCCL is out of range, contradicts another one, or is too small for the job."""

    id = "HCC002"
    causes = ("hccl-env-invalid",)
    consequence_of = ("HCC001", "HCC004")
    rank = 5

    def check(
        self, facts: HostFacts, signals: Signals | None = None, environment: Mapping[str, str] | None = None
    ) -> Iterator[Finding]:
        """HCCL's refusal, a buffer that an operator calls too small, or two switches that exclude each other."""
        if signals:
            yield from self._refused(signals)
            yield from self._buffer(signals)
        if environment and all(environment.get(name) == "1" for name in _BOTH):
            yield self.finding(
                severity=Severity.WARNING,
                confidence=Confidence.CERTAIN,
                title=say("Two HCCL variables contradict each other"),
                observed=say("{first}=1 and {second}=1", first=_BOTH[0], second=_BOTH[1]),
                expected=say("at most one of them set to 1"),
                evidence=facts.seen("environment"),
                fix=(Fix(f"unset {_BOTH[0]} {_BOTH[1]}", say("the defaults choose the right path")),),
                sources=SOURCES,
            )

    def _refused(self, signals: Signals) -> Iterator[Finding]:
        found = [one for one in signals.of("hccl-variable-invalid") if one.get("variable") not in _OTHERS]
        elsewhere = len(found) < len(signals.of("hccl-variable-invalid"))
        bare = signals.codes("EI0001")
        for name in dict.fromkeys(one.get("variable") for one in found):
            yield self._named(name, [one for one in found if one.get("variable") == name], bare)
        if bare and not found and not elsewhere:
            yield self.finding(
                confidence=Confidence.LIKELY,
                title=say("HCCL refuses an environment variable (EI0001)"),
                observed=say("EI0001; the part that names the variable is not in the text"),
                expected=say("every HCCL_ variable unset or within its documented range"),
                evidence=lines(bare),
                fix=(Fix("env | grep -E '^HCCL_'", say("unset what is not needed, one after the other")),),
                sources=SOURCES,
                rank=0,
            )

    def _named(self, name: str, found: list[Signal], bare: tuple[Signal, ...]) -> Finding:
        value, expected = first_field(found, "value"), first_field(found, "expected")
        return self.finding(
            confidence=Confidence.CERTAIN,
            title=say("{variable} has a value that HCCL refuses", variable=name),
            observed=say("{variable}={value}", variable=name, value=value)
            if value
            else say("{variable} is refused", variable=name),
            expected=say("{expected}", expected=expected.rstrip(". ")) if expected else None,
            why=say(
                "HCCL reads its variables when the first communicator is made and stops at the first bad one"
            ),
            evidence=lines((*found, *bare)),
            fix=(
                Fix(
                    f"unset {name}",
                    say("the default is right for most jobs; on every node and in every start script"),
                ),
                Fix(note=say("or a value in the range that the message prints")),
            ),
            sources=SOURCES,
        )

    def _buffer(self, signals: Signals) -> Iterator[Finding]:
        found = signals.of("hccl-buffer-too-small")
        if not found:
            return
        needed, value = first_field(found, "needed"), first_field(found, "value")
        size = needed or "1024"
        yield self.finding(
            confidence=Confidence.CERTAIN,
            title=say("HCCL_BUFFSIZE is too small for this model and batch"),
            observed=say("the buffer has {value} MB", value=value or "200"),
            expected=say("{needed} MB or more", needed=needed) if needed else None,
            why=say(
                "the fused expert operators exchange tokens in HCCL's buffer; its need grows with batch size,"
                " hidden size and number of experts"
            ),
            evidence=lines(found),
            fix=(
                Fix(
                    f"export HCCL_BUFFSIZE={size}",
                    say("in MB, on every rank; it is taken twice per communicator"),
                ),
                Fix(note=say("or fewer tokens a batch (--max-num-batched-tokens, --max-num-seqs)")),
            ),
            sources=("vllm-ascend pull request 5287", "vllm-ascend issue 16835"),
            rank=8,
        )
