"""`Torch not compiled with CUDA enabled` on an NPU machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.torch.clues import (
    is_absent,
    pair_steps,
)
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Packages
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals

SOURCES = ("vllm-project/vllm-ascend#122", "vllm-project/vllm-ascend#516", "Ascend/pytorch#16")
FRAMEWORKS = ("vllm", "vllm-ascend", "sglang", "mindspeed", "lmdeploy", "verl")


class CudaAskedFor(Check):
    """A program asks torch for CUDA on an NPU machine."""

    id = "TOR012"
    causes = (
        "torch-npu-too-old-for-framework",
        "cuda-hard-coded",
        "torch-npu-missing",
    )
    rank = 3

    def check(
        self, matrix: Matrix, facts: HostFacts, signals: Signals, packages: Packages | None = None
    ) -> Iterator[Finding]:
        """The texts of torch for a CUDA call without CUDA, explained by what else is known."""
        asked = signals.of("cuda-asked-for", "cuda-checkpoint")
        if not asked:
            return
        framework = _framework(signals, packages)
        yield from weigh(
            self,
            _explanations(
                matrix,
                facts,
                framework,
                absent=is_absent(packages, "torch-npu"),
                checkpoint=bool(signals.of("cuda-checkpoint")),
            ),
            observed=say("a call went to torch.cuda, which this torch does not have"),
            evidence=[signal.evidence for signal in asked],
            sources=SOURCES,
        )


def _framework(signals: Signals, packages: Packages | None) -> str | None:
    """A framework with NPU support that takes part; None when nothing shows one."""
    if frame := signals.first("framework-frame"):
        return frame.get("framework")
    return next((name for name in FRAMEWORKS if packages is not None and name in packages), None)


def _explanations(
    matrix: Matrix, facts: HostFacts, framework: str | None, *, absent: bool | None, checkpoint: bool
) -> list[Hypothesis]:
    pair = pair_steps(matrix, facts)
    return [
        Hypothesis(
            cause="torch-npu-missing",
            title=say("torch_npu is not installed in this Python"),
            supported=bool(absent),
            because=say("the package list has torch, but no torch-npu"),
            fix=pair,
        ),
        Hypothesis(
            cause="torch-npu-too-old-for-framework",
            title=say("The framework takes its CUDA way: it and torch_npu are not of one release"),
            supported=False if checkpoint else True if framework else None,
            because=say(
                "{framework} supports NPUs, in releases that fit this torch_npu", framework=framework or ""
            ),
            ask=say("is the failing line inside a framework that supports NPUs, such as vllm or sglang?"),
            fix=(
                *pair,
                Fix(
                    note=say(
                        "take framework, plugin and torch_npu from one row of the framework's release table"
                    )
                ),
            ),
        ),
        Hypothesis(
            cause="cuda-hard-coded",
            title=say("The program names cuda in its own code"),
            supported=checkpoint or None,
            because=say(
                "code such as .cuda(), device=0 or torch.device('cuda') cannot run on an NPU as it stands"
            ),
            ask=say("does the last line of the traceback lie in your own script or model code?"),
            fix=(
                Fix(
                    "grep -rnE 'cuda|\\.to\\([0-9]' YOUR_CODE",
                    say("replace what it finds by npu, e.g. .to('npu:0')"),
                ),
                Fix(
                    note=say(
                        "or, for a first run, put `from torch_npu.contrib import transfer_to_npu` at the top of the "
                        "program"
                    )
                ),
            ),
        ),
    ]
