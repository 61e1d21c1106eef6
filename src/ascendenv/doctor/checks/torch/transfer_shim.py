"""The CUDA-to-NPU shim, seen by software that believes what it pretends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.signals.model import Signals

SOURCES = ("flagos-ai/FlagTree#1022", "huggingface/accelerate#3020")
VARIABLE = "TORCH_TRANSFER_TO_NPU"


class TransferShim(Check):
    """The transfer-to-NPU shim makes other software believe that there is a CUDA device."""

    id = "TOR011"
    causes = ("transfer-to-npu-shim",)
    rank = 7

    def check(
        self, facts: HostFacts, signals: Signals | None = None, environment: Mapping[str, str] | None = None
    ) -> Iterator[Finding]:
        """The shim together with something that it misleads is an error; the variable alone is a warning."""
        shim = _shim(facts, signals, environment)
        fooled = _fooled(signals) if signals else ()
        if not shim and not _is_both_drivers(signals):
            return
        if (
            not fooled
            and not (environment or {}).get(VARIABLE)
            and not (signals and signals.of("transfer-shim-variable"))
        ):
            return
        yield self.finding(
            severity=Severity.ERROR if fooled else Severity.WARNING,
            confidence=Confidence.LIKELY,
            title=say("The CUDA-to-NPU shim misleads other packages into using CUDA"),
            observed=_observed(bool(shim), fooled=bool(fooled)),
            expected=say("torch.cuda.is_available() is False on a machine without CUDA"),
            why=say(
                "the shim replaces torch.cuda by torch.npu in the whole process; triton, accelerate, deepspeed and "
                "others ask torch.cuda which device they are on and take the CUDA way"
            ),
            evidence=(*shim, *fooled),
            fix=(
                Fix(f"unset {VARIABLE}"),
                Fix(
                    note=say(
                        "import torch_npu.contrib.transfer_to_npu only in programs written for CUDA, and first"
                    )
                ),
            ),
            sources=SOURCES,
        )


def _shim(
    facts: HostFacts, signals: Signals | None, environment: Mapping[str, str] | None
) -> tuple[Evidence, ...]:
    seen = (
        [signal.evidence for signal in signals.of("transfer-shim-variable", "transfer-shim-active")]
        if signals
        else []
    )
    if not seen and (environment or {}).get(VARIABLE, "0").lower() not in {"", "0", "false", "off"}:
        seen.extend(facts.seen("environment"))
    return tuple(seen)


def _fooled(signals: Signals) -> tuple[Evidence, ...]:
    fooled = [signal.evidence for signal in signals.of("cuda-claimed-available", "gpu-mode-reported")]
    if _is_both_drivers(signals):
        fooled.extend(signal.evidence for signal in signals.of("triton-active-drivers"))
    fooled.extend(
        signal.evidence
        for signal in signals.of("missing-attribute")
        if signal.get("module") == "_C" and "_OpNamespace" in signal.evidence.text
    )
    return tuple(fooled)


def _is_both_drivers(signals: Signals | None) -> bool:
    """Whether triton found the drivers of CUDA and of the NPU at once."""
    for signal in signals.of("triton-active-drivers") if signals else ():
        drivers = signal.get("drivers").lower()
        if ("nvidia" in drivers or "cuda" in drivers) and ("ascend" in drivers or "npu" in drivers):
            return True
    return False


def _observed(shim: bool, *, fooled: bool) -> Message:
    if shim and fooled:
        return say("the shim is active, and a CUDA device is reported on an NPU machine")
    if shim:
        return say("{variable} is set for the whole environment", variable=VARIABLE)
    return say("the CUDA driver and the NPU driver of triton are active at once")
