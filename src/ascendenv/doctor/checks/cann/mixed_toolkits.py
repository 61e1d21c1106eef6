"""Two CANN toolkits meet in one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.roots import loaded_roots, separate_roots
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.fixes import source_cann
from ascendenv.facts.unknown import known
from ascendenv.language import say
from ascendenv.signals.model import Signals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import HostFacts
    from ascendenv.versions import Version

__all__ = ["MixedToolkits"]


class MixedToolkits(Check):
    """Two CANN toolkits meet in one process."""

    id = "CAN017"
    causes = ("cann-versions-mixed", "binary-built-for-other-cann")
    rank = 4

    def check(self, facts: HostFacts) -> Iterator[Finding]:
        """A program says so, a reporter does, a process has loaded both, or the variables name two trees."""
        signals = known(facts.signals) or Signals()
        yield from self._differing(signals, known(facts.cann))
        yield from self._stubs(signals, known(facts.cann))
        loaded = loaded_roots(known(facts.mapped_libraries) or ()) or loaded_roots(
            known(facts.picked_libraries) or ()
        )
        roots = separate_roots(known(facts.environment) or {})
        told = signals.of("cann-told-mixed")
        if not loaded and not roots and not told:
            return
        both = loaded or roots
        failing = told or both is not roots or _symptom(signals)
        yield self.finding(
            title=say("Two CANN toolkits are in the environment at the same time"),
            observed=say("named together: {roots}", roots=", ".join(both) or told[0].get("what")),
            expected=say("one toolkit in LD_LIBRARY_PATH, PYTHONPATH and the ASCEND variables"),
            severity=Severity.ERROR if failing else Severity.WARNING,
            confidence=Confidence.LIKELY,
            why=say(
                "The loader takes each library from the first folder that has it, so parts of both are loaded."
            ),
            evidence=[
                *(one.evidence for one in told),
                *_of_each(facts.seen("mapped_libraries", "picked_libraries"), both),
                *facts.seen("environment"),
            ],
            fix=_one_toolkit(known(facts.cann)),
            sources=["leideng/CANN-8.1.RC1: ascend-toolkit/set_env.sh"],
        )

    def _differing(self, signals: Signals, cann: Version | None) -> Iterator[Finding]:
        for one in signals.of("cann-build-version-differs"):
            built, running = one.get("built"), one.get("running")
            unset = not built.strip("0.") or (cann is not None and str(cann) != running)
            yield self.finding(
                cause="cann-versions-mixed" if unset else "binary-built-for-other-cann",
                title=say("The program runs on another CANN than it was built or meant for"),
                observed=say("built for CANN {built}, loaded CANN {running}", built=built, running=running),
                why=say(
                    "Another toolkit comes first in the environment, or the program was built elsewhere."
                ),
                evidence=[one.evidence],
                fix=_one_toolkit(cann),
                sources=["PaddlePaddle/FastDeploy#2338"],
                rank=7,
            )

    def _stubs(self, signals: Signals, cann: Version | None) -> Iterator[Finding]:
        for one in signals.codes("100039"):
            yield self.finding(
                title=say("The empty libraries for building were loaded instead of the real ones"),
                observed=say("ACL says that it is a stub"),
                why=say("devlib or a stub folder stands before lib64 or the driver in LD_LIBRARY_PATH."),
                evidence=[one.evidence],
                fix=_one_toolkit(cann),
                sources=["ACL error codes: ACL_ERROR_COMPILING_STUB_MODE"],
            )


def _of_each(lines: tuple[Evidence, ...], roots: tuple[str, ...]) -> Iterator[Evidence]:
    """For each toolkit the first line that names a library of it."""
    for root in roots:
        yield from [line for line in lines if root in line.where or root in line.text][:1]


def _symptom(signals: Signals) -> bool:
    """Whether something failed in a way that mixed toolkits cause."""
    return bool(
        signals.codes("507033", "500001", "500000", "500002")
        or signals.of(
            "compiler-not-started", "cann-function-missing", "platform-info-missing", "crash-at-import"
        )
    )


def _one_toolkit(cann: Version | None) -> tuple[Fix, ...]:
    return (
        Fix(
            "env | grep -iE 'ascend|cann' | tr ':' '\\n'",
            say("every path must lie in one toolkit; the driver and nnal may stand beside it"),
        ),
        Fix("unset LD_LIBRARY_PATH PYTHONPATH", say("in a new shell, before anything is sourced")),
        source_cann(cann),
    )
