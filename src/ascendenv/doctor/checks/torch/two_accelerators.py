"""Two accelerator backends in one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.wording import described
from ascendenv.doctor.checks.torch.clues import pair_steps
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.fixes import pip_install
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Interpreter
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

SOURCES = ("pytorch/pytorch:aten/src/ATen/DeviceAccelerator.cpp", "pytorch/pytorch:torch/__init__.py")
OFF = "export TORCH_DEVICE_BACKEND_AUTOLOAD=0"


class TwoAccelerators(Check):
    """A second accelerator backend, or the same one twice, is registered in torch."""

    id = "TOR010"
    causes = ("backend-autoload-conflict",)
    rank = 9

    def check(
        self,
        matrix: Matrix,
        facts: HostFacts,
        signals: Signals,
        interpreter: Interpreter | None = None,
    ) -> Iterator[Finding]:
        """The messages of torch about a second registration, or two packages that torch loads as backends."""
        if interpreter is not None and "torch-npu" in interpreter.backends and len(interpreter.backends) > 1:
            yield self._declared(facts, interpreter)
        for signal in signals.of("two-accelerators", "backend-registered-twice"):
            same = signal.get("first") == signal.get("second")
            yield self.finding(
                confidence=Confidence.POSSIBLE if _has_deeper_reason(signals) else Confidence.LIKELY,
                title=say("torch_npu is registered twice in one process")
                if same
                else say("torch holds two accelerator backends, and only one is allowed"),
                observed=described(signal),
                expected=say("one import of torch_npu, and a torch built for the CPU"),
                why=_why(signal, same=same),
                evidence=[signal.evidence],
                fix=_import_once()
                if same
                else (
                    *pair_steps(matrix, facts),
                    Fix(OFF, say("if another backend package has to stay installed")),
                ),
                sources=SOURCES,
            )

    def _declared(self, facts: HostFacts, interpreter: Interpreter) -> Finding:
        return self.finding(
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
            title=say("Two packages want to be the accelerator of torch"),
            observed=say("torch loads by itself: {names}", names=", ".join(interpreter.backends)),
            expected=say("torch_npu as the only package with an entry point in torch.backends"),
            why=say("torch has room for one such backend in a process; the second registration fails"),
            evidence=facts.seen("interpreter"),
            fix=(
                *(Fix(f"pip uninstall -y {name}") for name in interpreter.backends if name != "torch-npu"),
                Fix(OFF, say("if another backend package has to stay installed")),
            ),
            sources=SOURCES,
        )


def _has_deeper_reason(signals: Signals) -> bool:
    """Whether an earlier message tells why the first import broke; torch_npu's own library is not one."""
    reasons = signals.of("missing-library", "undefined-symbol", "static-tls", "version-node-missing")
    return any(not one.get("library").startswith("libtorch_npu") for one in reasons)


def _why(signal: Signal, *, same: bool) -> Message:
    if same:
        return say(
            "torch loads torch_npu by itself; when that import breaks half-way (pkg_resources is gone from setuptools 81 "
            "on, for example) or an extension was imported before it, the next try finds the device registered"
        )
    return say(
        "this torch was built for {first}, so torch_npu becomes a second accelerator beside it",
        first=signal.get("first") or "CUDA",
    )


def _import_once() -> tuple[Fix, ...]:
    return (
        Fix(OFF, say("torch then leaves the import to the program: import torch, then torch_npu, once")),
        Fix(
            "TORCH_DEVICE_BACKEND_AUTOLOAD=0 python3 -c 'import torch, torch_npu'",
            say("shows why the first import broke, if it still does"),
        ),
        pip_install("setuptools<81"),
    )
