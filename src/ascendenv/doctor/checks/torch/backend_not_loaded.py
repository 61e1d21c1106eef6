"""The wrapper that hides the reason: torch could not load the backend extension."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.torch.clues import (
    IMPORT_FAILURES,
    differ,
    pair_steps,
    same_base,
)
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.fixes import pip_install, source_cann
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Packages
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

SOURCES = ("pytorch/pytorch:torch/__init__.py",)
SHOW = "TORCH_DEVICE_BACKEND_AUTOLOAD=0 python3 -c 'import torch, torch_npu'"
TOOLKIT = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")


class BackendNotLoaded(Check):
    """torch could not load torch_npu, and the text does not say why."""

    id = "TOR009"
    causes = (
        "cann-env-not-sourced",
        "torch-npu-python-deps-missing",
        "triton-clash",
        "torch-npu-torch-mismatch",
        "backend-autoload-conflict",
    )

    def check(self, matrix: Matrix, facts: HostFacts, signals: Signals) -> Iterator[Finding]:
        """Only where the wrapper stands alone: a reason that is in the text has its own check."""
        wrapper = signals.of("backend-load-failed")
        if not wrapper or any(not _is_noise(one) for one in signals.of(*IMPORT_FAILURES[1:])):
            return
        yield from weigh(
            self,
            _explanations(matrix, facts),
            observed=say("torch says only that it failed to load the backend extension torch_npu"),
            evidence=[signal.evidence for signal in wrapper],
            sources=SOURCES,
        )


def _is_noise(signal: Signal) -> bool:
    """Whether the line says nothing about torch_npu: parts of vllm that NPUs never have, a triton that is not there."""
    return signal.id == "missing-module" and signal.get("module").split(".")[:2] in (
        ["triton"],
        ["vllm", "_C"],
    )


def _explanations(matrix: Matrix, facts: HostFacts) -> list[Hypothesis]:
    torch, torch_npu, cann = facts.torch or None, facts.torch_npu or None, facts.cann or None
    show = Fix(SHOW, say("shows the real reason: the lines above the wrapper"))
    pair = pair_steps(matrix, facts)
    return [
        Hypothesis(
            cause="cann-env-not-sourced",
            title=say("torch_npu cannot be loaded, most often because CANN is not sourced in this shell"),
            supported=_is_unsourced(facts.environment or None),
            ask=say("what is the last line of {command}?", command=SHOW),
            fix=(show, source_cann(cann)),
        ),
        Hypothesis(
            cause="torch-npu-python-deps-missing",
            title=say("A Python package that torch_npu needs is not installed"),
            supported=_lacks_yaml(facts.packages or None),
            ask=say("does it say No module named yaml, numpy or the like?"),
            fix=(show, pip_install("pyyaml", "numpy")),
        ),
        Hypothesis(
            cause="triton-clash",
            title=say("triton and triton-ascend overwrite each other"),
            supported=_has_two_tritons(facts.packages or None),
            ask=say("does it name triton, and does `pip list` show both triton and triton-ascend?"),
            fix=(show,),
        ),
        Hypothesis(
            cause="torch-npu-torch-mismatch",
            title=say("torch and torch_npu are of different releases"),
            supported=True if differ(torch, torch_npu) else False if same_base(torch, torch_npu) else None,
            ask=say("does it say undefined symbol?"),
            fix=(show, *pair),
        ),
        Hypothesis(
            cause="backend-autoload-conflict",
            title=say("Two backend extensions are loaded automatically and disturb each other"),
            ask=say("does it say that two accelerators cannot be used at the same time?"),
            fix=(
                show,
                Fix("export TORCH_DEVICE_BACKEND_AUTOLOAD=0", say("then import torch_npu in the program")),
            ),
        ),
    ]


def _is_unsourced(environment: Mapping[str, str] | None) -> bool | None:
    if environment is None:
        return None
    return False if any(environment.get(name) for name in TOOLKIT) else None


def _lacks_yaml(packages: Packages | None) -> bool | None:
    if packages is None:
        return None
    if "pyyaml" in packages:
        return False
    return True if packages.complete else None


def _has_two_tritons(packages: Packages | None) -> bool | None:
    if packages is None:
        return None
    if "triton" in packages and "triton-ascend" in packages:
        return True
    return False if packages.complete else None
