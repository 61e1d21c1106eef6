"""By the table, torch_npu and CANN are not made for each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.repairs import install_wanted_cann, pair_torch_npu
from ascendenv.doctor.checks.cann.standing import Standing, standing_of, wanted_cann
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.facts.unknown import known
from ascendenv.language import say
from ascendenv.signals.model import Signals
from ascendenv.versions import InvalidVersion, vendor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal
    from ascendenv.versions import Version

__all__ = ["TorchNpuMismatch"]


class TorchNpuMismatch(Check):
    """By the table, torch_npu and the CANN in use are not made for each other."""

    id = "CAN019"
    causes = ("torch-npu-cann-mismatch", "cann-too-old")
    consequence_of = ("CAN004", "CAN022")
    rank = 3

    def check(self, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """The table has no row for the pair, somebody says that CANN is too old, or the headers do not fit."""
        yield from self._headers(facts, matrix)
        yield from self._told(facts, matrix)
        standing = standing_of(matrix, facts)
        if standing in (None, Standing.FITS):
            return
        older = standing is Standing.OLDER
        torch_npu = known(facts.torch_npu)
        yield self.finding(
            cause="cann-too-old" if older else "torch-npu-cann-mismatch",
            title=say("torch_npu and CANN are not of one row of the table"),
            observed=say("torch_npu {torch_npu} on CANN {cann}", torch_npu=torch_npu, cann=known(facts.cann)),
            expected=say("CANN {wanted} for this torch_npu", wanted=wanted_cann(matrix, torch_npu)),
            severity=Severity.ERROR if _symptom(facts) else Severity.WARNING,
            confidence=Confidence.LIKELY if older else Confidence.POSSIBLE,
            why=say("torch_npu is linked with functions of the CANN it was built for."),
            evidence=facts.seen("torch_npu", "cann"),
            fix=(*pair_torch_npu(matrix, facts), *install_wanted_cann(matrix, facts)),
            sources=["Ascend/pytorch: COMPATIBILITY.md"],
        )

    def _headers(self, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """Headers in the wheel of torch_npu that ask this CANN for names of another release."""
        refused = (known(facts.signals) or Signals()).of("torch-npu-header-refused")
        if refused:
            first = refused[0]
            yield self.finding(
                title=say("The headers of torch_npu do not compile against this CANN"),
                observed=say("unknown to this CANN: {name}", name=first.get("name") or first.get("told")),
                confidence=Confidence.LIKELY,
                why=say(
                    "torch_npu brings headers that use the CANN it was built for; others are found first."
                ),
                evidence=[*(one.evidence for one in refused), *facts.seen("torch_npu", "cann")],
                fix=(*pair_torch_npu(matrix, facts), *install_wanted_cann(matrix, facts)),
                sources=["vllm-project/vllm-ascend#6429"],
            )

    def _told(self, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        signals = known(facts.signals) or Signals()
        cann = known(facts.cann)
        older = [one for one in signals.of("cann-said-older", "cann-wanted") if not _reached(one, cann)]
        for one in older:
            sure = one.id == "cann-said-older" or cann is not None
            yield self.finding(
                cause="cann-too-old",
                title=say("The CANN toolkit is too old for what runs on it"),
                observed=say("CANN is older than {version}", version=one.get("version")),
                severity=Severity.ERROR if sure else Severity.WARNING,
                confidence=Confidence.LIKELY if sure else Confidence.POSSIBLE,
                evidence=[one.evidence, *facts.seen("cann")],
                fix=install_wanted_cann(matrix, facts),
                sources=["vllm-project/vllm-ascend#380"],
            )
        for one in signals.of("cann-told-mismatch"):
            yield self.finding(
                title=say("torch_npu and CANN are said not to fit each other"),
                observed=say(
                    "torch_npu {torch_npu} on CANN {cann}",
                    torch_npu=known(facts.torch_npu) or "?",
                    cann=cann or "?",
                ),
                confidence=Confidence.POSSIBLE,
                evidence=[one.evidence, *facts.seen("torch_npu", "cann")],
                fix=pair_torch_npu(matrix, facts),
                sources=["Ascend/pytorch: COMPATIBILITY.md"],
            )


def _reached(signal: Signal, cann: Version | None) -> bool:
    """Whether the CANN in use is as new as the one that is asked for."""
    try:
        return cann is not None and signal.id == "cann-wanted" and cann >= vendor(signal.get("version"))
    except InvalidVersion:
        return True


def _symptom(facts: HostFacts) -> bool:
    """Whether something failed in a way that releases which do not fit each other cause."""
    signals = known(facts.signals)
    return signals is not None and bool(
        signals.of(
            "operator-compile-failed",
            "compiler-not-started",
            "cann-function-missing",
            "aclnn-operator-missing",
            "kernels-not-found",
            "crash-at-import",
        )
    )
