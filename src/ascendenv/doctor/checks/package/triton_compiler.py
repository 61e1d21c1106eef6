"""triton-ascend and the compiler inside CANN that do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.triton import paired_triton_ascend, reinstall
from ascendenv.doctor.checks.package.wording import described
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Packages
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

SOURCES = ("vllm-project/vllm-ascend#3219", "sgl-project/sglang#16360", "vllm-project/vllm-ascend#7421")
COMPILER = ("bishengir-unknown-argument", "bishengir-missing", "triton-compiler-error")
NOTICE = "Failed to import Triton kernels"
WITHOUT_TRITON = ("310p", "310b", "910a", "910prob")
"""Chip names, in lower case, for which triton-ascend is not made."""


class TritonCompiler(Check):
    """triton-ascend does not fit the compiler of this CANN, or lacks what the caller uses."""

    id = "PKG009"
    causes = ("triton-ascend-version", "chip-unsupported")
    consequence_of = ("PKG008",)
    rank = 5

    def check(
        self,
        matrix: Matrix,
        facts: HostFacts,
        signals: Signals | None = None,
        packages: Packages | None = None,
    ) -> Iterator[Finding]:
        """Errors of BiSheng and of triton's own language, and a version that is not the paired one."""
        for signal, broke in _symptoms(signals) if signals else ():
            yield self._seen(signal, facts, matrix, broke=broke)
        installed = packages.get("triton-ascend") if packages is not None else None
        paired = paired_triton_ascend(matrix, facts)
        if installed is not None and paired is not None and not installed.version.startswith(str(paired)):
            yield self.finding(
                severity=Severity.INFO,
                confidence=Confidence.POSSIBLE,
                title=say("triton-ascend is not the version that the table pairs with this environment"),
                observed=say("triton-ascend {version}", version=installed.version),
                expected=say("triton-ascend {version}", version=paired),
                evidence=facts.seen("packages")[:3],
                fix=reinstall(matrix, facts),
                sources=SOURCES,
            )

    def _seen(self, signal: Signal, facts: HostFacts, matrix: Matrix, *, broke: bool) -> Finding:
        target = signal.get("target")
        refused = target.lower().removeprefix("ascend").startswith(WITHOUT_TRITON)
        return self.finding(
            cause="chip-unsupported" if refused else "triton-ascend-version",
            severity=Severity.ERROR if broke else Severity.WARNING,
            confidence=Confidence.LIKELY if broke else Confidence.POSSIBLE,
            title=say("triton-ascend does not support this chip")
            if refused
            else say("triton-ascend does not fit the compiler of this CANN"),
            observed=described(signal),
            expected=_expected(matrix, facts),
            why=_why(signal, refused=refused),
            evidence=[signal.evidence],
            fix=reinstall(matrix, facts),
            sources=SOURCES,
        )


def _symptoms(signals: Signals) -> Iterator[tuple[Signal, bool]]:
    """Each symptom, and whether the program broke over it (vllm only warns when its own kernels cannot be imported)."""
    refused = signals.of("bishengir-unknown-target")
    if refused or not _tools_cannot_start(signals):
        found = refused or signals.of(*COMPILER)
        yield from ((signal, True) for signal in found)
    yield from ((signal, True) for signal in signals.of("triton-driver-told-missing"))
    yield from ((signal, False) for signal in signals.of("triton-kernels-not-imported"))
    for signal in signals.of("missing-attribute", "missing-name", "missing-module"):
        module = signal.get("module")
        whole = module == "triton.language" and signal.id == "missing-module"
        if module.startswith("triton.language") and not whole and NOTICE not in signal.evidence.text:
            yield signal, True


def _tools_cannot_start(signals: Signals) -> bool:
    """Whether the compiler of CANN did not run at all, for a library of the system."""
    return bool(signals.of("version-node-missing", "static-tls"))


def _expected(matrix: Matrix, facts: HostFacts) -> Message:
    paired = paired_triton_ascend(matrix, facts)
    if paired is None:
        return say("triton-ascend, CANN and the framework of one release")
    return say("triton-ascend {version}", version=paired)


def _why(signal: Signal, *, refused: bool) -> Message:
    if refused:
        return say("the compiler knows no target {target}", target=signal.get("target"))
    if signal.get("target"):
        return say(
            "the driver reports the chip as {target}; this compiler is older than that name",
            target=signal.get("target"),
        )
    if signal.get("module"):
        return say("the caller was written for a newer triton language than this triton-ascend has")
    return say(
        "triton-ascend hands its code to bishengir-compile of CANN; each release of it is made for one CANN release"
    )
