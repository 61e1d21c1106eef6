"""torch and torch_npu of two different releases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.package.requirements import requirements_in
from ascendenv.doctor.checks.torch.clues import (
    IMPORT_FAILURES,
    belongs_to_torch_npu,
    differ,
    pair_steps,
    same_base,
    symbols_of,
)
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.symbols import torch_fit
from ascendenv.language import say
from ascendenv.signals.symbol import read_symbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.doctor.symbols import TorchFit
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals
    from ascendenv.versions import Version

SOURCES = ("Ascend/pytorch:COMPATIBILITY.md", "package index: Requires-Dist of the torch-npu wheels")


class PairMismatch(Check):
    """torch and torch_npu are not of one release."""

    id = "TOR001"
    causes = ("torch-npu-torch-mismatch",)
    rank = 8

    def check(
        self,
        matrix: Matrix,
        facts: HostFacts,
        signals: Signals | None = None,
        torch: Version | None = None,
        torch_npu: Version | None = None,
    ) -> Iterator[Finding]:
        """A torch symbol that torch_npu misses, or two versions with different bases."""
        symbols = [one for one in symbols_of(signals, "torch") if _is_ours(one)] if signals else []
        complaints = _complaints_of_pip(signals) if signals else []
        if not symbols and not complaints and not differ(torch, torch_npu):
            return
        fix = (*pair_steps(matrix, facts), keep_the_pair())
        if symbols:
            yield self._from_symbols(symbols, torch, torch_npu, fix)
        elif complaints:
            yield self._from_pip(complaints, torch, torch_npu, fix)
        else:
            yield self._from_versions(facts, signals, torch, torch_npu, fix)

    def _from_symbols(
        self,
        symbols: list[Signal],
        torch: Version | None,
        torch_npu: Version | None,
        fix: tuple[Fix, ...],
    ) -> Finding:
        first = symbols[0]
        certain = differ(torch, torch_npu) or belongs_to_torch_npu(first)
        fit = torch_fit(one.get("symbol") for one in symbols)
        return self.finding(
            confidence=Confidence.CERTAIN if certain else Confidence.LIKELY,
            title=say("torch_npu was built for another torch than the one that is loaded"),
            observed=say(
                "{library} asks torch for a function that this torch does not have: {symbol}",
                library=first.get("library") or "torch_npu",
                symbol=read_symbol(first.get("symbol")).readable,
            ),
            expected=say("torch and torch_npu with the same version up to the third number"),
            why=_why(torch, torch_npu) if fit is None else _why_by_symbols(fit, torch, torch_npu),
            evidence=[one.evidence for one in symbols],
            fix=fix,
            sources=SOURCES,
        )

    def _from_pip(
        self, complaints: list[Signal], torch: Version | None, torch_npu: Version | None, fix: tuple[Fix, ...]
    ) -> Finding:
        return self.finding(
            confidence=Confidence.LIKELY,
            title=say("pip put another torch beside torch_npu than the one it needs"),
            observed=say("pip says: {text}", text=complaints[0].evidence.text.strip()),
            expected=say("torch and torch_npu with the same version up to the third number"),
            why=_why(torch, torch_npu),
            evidence=[one.evidence for one in complaints],
            fix=fix,
            sources=SOURCES,
        )

    def _from_versions(
        self,
        facts: HostFacts,
        signals: Signals | None,
        torch: Version | None,
        torch_npu: Version | None,
        fix: tuple[Fix, ...],
    ) -> Finding:
        broken = _import_broke(signals)
        return self.finding(
            severity=Severity.ERROR if broken else Severity.WARNING,
            confidence=Confidence.LIKELY,
            title=say("torch and torch_npu are of different releases"),
            observed=say("torch {torch} with torch_npu {torch_npu}", torch=torch, torch_npu=torch_npu),
            expected=say("torch and torch_npu with the same version up to the third number"),
            why=_why(torch, torch_npu),
            evidence=facts.seen("torch", "torch_npu"),
            fix=fix,
            sources=SOURCES,
        )


def keep_the_pair() -> Fix:
    """The step that stops a later pip from replacing torch."""
    return Fix(
        "pip install -c constraints.txt PACKAGE",
        say(
            "write the pair into constraints.txt and pass it to every later install: torchvision, vllm and others "
            "replace torch without asking"
        ),
    )


def _is_ours(signal: Signal) -> bool:
    """A torch symbol that torch_npu misses; a bare symbol without library counts, an extension's does not."""
    return not signal.get("library") or belongs_to_torch_npu(signal)


def _complaints_of_pip(signals: Signals) -> list[Signal]:
    """What pip says about torch_npu and torch: a torch that was replaced, or two that cannot be had together."""
    found = []
    for signal in signals.of("pip-conflict"):
        if signal.get("package").replace("_", "-") == "torch-npu":
            named = requirements_in(signal.get("requirement") + " " + signal.get("have").replace(" ", "=="))
        elif signal.get("text").startswith("Cannot install"):
            named = [one for one in requirements_in(signal.get("text")) if one.name in {"torch", "torch-npu"}]
        else:
            continue
        bases = {one.pinned.base for one in named if one.pinned is not None}
        if len(named) > 1 and len(bases) > 1:
            found.append(signal)
    return found


def _import_broke(signals: Signals | None) -> bool:
    """Whether an import failed for no reason that another check names: a crash, a half-loaded module, a bare wrapper."""
    if not signals:
        return False
    seen = {signal.id for signal in signals.of(*IMPORT_FAILURES)}
    return bool(seen & {"circular-import", "crash-at-import", "backend-load-failed"}) and not seen & {
        "missing-library",
        "static-tls",
        "version-node-missing",
        "library-damaged",
    }


def _why_by_symbols(fit: TorchFit, torch: Version | None, torch_npu: Version | None) -> Message:
    """Whose fault the missing functions are, by the releases that have them and those that ask for them."""
    has = fit.has(torch) if torch is not None else False
    if (has or (has is None and same_base(torch, torch_npu))) and not fit.is_everywhere:
        return say(
            "{releases}; torch {torch} was reported, so another torch is loaded: look for a second environment or a "
            "folder in PYTHONPATH",
            releases=fit.releases(),
            torch=torch,
        )
    if torch_npu is None:
        return say("{releases}; {askers}", releases=fit.releases(), askers=fit.askers())
    return say(
        "{releases}; torch_npu {torch_npu} is compiled against torch {base}",
        releases=fit.releases(),
        torch_npu=torch_npu,
        base=torch_npu.base,
    )


def _why(torch: Version | None, torch_npu: Version | None) -> Message:
    if differ(torch, torch_npu):
        return say(
            "torch_npu {torch_npu} is compiled against torch {base}; torch {torch} has other C++ functions",
            torch_npu=torch_npu,
            base=torch_npu.base if torch_npu else "",
            torch=torch,
        )
    if same_base(torch, torch_npu):
        return say(
            "the versions that were reported agree, so another torch is loaded than the one that was reported: "
            "look for a second environment or a folder in PYTHONPATH"
        )
    return say(
        "the C++ functions of torch change with every release, so each torch_npu fits exactly one torch"
    )
