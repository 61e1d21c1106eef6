"""The allocator of torch_npu refuses its configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signals

_OLD, _NEW = "PYTORCH_NPU_ALLOC_CONF", "PYTORCH_ALLOC_CONF"
SOURCES = ("torch_npu: PYTORCH_NPU_ALLOC_CONF",)


class AllocatorOption(Check):
    """PYTORCH_NPU_ALLOC_CONF holds something that the allocator does not understand."""

    id = "RUN007"
    causes = ("alloc-conf-invalid",)
    rank = 2

    def check(
        self, facts: HostFacts, signals: Signals | None = None, environment: Mapping[str, str] | None = None
    ) -> Iterator[Finding]:
        """The allocator's refusal, or both names of the variable set at once."""
        if signals and (found := signals.of("allocator-option-unknown")):
            option = next((one.get("option") for one in found if one.get("option")), "")
            yield self.finding(
                confidence=Confidence.CERTAIN,
                title=say("The memory allocator refuses its configuration"),
                observed=say("unknown option {option}", option=option)
                if option
                else say("the value of {variable} cannot be read", variable=_OLD),
                expected=say(
                    "key:value pairs joined by commas, without blanks, such as expandable_segments:True"
                ),
                evidence=(one.evidence for one in found),
                fix=(
                    Fix(f"export {_OLD}=expandable_segments:True"),
                    Fix(f"unset {_OLD}", say("or the default")),
                ),
                sources=SOURCES,
            )
        if environment and environment.get(_OLD) and environment.get(_NEW):
            yield self.finding(
                severity=Severity.WARNING,
                confidence=Confidence.LIKELY,
                title=say("Two variables configure the memory allocator"),
                observed=say("{old} and {new} are both set", old=_OLD, new=_NEW),
                expected=say("one of them; releases that know both stop when both are set"),
                evidence=facts.seen("environment"),
                fix=(Fix(f"unset {_NEW}"),),
                sources=SOURCES,
            )
