"""A compiled extension that was built with another torch or torch_npu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.torch.clues import (
    belongs_to_torch_npu,
    belongs_to_vllm,
    symbols_of,
)
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.doctor.symbols import torch_fit
from ascendenv.language import say
from ascendenv.signals.symbol import read_symbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal, Signals
    from ascendenv.versions import Version

SOURCES = ("DeepLink-org/dlinfer#183", "open-mmlab/mmcv#3299")


class ForeignExtension(Check):
    """An extension was built with another torch_npu (or torch) than the one installed."""

    id = "TOR002"
    causes = ("extension-built-for-other-torch-npu",)
    rank = 8

    def check(
        self, signals: Signals, torch: Version | None = None, torch_npu: Version | None = None
    ) -> Iterator[Finding]:
        """A symbol of torch_npu or torch that a library outside of both misses."""
        for signal in symbols_of(signals, "torch_npu"):
            if not belongs_to_torch_npu(signal):
                yield self._built_for_another(signal, "torch_npu", torch, torch_npu)
        for signal in symbols_of(signals, "torch"):
            if signal.get("library") and not belongs_to_torch_npu(signal) and not belongs_to_vllm(signal):
                yield self._built_for_another(signal, "torch", torch, torch_npu)

    def _built_for_another(
        self, signal: Signal, base: str, torch: Version | None, torch_npu: Version | None
    ) -> Finding:
        library = signal.get("library")
        return self.finding(
            confidence=Confidence.CERTAIN if library and base == "torch_npu" else Confidence.LIKELY,
            title=say("A compiled extension does not fit the installed {base}", base=base),
            observed=say(
                "{library} misses the function {symbol} of {base}",
                library=library or say("an extension"),
                symbol=read_symbol(signal.get("symbol")).readable,
                base=base,
            ),
            expected=say("an extension compiled against exactly the torch and torch_npu of this environment"),
            why=_why(signal.get("symbol")),
            evidence=[signal.evidence],
            fix=_rebuild(torch, torch_npu),
            sources=SOURCES,
        )


def _why(symbol: str) -> Message:
    reason = say(
        "torch_npu promises no stable C++ interface, not even between .post releases of one version: "
        "an extension has to be rebuilt with each of them"
    )
    fit = torch_fit([symbol])
    if fit is None or fit.is_everywhere:
        return reason
    return say("{releases}; {reason}", releases=fit.releases(), reason=reason)


def _rebuild(torch: Version | None, torch_npu: Version | None) -> tuple[Fix, ...]:
    pins = " ".join(
        f"{name}=={version.public}"
        for name, version in (("torch", torch), ("torch-npu", torch_npu))
        if version is not None
    )
    return (
        Fix(
            "pip install --force-reinstall --no-deps --no-cache-dir --no-build-isolation EXTENSION",
            say(
                "rebuilds it from source against {pins}; run it in the extension's checkout, with CANN sourced",
                pins=pins or "torch, torch-npu",
            ),
        ),
        Fix(
            note=say(
                "or install the torch_npu that the extension's release notes name, if you take a ready-made wheel"
            )
        ),
    )
