"""torch_npu is not there at all, or was not imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.wording import described, is_fatal
from ascendenv.doctor.checks.torch.clues import (
    is_absent,
    pair_steps,
)
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Npu, Packages
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

SOURCES = ("vllm-project/vllm-ascend#166", "Ascend/pytorch:README.md")


class MissingPackage(Check):
    """torch_npu is not installed in the Python that runs, or was never imported."""

    id = "TOR006"
    causes = ("torch-npu-missing",)
    consequence_of = ("TOR013",)
    rank = 4

    def check(
        self,
        matrix: Matrix,
        facts: HostFacts,
        signals: Signals | None = None,
        packages: Packages | None = None,
        npus: tuple[Npu, ...] | None = None,
    ) -> Iterator[Finding]:
        """`No module named torch_npu`, torch without `npu`, or a whole package list that lacks it beside NPUs."""
        for signal in _absences(signals) if signals else ():
            yield self._seen(signal, pair_steps(matrix, facts))
        if npus and facts.torch and is_absent(packages, "torch-npu"):
            yield self.finding(
                severity=Severity.WARNING,
                confidence=Confidence.LIKELY,
                title=say("torch is installed, torch_npu is not"),
                observed=say(
                    "torch {torch} in an environment without torch-npu, on a machine with NPUs",
                    torch=facts.torch,
                ),
                expected=say("the torch_npu of the same release beside torch"),
                why=say("torch alone knows no NPU: torch.npu does not exist and everything runs on the CPU"),
                evidence=facts.seen("torch", "packages"),
                fix=pair_steps(matrix, facts),
                sources=SOURCES,
            )

    def _seen(self, signal: Signal, install: tuple[Fix, ...]) -> Finding:
        absent = signal.id in {"missing-module", "torch-npu-told-missing"}
        fatal = signal.id != "torch-npu-told-missing" or is_fatal(signal)
        return self.finding(
            severity=Severity.ERROR if fatal else Severity.WARNING,
            confidence=Confidence.LIKELY if fatal else Confidence.POSSIBLE,
            title=say("torch_npu is not installed in this Python")
            if absent
            else say("torch was used for the NPU, but torch_npu was not imported"),
            observed=described(signal),
            expected=say("the torch_npu of the same release beside torch, imported after torch"),
            why=say("torch knows the device name npu only after torch_npu was loaded"),
            evidence=[signal.evidence],
            fix=(
                Fix(
                    "python3 -m pip show torch torch-npu",
                    say("with the interpreter that fails: is it there?"),
                ),
                *install,
                Fix(
                    "python3 -c 'import torch, torch_npu; print(torch.npu.device_count())'",
                    say("torch before 2.5 loads torch_npu only when the program says import torch_npu"),
                ),
            ),
            sources=SOURCES,
            rank=self.rank if absent else self.rank - 2,
        )


def _absences(signals: Signals) -> Iterator[Signal]:
    for signal in signals.of("missing-module"):
        if signal.get("module") == "torch_npu":
            yield signal
    for signal in signals.of("missing-attribute", "circular-import"):
        if signal.get("attribute") == "npu" and signal.get("module") in {"torch", "Tensor", "Module"}:
            yield signal
    yield from signals.of("torch-npu-undefined-name", "torch-npu-told-missing", "npu-device-unknown")
