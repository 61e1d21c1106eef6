"""An installation of torch_npu that lacks files or mixes two versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.wording import described
from ascendenv.doctor.checks.torch.clues import (
    belongs_to_torch_npu,
    differ,
    is_absent,
    pair_steps,
    symbols_of,
)
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Interpreter, Packages
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

SOURCES = ("glibc elf/dl-load.c", "pip documentation: interrupted installs")


class BrokenInstall(Check):
    """Files of the torch_npu installation are missing, damaged, or of two versions."""

    id = "TOR007"
    causes = ("torch-npu-broken-install", "torch-npu-missing")
    consequence_of = ("TOR010",)
    rank = 6

    def check(
        self,
        matrix: Matrix,
        facts: HostFacts,
        signals: Signals,
        packages: Packages | None = None,
        interpreter: Interpreter | None = None,
    ) -> Iterator[Finding]:
        """A library of its own that is not found, is damaged or misses functions; files of two versions; leftovers."""
        if interpreter is not None:
            yield from self._on_disk(matrix, facts, interpreter)
        absent = is_absent(packages, "torch-npu") is True
        for signal, sure in _damages(signals):
            yield self.finding(
                cause="torch-npu-missing" if absent else "torch-npu-broken-install",
                confidence=sure,
                title=say("torch_npu is not installed, but something needs its libraries")
                if absent
                else say("The installation of torch_npu is not whole"),
                observed=described(signal),
                expected=say("one complete torch_npu wheel in site-packages"),
                why=say(
                    "a pip that was interrupted, ran out of disk, or installed over another version leaves a mixture; "
                    "an extension that is imported before torch_npu shows the same message"
                ),
                evidence=[signal.evidence],
                fix=_reinstall(matrix, facts),
                sources=SOURCES,
            )

    def _on_disk(self, matrix: Matrix, facts: HostFacts, interpreter: Interpreter) -> Iterator[Finding]:
        """What the files of the Python in question show by themselves."""
        torch_npu = known(facts.torch_npu)
        built = interpreter.built_as.get("torch_npu")
        halves = [
            one
            for one in interpreter.leftovers
            if one.rpartition("/")[2].startswith(("~orch_npu", "~orch-npu"))
        ]
        if differ(built, torch_npu):
            observed = say(
                "pip knows torch_npu {torch_npu}, its files are of {built}", torch_npu=torch_npu, built=built
            )
        elif halves and torch_npu is None:
            observed = say("an interrupted pip left {path}", path=halves[0])
        else:
            return
        yield self.finding(
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
            title=say("The installation of torch_npu is not whole"),
            observed=observed,
            expected=say("one complete torch_npu wheel in site-packages"),
            why=say(
                "an install that was interrupted, or one over another version, leaves a mixture of files"
            ),
            evidence=(*facts.seen("interpreter"), *facts.seen("torch_npu")[:1]),
            fix=_reinstall(matrix, facts),
            sources=SOURCES,
        )


def _reinstall(matrix: Matrix, facts: HostFacts) -> tuple[Fix, ...]:
    return (
        Fix("pip uninstall -y torch-npu torch_npu", say("repeat until nothing is left to remove")),
        Fix(
            'rm -rf "$(python3 -c \'import sysconfig; print(sysconfig.get_path("purelib"))\')"/~orch*',
            say("removes what interrupted installs left behind"),
        ),
        *pair_steps(matrix, facts),
    )


def _damages(signals: Signals) -> Iterator[tuple[Signal, Confidence]]:
    for signal in signals.of("missing-library", "library-damaged"):
        if belongs_to_torch_npu(signal):
            yield signal, Confidence.LIKELY
    for signal in symbols_of(signals, "torch_npu"):
        if belongs_to_torch_npu(signal):
            yield signal, Confidence.LIKELY
    for signal in signals.of("invalid-distribution"):
        if signal.get("name").replace("-", "_").startswith("orch_npu"):
            yield signal, Confidence.POSSIBLE
