"""The process crashes when torch_npu is imported on another CANN than it is made for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.repairs import install_wanted_cann
from ascendenv.doctor.checks.cann.standing import Standing, standing_of
from ascendenv.doctor.fixes import install_nnal
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals

__all__ = ["CrashOnOtherCann"]


class CrashOnOtherCann(Check):
    """The process crashes when torch_npu is imported, and CANN is not the one it is made for."""

    id = "CAN022"
    causes = ("cann-too-old", "torch-npu-cann-mismatch", "nnal-version-mismatch")
    rank = 5

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """A crash beside an import of torch_npu, with a CANN that is known."""
        crashes = signals.of("crash-at-import")
        named = [one for one in signals.of("import-named") if one.get("module") == "torch_npu"]
        cann = known(facts.cann)
        if not crashes or cann is None or not (named or known(facts.torch_npu) is not None):
            return
        standing = standing_of(matrix, facts)
        if standing is Standing.FITS:
            return
        newest = next(iter(matrix.cann.values())).version
        install = install_wanted_cann(matrix, facts)
        yield from weigh(
            self,
            (
                Hypothesis(
                    "cann-too-old",
                    say("The CANN toolkit is older than the one this torch_npu was built for"),
                    supported=True if standing is Standing.OLDER else None if cann < newest else False,
                    because=say(
                        "A build for a later CANN calls functions and structures that this one does not have."
                    ),
                    ask=say(
                        "which CANN is this torch_npu for: pip show torch-npu, then the table of Ascend/pytorch"
                    ),
                    fix=install,
                ),
                Hypothesis(
                    "torch-npu-cann-mismatch",
                    say("torch_npu was built for another CANN than this one"),
                    supported=True if standing is Standing.NEWER else None,
                    fix=install,
                ),
                Hypothesis(
                    "nnal-version-mismatch",
                    say("NNAL is of another release than torch_npu wants"),
                    fix=install_nnal(matrix, cann=cann, arch=known(facts.arch)),
                ),
            ),
            observed=say("the process crashes when torch_npu is imported on CANN {cann}", cann=cann),
            evidence=[one.evidence for one in (*crashes, *named)],
            sources=["vllm-project/vllm-ascend#154"],
        )
