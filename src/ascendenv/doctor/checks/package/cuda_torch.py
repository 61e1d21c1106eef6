"""A CUDA build of torch where the CPU build is wanted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.requirements import requirements_in
from ascendenv.doctor.checks.package.wording import is_fatal
from ascendenv.doctor.checks.torch.clues import pair_steps
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ascendenv.doctor.finding import Finding, Fix
    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import HostFacts, Packages
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals
    from ascendenv.versions import Version

SOURCES = (
    "package index: Requires-Dist of the torch-npu wheels",
    "vllm-project/vllm-ascend#7089",
    "vllm-project/vllm-ascend:docs/source/installation.md",
)


class CudaTorch(Check):
    """torch comes as a CUDA build, or the resolver cannot find the +cpu build that torch_npu wants."""

    id = "PKG004"
    causes = ("x86-needs-cpu-torch-index",)
    rank = 6

    def check(
        self,
        matrix: Matrix,
        facts: HostFacts,
        signals: Signals | None = None,
        packages: Packages | None = None,
        arch: str | None = None,
    ) -> Iterator[Finding]:
        """A +cpu pin that cannot be met, a CUDA torch beside torch_npu, a build that fails on x86_64."""
        torch = known(facts.torch)
        finding = partial(self._finding, partial(pair_steps, matrix, facts))
        if clash := _pin_clash(signals):
            yield finding(clash, Confidence.LIKELY, Severity.ERROR, _resolver())
        elif alone := _cuda_without_gpu(signals):
            seen = say("torch looked for an NVIDIA driver, which only a CUDA build does")
            yield finding(alone, Confidence.LIKELY, Severity.ERROR, seen)
        elif _is_cuda_build(torch, packages) and (facts.torch_npu or facts.npus):
            yield finding(
                facts.seen("torch", "packages")[:3],
                Confidence.LIKELY,
                Severity.WARNING,
                say("torch {torch} is a CUDA build", torch=torch),
            )
        elif arch == "x86_64" and not _has_cpu_torch(torch):
            failed = signals.of("source-install-failed") if signals else ()
            if failed:
                lines = [signal.evidence for signal in failed]
                yield finding(lines, Confidence.POSSIBLE, Severity.ERROR, _build_failed())
            elif torch is None and facts.npus:
                yield finding(facts.seen("arch"), Confidence.POSSIBLE, Severity.INFO, _take_care())

    def _finding(
        self,
        fix: Callable[[], tuple[Fix, ...]],
        evidence: Sequence[Evidence],
        confidence: Confidence,
        severity: Severity,
        observed: Message,
    ) -> Finding:
        return self.finding(
            severity=severity,
            confidence=confidence,
            title=say("torch must come from PyTorch's index of CPU builds"),
            observed=observed,
            expected=say("the +cpu build of torch, in the version that torch_npu is made for"),
            why=say(
                "the default index gives CUDA builds of torch on x86_64, and on aarch64 from 2.11 on; torch_npu for "
                "x86_64 up to 2.11 demands exactly torch==X+cpu, which is on PyTorch's own index only"
            ),
            evidence=evidence,
            fix=fix(),
            sources=SOURCES,
        )


def _pin_clash(signals: Signals | None) -> list[Evidence]:
    """The resolver's lines where torch==X and torch==X+cpu stand against each other."""
    if not signals:
        return []
    lines = [one for one in signals.of("resolver-needs") if one.get("needs").startswith("torch==")]
    wanted = {one.get("needs") for one in lines}
    told = [one.evidence for one in signals.of("cpu-build-told")]
    if told or any(f"{one}+cpu" in wanted for one in wanted):
        return [*(one.evidence for one in lines), *told]
    return [one.evidence for one in signals.of("pip-conflict") if _names_one_release_twice(one)]


def _cuda_without_gpu(signals: Signals | None) -> list[Evidence]:
    lines = signals.of("cuda-build-without-gpu") if signals else ()
    return [signal.evidence for signal in lines if is_fatal(signal)]


def _names_one_release_twice(signal: Signal) -> bool:
    """`Cannot install torch-npu==2.3.1, torch==2.3.1 ...`: one release, so only the +cpu part can clash."""
    text = signal.get("text")
    if not text.startswith("Cannot install"):
        return False
    named = {one.name: one for one in requirements_in(text)}
    torch, torch_npu = named.get("torch"), named.get("torch-npu")
    return torch is not None and torch_npu is not None and torch_npu.version.startswith(torch.version)


def _is_cuda_build(torch: Version | None, packages: Packages | None) -> bool:
    if torch is None:
        return False
    if (torch.local or "").startswith("cu"):
        return True
    return (
        torch.local is None
        and packages is not None
        and any(one.name.startswith("nvidia-cu") for one in packages)
    )


def _has_cpu_torch(torch: Version | None) -> bool:
    return torch is not None and torch.local == "cpu"


def _resolver() -> Message:
    return say(
        "one package asks for torch==X, torch_npu for torch==X+cpu, and pip takes them for different versions"
    )


def _build_failed() -> Message:
    return say("a build on x86_64 failed while it installed its own dependencies, torch among them")


def _take_care() -> Message:
    return say("this is an x86_64 machine, where a plain pip install torch brings the CUDA build")
