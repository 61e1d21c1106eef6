"""An installation of torch_npu that lacks files or mixes two versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.wording import described
from ascendenv.doctor.checks.torch.clues import (
    belongs_to_torch_npu,
    is_absent,
    pair_steps,
    symbols_of,
)
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Packages
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
    ) -> Iterator[Finding]:
        """A library of torch_npu's own that is not found, is damaged, or misses torch_npu's own functions."""
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
                fix=(
                    Fix(
                        "pip uninstall -y torch-npu torch_npu", say("repeat until nothing is left to remove")
                    ),
                    Fix(
                        'rm -rf "$(python3 -c \'import sysconfig; print(sysconfig.get_path("purelib"))\')"/~orch*',
                        say("removes what interrupted installs left behind"),
                    ),
                    *pair_steps(matrix, facts),
                ),
                sources=SOURCES,
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
