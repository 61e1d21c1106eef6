"""numpy is newer than this CANN can use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.compiler import compiler_signals, documented_packages
from ascendenv.doctor.checks.cann.standing import likely_cann
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.doctor.fixes import pip_install
from ascendenv.facts.unknown import known
from ascendenv.language import say
from ascendenv.versions import InvalidRange, InvalidVersion, VersionRange, pep440

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Packages
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals
    from ascendenv.versions import Version

__all__ = ["NumpyTooNew"]


_FIRST = pep440("2.0.0")


class NumpyTooNew(Check):
    """numpy 2 is installed beside a CANN or a framework that needs numpy 1."""

    id = "CAN014"
    causes = ("numpy2-incompatible",)
    rank = 7

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """Pip or numpy itself says so, or the compiler fails with a numpy that this CANN does not take."""
        conflicts = [one for one in signals.of("numpy-requirement-conflict") if _is_second(one)]
        compiling = compiler_signals(signals)
        removed = signals.of("numpy-abi-warning", *(("numpy-alias-removed",) if compiling else ()))
        installed = _numpy(known(facts.packages))
        cann = likely_cann(matrix, facts)
        too_new = installed is not None and not _fits(matrix, cann, installed, failing=bool(compiling))
        if not (conflicts or removed or too_new):
            return
        found = installed or next((_found(one) for one in conflicts), "2")
        yield self.finding(
            title=say("numpy 2 does not fit this CANN"),
            observed=say("numpy {found} is installed", found=found),
            expected=say("for this CANN: {requirement}", requirement=", ".join(_requirement(matrix, cann))),
            severity=Severity.ERROR if removed or compiling or _stopped(conflicts) else Severity.WARNING,
            confidence=_confidence(conflicts, removed, compiling, too_new=too_new),
            why=say("The Python part of the operator compiler uses names that numpy 2 removed."),
            evidence=[one.evidence for one in (*conflicts, *removed, *compiling)],
            fix=[pip_install(*_requirement(matrix, cann))],
            sources=[
                "CANN 9.0.0 release notes",
                "vllm-project/vllm-ascend#473",
                "vllm-project/vllm-ascend#2210",
            ],
        )


def _confidence(
    conflicts: list[Signal], removed: tuple[Signal, ...], compiling: tuple[Signal, ...], *, too_new: bool
) -> Confidence:
    if _stopped(conflicts) or (too_new and removed):
        return Confidence.CERTAIN
    if conflicts or removed or (too_new and compiling):
        return Confidence.LIKELY
    return Confidence.POSSIBLE


def _is_second(signal: Signal) -> bool:
    """Whether a numpy 2 stands against a demand that no numpy 2 fulfils."""
    demand = signal.get("wanted") or signal.get("required")
    try:
        wanted = VersionRange(demand.rstrip(","), "pep440")
    except (InvalidVersion, InvalidRange):
        return False
    return _found(signal).startswith("2") and not any(
        wanted.contains(one) for one in (_FIRST, pep440(_found(signal)))
    )


def _stopped(conflicts: list[Signal]) -> bool:
    """Whether a conflict was raised as an error; pip itself only mentions it."""
    return any(one.get("found") for one in conflicts)


def _found(signal: Signal) -> str:
    return signal.get("found") or signal.get("installed")


def _numpy(packages: Packages | None) -> Version | None:
    found = packages.get("numpy") if packages is not None else None
    try:
        return pep440(found.version) if found is not None else None
    except InvalidVersion:
        return None


def _fits(matrix: Matrix, cann: Version | None, numpy: Version, *, failing: bool) -> bool:
    """Whether this CANN takes that numpy; an unknown one takes what any takes, or what all take once it fails."""
    rows = [one for one in matrix.python_packages if one.name == "numpy"]
    named = [one for one in rows if one.cann is None or cann is None or one.cann.contains(cann)]
    takes = [one.versions is None or one.versions.contains(numpy) for one in named]
    return all(takes) if failing else not takes or any(takes)


def _requirement(matrix: Matrix, cann: Version | None) -> tuple[str, ...]:
    documented = documented_packages(matrix, cann, "numpy")
    return documented if any("<" in one for one in documented) else ("numpy<2",)
