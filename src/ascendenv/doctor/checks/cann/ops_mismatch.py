"""The kernels package is of another release than the toolkit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.repairs import install_same_cann
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, OpsPackage
    from ascendenv.matrix.model import Matrix
    from ascendenv.versions import Version

__all__ = ["OpsMismatch"]


class OpsMismatch(Check):
    """The kernels (ops) package is of another release than the toolkit."""

    id = "CAN021"
    causes = ("cann-versions-mixed",)
    rank = 1

    def check(
        self,
        cann: Version,
        ops: tuple[OpsPackage, ...],
        facts: HostFacts,
        matrix: Matrix,
    ) -> Iterator[Finding]:
        """Toolkit and ops must be of one release, but for the mixes that the release notes allow."""
        row = matrix.find_cann(cann)
        allowed = (cann, *((row.version, *row.aliases, *row.ops) if row is not None else ()))
        for package in ops:
            version = package.version
            if version is None or any(version == one or version.belongs_to(one) for one in allowed):
                continue
            yield self.finding(
                title=say("The kernels (ops) package is of another release than the toolkit"),
                observed=say("toolkit {cann}, ops {ops}", cann=cann, ops=version),
                expected=say("ops {cann}", cann=cann),
                severity=Severity.WARNING,
                confidence=Confidence.LIKELY,
                why=say(
                    "A kernels package of another release installs without complaint and fails when an operator runs."
                ),
                evidence=facts.seen("cann", "ops"),
                fix=install_same_cann(matrix, facts),
                sources=["hicann/release-management: 9.0.1/release-notes.md"],
            )
