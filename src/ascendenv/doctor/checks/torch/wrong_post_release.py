"""A .post build of torch_npu whose graph compiler does not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.torch.clues import pair_steps
from ascendenv.doctor.finding import Confidence
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals
    from ascendenv.versions import Version

SOURCES = ("Ascend/pytorch#37", "Ascend/pytorch:COMPATIBILITY.md")


class WrongPostRelease(Check):
    """The .post build of torch_npu is not the one of this CANN: torchair inside it is incomplete."""

    id = "TOR004"
    causes = ("torch-npu-post-release-wrong",)
    rank = 9

    def check(
        self,
        matrix: Matrix,
        facts: HostFacts,
        signals: Signals,
        torch_npu: Version | None = None,
    ) -> Iterator[Finding]:
        """A name of torchair that the installed torch_npu does not have."""
        for signal in signals.of("missing-attribute", "missing-name", "missing-module"):
            module = signal.get("module")
            if "torchair" not in module:
                continue
            name = ".".join(part for part in (module, signal.get("attribute") or signal.get("name")) if part)
            yield self.finding(
                confidence=Confidence.LIKELY,
                title=say("This .post build of torch_npu has an incomplete torchair"),
                observed=say(
                    "{name} is missing in torch_npu {torch_npu}",
                    name=name,
                    torch_npu=torch_npu or say("(version not told)"),
                ),
                expected=say("the torch_npu build that is paired with this CANN"),
                why=say(
                    "builds of one torch_npu version differ by their .post number; each belongs to one CANN line and "
                    "carries its own torchair"
                ),
                evidence=[signal.evidence],
                fix=pair_steps(matrix, facts, keep_torch_npu=False),
                sources=SOURCES,
            )
