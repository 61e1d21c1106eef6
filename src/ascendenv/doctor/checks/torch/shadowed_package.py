"""`import torch_npu` that finds something else than a whole installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.torch.clues import (
    differ,
    is_absent,
    pair_steps,
    same_base,
    taken_from_site,
)
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Interpreter, Packages
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals
    from ascendenv.versions import Version

SOURCES = ("Ascend/pytorch:docs/zh/installation_guide/faq.md", "Ascend/pytorch#24")
HIDDEN = frozenset({"torch", "torch_npu"})
WHERE = "python3 -c 'import importlib.util as u; print(u.find_spec(\"torch_npu\"))'"
LEAVE = say("start Python from a folder that holds no torch_npu, and take such folders out of PYTHONPATH")


class ShadowedPackage(Check):
    """Python imports a torch_npu that is not the installed one, or not a whole one."""

    id = "TOR005"
    causes = (
        "import-from-source-dir",
        "torch-npu-broken-install",
        "torch-npu-torch-mismatch",
        "torch-npu-missing",
    )
    rank = 7

    def check(
        self,
        matrix: Matrix,
        facts: HostFacts,
        signals: Signals,
        packages: Packages | None = None,
        interpreter: Interpreter | None = None,
    ) -> Iterator[Finding]:
        """torch_npu without its compiled part, its entry point or a file of its own, or a folder here that hides it."""
        found = list(_symptoms(signals))
        hidden = HIDDEN.intersection(interpreter.shadows if interpreter is not None else ())
        if not found:
            if hidden and is_absent(packages, "torch-npu") is False:
                yield self._hidden(facts, sorted(hidden))
            return
        from_site = False if hidden else taken_from_site(signals)
        reinstall = pair_steps(matrix, facts)
        yield from weigh(
            self,
            _explanations(
                from_site,
                absent=is_absent(packages, "torch-npu"),
                other_release=_other_release(known(facts.torch), known(facts.torch_npu)),
                reinstall=reinstall,
            ),
            observed=say("torch_npu was found, but without {part}", part=_part(found[0])),
            evidence=[signal.evidence for signal in found],
            sources=SOURCES,
            sure=Confidence.CERTAIN if from_site is False else Confidence.LIKELY,
        )

    def _hidden(self, facts: HostFacts, names: list[str]) -> Finding:
        return self.finding(
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
            title=say("The working folder hides an installed package"),
            observed=say("in the working folder: {names}", names=", ".join(names)),
            expected=say("a working folder without modules of that name"),
            why=say("`python -c`, `python -m` and a script here take what lies here, not what is installed"),
            evidence=facts.seen("interpreter"),
            fix=(Fix("cd ~", LEAVE),),
            sources=SOURCES,
        )


def _symptoms(signals: Signals) -> Iterator[Signal]:
    for signal in signals.of("missing-module"):
        if signal.get("module") == "torch_npu._C":
            yield signal
    for signal in signals.of("missing-attribute"):
        if signal.get("module") == "torch_npu" and signal.get("attribute") in {
            "_autoload",
            "_C",
            "npu",
            "__version__",
        }:
            yield signal
    for signal in signals.of("missing-name"):
        if signal.get("module") == "torch_npu" and (
            signal.get("name") == "_C" or "unknown location" in signal.evidence.text
        ):
            yield signal
    for signal in signals.of("circular-import"):
        if signal.get("module").split(".")[0] == "torch_npu":
            yield signal


def _part(signal: Signal) -> str:
    return signal.get("attribute") or signal.get("name") or signal.get("module")


def _other_release(torch: Version | None, torch_npu: Version | None) -> bool | None:
    if differ(torch, torch_npu):
        return True
    return False if same_base(torch, torch_npu) else None


def _explanations(
    from_site: bool | None, *, absent: bool | None, other_release: bool | None, reinstall: tuple[Fix, ...]
) -> list[Hypothesis]:
    leave = (
        Fix(WHERE, say("shows the file that is imported; it must lie in site-packages")),
        Fix("cd ~", LEAVE),
    )
    shadowed = None if from_site is None else not from_site
    return [
        Hypothesis(
            cause="import-from-source-dir",
            title=say("A folder named torch_npu hides the installed package"),
            supported=shadowed,
            because=say(
                "Python looks into the current folder first: a source checkout of torch_npu, or any folder of that "
                "name, is taken instead of the installed wheel and has no compiled part"
            ),
            ask=say("does {command} show a path outside of site-packages, or no file at all?", command=WHERE),
            fix=leave,
        ),
        Hypothesis(
            cause="torch-npu-broken-install",
            title=say("The installed torch_npu is not whole"),
            supported=from_site,
            because=say(
                "the files in site-packages are not those of one wheel: an install was interrupted or mixed"
            ),
            ask=say("does `pip check` or `pip show -f torch-npu` name files that are not there?"),
            fix=(Fix("pip uninstall -y torch-npu"), *reinstall),
        ),
        Hypothesis(
            cause="torch-npu-torch-mismatch",
            title=say("torch and torch_npu are of different releases"),
            supported=other_release,
            ask=say("what do `pip show torch torch-npu` say?"),
            fix=reinstall,
        ),
        Hypothesis(
            cause="torch-npu-missing",
            title=say("torch_npu is not installed; only an empty folder of that name is found"),
            supported=absent,
            ask=say("does `pip show torch-npu` know it?"),
            fix=reinstall,
        ),
    ]
