"""The toolkit is an alpha or beta build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.repairs import install_this_cann
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.language import say
from ascendenv.versions import InvalidVersion, vendor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals
    from ascendenv.versions import Version

__all__ = ["PrereleaseToolkit"]


class PrereleaseToolkit(Check):
    """The CANN toolkit in use is an alpha or beta build."""

    id = "CAN018"
    causes = ("cann-alpha-release",)
    rank = 2

    def check(
        self, cann: Version, facts: HostFacts, matrix: Matrix, signals: Signals | None = None
    ) -> Iterator[Finding]:
        """The version names an alpha or a beta, and the release that it leads to exists."""
        if not _is_prerelease(matrix, cann):
            return
        released = _released(matrix, cann)
        failed = signals.of("host-register-failed") if signals is not None else ()
        yield self.finding(
            title=say("The CANN toolkit is an alpha or beta build"),
            observed=say("CANN {version}", version=cann),
            expected=say("CANN {version}, the release", version=released or cann.base),
            severity=Severity.ERROR if failed else Severity.WARNING,
            confidence=Confidence.LIKELY,
            why=say(
                "Faults of such a build are mended in the release; torch_npu and the driver are paired with releases."
            ),
            evidence=[*facts.seen("cann"), *(one.evidence for one in failed)],
            fix=install_this_cann(matrix, facts, released),
            sources=["LMCache/LMCache-Ascend#115: host memory cannot be registered with an alpha build"],
            rank=9 if failed else self.rank,
        )


def _is_prerelease(matrix: Matrix, cann: Version) -> bool:
    """By the table; `8.0.0.beta1` is another name of a release, so the word alone does not decide."""
    row = matrix.find_cann(cann)
    if row is None:
        return cann.is_alpha
    return row.channel != "release" or (cann.is_alpha and cann not in (row.version, *row.aliases))


def _released(matrix: Matrix, cann: Version) -> Version | None:
    try:
        row = matrix.find_cann(vendor(cann.base))
    except InvalidVersion:
        return None
    return row.version if row is not None and row.channel == "release" else None
