"""A variable that CANN does not read was used to choose cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.visibility.selection import RUNTIME, selection_of
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts

__all__ = ["CudaVisibleDevicesSet"]

_FOREIGN = ("CUDA_VISIBLE_DEVICES", "NPU_VISIBLE_DEVICES")


class CudaVisibleDevicesSet(Check):
    """CUDA_VISIBLE_DEVICES is set, which does not choose NPUs."""

    id = "VIS007"
    causes = ("cuda-visible-devices-set",)
    rank = 2

    def check(self, facts: HostFacts) -> Iterator[Finding]:
        """Fires on the CUDA or an invented variable that names cards while CANN's own variable is not set."""
        if selection_of(facts, RUNTIME) is not None:
            return
        for name in _FOREIGN:
            chosen = selection_of(facts, name)
            if chosen is None or not chosen.ids:
                continue
            cards = ",".join(str(number) for number in sorted(set(chosen.ids)))
            yield self.finding(
                title=say("{name} does not choose NPUs", name=name),
                observed=say(
                    "{name}={value}, and ASCEND_RT_VISIBLE_DEVICES is not set", name=name, value=chosen.value
                ),
                expected=say("ASCEND_RT_VISIBLE_DEVICES={cards}", cards=cards),
                why=say(
                    "the CANN runtime reads ASCEND_RT_VISIBLE_DEVICES only, so the job takes cards from 0 on"
                ),
                confidence=Confidence.LIKELY,
                severity=Severity.WARNING,
                evidence=chosen.evidence,
                fix=(
                    Fix(
                        f"export ASCEND_RT_VISIBLE_DEVICES={cards}",
                        say("counted from 0 inside a container that was given some cards only"),
                    ),
                    Fix(f"unset {name}"),
                ),
                sources=(
                    "https://github.com/deepspeedai/DeepSpeed/pull/5369",
                    "https://github.com/vllm-project/vllm-ascend/issues/6063",
                ),
            )
