"""DRV012: a package or program for another processor architecture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals

OURS = ("ascend", "npu-smi", "hccn_tool", "cann", "ccec", "bishengir", "upgrade-tool", "atc")
"""Parts of the names of programs that come in packages of the Ascend stack."""


class WrongArchPackage(Check):
    """The package is for another architecture than this machine."""

    id = "DRV012"
    causes = ("wrong-arch-package",)
    rank = 14

    def check(self, signals: Signals, arch: str | None = None) -> Iterator[Finding]:
        """The installer compares the two; a program of another architecture does not start at all."""
        told = signals.of("package-arch-differs")
        started = [one for one in signals.of("library-damaged", "package-not-started") if _is_foreign(one)]
        if not told and not started:
            return
        machine = next((one.get("machine") for one in told if one.get("machine")), "") or arch
        package = next((one.get("package") for one in told if one.get("package")), "")
        yield self.finding(
            title=say("The package is for another processor architecture"),
            observed=say("package for {package}", package=package)
            if package
            else say("a program of another architecture does not start here"),
            expected=say("a package for {machine}", machine=machine or say("the architecture of uname -m")),
            confidence=Confidence.CERTAIN if told else Confidence.LIKELY,
            evidence=[one.evidence for one in (*told, *started)],
            fix=(
                Fix("uname -m", say("aarch64 or x86_64: the package name must end in it")),
                Fix(note=say("fetch the package again for this architecture; HDK packages write x86-64")),
            ),
            sources=("public code search index, file 60786010235",),
        )


def _is_foreign(signal: Signal) -> bool:
    name = (signal.get("path") or signal.get("library")).lower()
    refused = signal.id == "package-not-started" or "Exec format error" in signal.get("reason")
    return refused and any(part in name for part in OURS)
