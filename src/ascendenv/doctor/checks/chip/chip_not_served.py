"""CHP002: the card is of a generation that the software does not serve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.chip.families import NOT_SERVED, family_of_box
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Packages
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

FIRST_CORES = ("dav_c100", "dav_m200", "dav_m100")
"""Names by which the kernel compiler calls the cores of 910, 310P and 310."""
BINARIES = (
    "kernels-not-found",
    "operator-binary-missing",
    "platform-info-missing",
    "operator-compile-failed",
)
BARE = ("ERR00100", "ERR01100", "ERR01001", "ERR99999", "EZ9999", "EZ3002", "EZ3003", "E40021", "E39999")
BARE_NUMBERS = (
    "500001",
    "500002",
    "500003",
    "507011",
    "507015",
    "507018",
    "507033",
    "507035",
    "507057",
    "561103",
)
"""Codes that say only that a call of torch_npu, ACL or the runtime failed; on such a chip they need no other reason."""
MODELS = (
    "transformers",
    "llamafactory",
    "lmdeploy",
    "fschat",
    "modelscope",
    "ms-swift",
    "xinference",
    "diffusers",
)
"""Libraries of large models, written for 910B and later."""
SERVERS = ("vllm-ascend", "vllm", "sglang", "sgl-kernel-npu", "mindie")


class ChipNotServed(Check):
    """The card is a first generation 910, a 310 or a 310B, for which the kernels are missing or do not compile."""

    id = "CHP002"
    causes = ("chip-unsupported",)
    consequence_of = ("CHP001",)
    rank = 14

    def check(
        self, signals: Signals, facts: HostFacts, matrix: Matrix, packages: Packages | None = None
    ) -> Iterator[Finding]:
        """The compiler's complaint proves it alone; missing kernels only together with the chip."""
        family = family_of_box(matrix, facts)
        compiling = signals.of("cast-intrinsics-missing")
        lacking = signals.of(*BINARIES) if family in NOT_SERVED else ()
        serves = packages is not None and any(name in packages for name in SERVERS)
        stopped = signals.codes(*BARE, *BARE_NUMBERS) if family in NOT_SERVED else ()
        if not compiling and (family not in NOT_SERVED or not (lacking or serves or stopped)):
            return
        failed = (*compiling, *lacking, *stopped)
        yield self.finding(
            title=say("This generation of the chip is not supported by the software"),
            observed=_observed(facts, compiling),
            expected=say("910B1 to 910B4, A3, 310P or 950, as the software's own list says"),
            why=say("kernels exist for the listed chips only; on others they are missing or do not compile"),
            severity=Severity.ERROR if failed else Severity.WARNING,
            confidence=_confidence(
                family, compiling or lacking, serves=serves, models=_runs_models(signals, packages)
            ),
            evidence=(*(one.evidence for one in failed), *facts.seen("chip", "npus")),
            fix=(
                Fix(
                    "npu-smi info",
                    say("a DDR column beside HBM, or 910A, 910ProB, 310: the first generation"),
                ),
                Fix(note=say("use a chip that the software lists, or a framework that serves this one")),
            ),
            sources=("vllm-ascend FAQ: devices that are not supported", "ggml-org/llama.cpp issue 10556"),
        )


def _runs_models(signals: Signals, packages: Packages | None) -> bool:
    """Whether a framework for large models is installed, or stands in the trace."""
    installed = packages is not None and any(name in packages for name in (*SERVERS, *MODELS))
    return installed or bool(signals.of("model-framework-named"))


def _observed(facts: HostFacts, compiling: tuple[Signal, ...]) -> Message:
    if facts.chip:
        return say("the card is {chip}", chip=facts.chip)
    cores = next((one.get("dav") for one in compiling if one.get("dav") in FIRST_CORES), "")
    return say("kernels do not compile for {core}", core=cores or say("the cores of this chip"))


def _confidence(family: str | None, broken: tuple[Signal, ...], *, serves: bool, models: bool) -> Confidence:
    """Kernels that are missing tell most; a call that failed tells something where large models are run."""
    if family in NOT_SERVED and broken and serves:
        return Confidence.CERTAIN
    return Confidence.LIKELY if broken or serves or models else Confidence.POSSIBLE
