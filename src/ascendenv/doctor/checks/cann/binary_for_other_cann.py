"""A program was built with another CANN than the one it runs on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.repairs import install_this_cann
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.facts.unknown import known
from ascendenv.language import say
from ascendenv.versions import InvalidVersion, vendor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Package
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals
    from ascendenv.versions import Version

__all__ = ["BinaryForOtherCann"]


_LOCAL = re.compile(r"\+.*?cann[._-]?(\d+\.\d+\.(?:rc\d+|\d+))", re.IGNORECASE)


class BinaryForOtherCann(Check):
    """A shipped program was built with another CANN than the one it runs on."""

    id = "CAN020"
    causes = ("binary-built-for-other-cann",)
    rank = 6

    def check(
        self,
        signals: Signals,
        facts: HostFacts,
        matrix: Matrix,
        cann: Version | None = None,
    ) -> Iterator[Finding]:
        """The version that the program was built with is told and is not the one in use."""
        yield from self._packages(facts, matrix)
        for one in signals.of("built-with-cann"):
            built = _version(one.get("cann"))
            if built is None or (cann is not None and _same_release(matrix, built, cann)):
                continue
            yield self.finding(
                title=say("The program was built with another CANN than the one it runs on"),
                observed=say("built with CANN {built}, running on {cann}", built=built, cann=cann or "?"),
                expected=say("the CANN that it was built with, or a build for the CANN in use"),
                severity=Severity.ERROR if cann is not None else Severity.WARNING,
                confidence=Confidence.LIKELY if cann is not None else Confidence.POSSIBLE,
                why=say(
                    "Programs in C++ are bound to the libraries of the CANN release they were linked with."
                ),
                evidence=[one.evidence, *facts.seen("cann")],
                fix=[
                    Fix(
                        note=say("take the build of the program for the CANN in use, or build it again here")
                    ),
                    *install_this_cann(matrix, facts, built),
                ],
                sources=["gpustack/gpustack#1488"],
            )

    def _packages(self, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        cann = known(facts.cann)
        for package in known(facts.packages) or ():
            built = _built_with(package)
            if built is None or cann is None or _same_release(matrix, built, cann):
                continue
            yield self.finding(
                title=say("A Python package was built with another CANN than the one in use"),
                observed=say(
                    "{name} was built with CANN {built}, in use is {cann}",
                    name=package.name,
                    built=built,
                    cann=cann,
                ),
                severity=Severity.WARNING,
                confidence=Confidence.LIKELY,
                evidence=facts.seen("cann"),
                fix=[
                    Fix(note=say("take the build of the program for the CANN in use, or build it again here"))
                ],
                sources=["sgl-project/sglang#16360: version of deep_ep"],
            )


def _built_with(package: Package) -> Version | None:
    """The CANN that stands in the local part of a version: 8.3.rc2 of 1.0.0+3f61eab6.cann.8.3.rc2.b210."""
    found = _LOCAL.search(package.version)
    return _version(found[1]) if found else None


def _version(text: str) -> Version | None:
    try:
        return vendor(text)
    except InvalidVersion:
        return None


def _same_release(matrix: Matrix, one: Version, other: Version) -> bool:
    first, second = matrix.find_cann(one), matrix.find_cann(other)
    return one == other or (first is not None and first is second)
