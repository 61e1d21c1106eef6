"""NNAL is of another release than the toolkit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.nnal.abi import fits_release
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.doctor.fixes import install_nnal
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.versions import Version

__all__ = ["NnalVersionDiffers"]


class NnalVersionDiffers(Check):
    """NNAL is of another release than the CANN toolkit."""

    id = "ATB005"
    causes = ("nnal-version-mismatch",)
    rank = 1

    def check(
        self, nnal: Version, cann: Version, facts: HostFacts, matrix: Matrix, arch: str | None = None
    ) -> Iterator[Finding]:
        """The two versions are compared, builds and aliases included."""
        if fits_release(facts, matrix) is not False:
            return
        yield self.finding(
            title=say("NNAL is of another release than the CANN toolkit"),
            observed=say("NNAL {nnal}, CANN {cann}", nnal=nnal, cann=cann),
            expected=say("NNAL {cann}", cann=cann),
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
            why=say("Each NNAL is built for the CANN of the same release."),
            evidence=facts.seen("nnal", "cann"),
            fix=install_nnal(matrix, cann=cann, arch=arch),
            sources=["Ascend/ascend-transformer-boost: README"],
        )
