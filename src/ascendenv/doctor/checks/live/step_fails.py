"""A step of the live probe ends with an exception that no other check explains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks import cann, chip, device, driver, nnal, package, system, torch, visibility
from ascendenv.doctor.checks.live.steps import chain_lines, words_for
from ascendenv.doctor.checks.torch.clues import pair_steps
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import Message, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.live import LiveResult, LiveStep
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals

__all__ = ["StepFails"]

_STEPS = ("torch", "torch_npu", "available", "device", "product", "training")
_EXPLAIN = (cann, chip, device, driver, nnal, package, system, torch, visibility)


class StepFails(Check):
    """With --live: importing torch or torch_npu, or a step after it, ends with an exception."""

    id = "LIV001"
    causes = ("live-step-fails", "torch-missing")
    consequence_of = tuple(check.id for family in _EXPLAIN for check in family.CHECKS)
    rank = -4

    def check(
        self, live: LiveResult, matrix: Matrix, facts: HostFacts, signals: Signals | None = None
    ) -> Iterator[Finding]:
        """The first failed step. Where its text was understood, the checks that know it stand first."""
        found = (live.step(name) for name in _STEPS)
        failed = next((step for step in found if step is not None and step.outcome == "failed"), None)
        if failed is None:
            return
        if _is_torch_missing(failed):
            yield self._torch_missing(failed, live, matrix, facts)
        else:
            understood = any(one.evidence.where.startswith(f"live {failed.name}:") for one in signals or ())
            yield self._failed(failed, live, Confidence.POSSIBLE if understood else Confidence.CERTAIN)

    def _failed(self, step: LiveStep, live: LiveResult, confidence: Confidence) -> Finding:
        root = step.errors[-1]
        return self.finding(
            confidence=confidence,
            title=say("This fails: {step}", step=words_for(step)),
            observed=Message(f"{root.type}: {root.text.strip().partition(chr(10))[0]}"),
            expected=say("it works in {python}", python=live.python),
            why=say("the error where it started is the last of the chain; those before it follow from it"),
            evidence=chain_lines(step),
            fix=(
                Fix(
                    f"{live.python} -X importtime -c 'import torch, torch_npu' 2>&1 | tail -5",
                    say("the last lines name the module that failed"),
                ),
            ),
            sources=("the live probe",),
        )

    def _torch_missing(self, step: LiveStep, live: LiveResult, matrix: Matrix, facts: HostFacts) -> Finding:
        return self.finding(
            cause="torch-missing",
            confidence=Confidence.CERTAIN,
            title=say("torch is not installed in this Python"),
            observed=say("{python} finds no package called torch", python=live.python),
            expected=say("torch and the torch_npu of the same release in the Python that runs the job"),
            why=say("the job may use another Python: name it with --python PATH"),
            evidence=chain_lines(step),
            fix=pair_steps(matrix, facts),
            sources=("the live probe",),
        )


def _is_torch_missing(step: LiveStep) -> bool:
    root = step.errors[-1]
    return step.name == "torch" and root.type == "ModuleNotFoundError" and "'torch'" in root.text
