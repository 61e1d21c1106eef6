"""A function of CANN is missing from the library that was loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.loader_lines import faults
from ascendenv.doctor.checks.cann.repairs import install_wanted_cann, pair_torch_npu
from ascendenv.doctor.checks.cann.roots import separate_roots
from ascendenv.doctor.checks.cann.standing import Standing, standing_of
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.fixes import source_cann
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.doctor.symbols import oldest_cann
from ascendenv.facts.unknown import known
from ascendenv.language import say
from ascendenv.signals.symbol import read_symbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

__all__ = ["CannSymbolMissing"]


class CannSymbolMissing(Check):
    """A function of CANN is missing from the library that was loaded."""

    id = "CAN004"
    causes = (
        "torch-npu-cann-mismatch",
        "cann-too-old",
        "cann-versions-mixed",
        "binary-built-for-other-cann",
        "custom-ops-missing",
    )
    consequence_of = ("CAN001",)
    rank = 7

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """Who asks for the function tells which side is wrong."""
        seen = [one for one in signals.of("undefined-symbol") if _is_of_cann(one)]
        seen.extend(one for one in signals.of("undefined-reference") if one.get("symbol").startswith("aclnn"))
        seen.extend(signals.of("cann-function-missing"))
        if not seen or faults(signals, "nnal-library-incomplete"):
            return
        names = dict.fromkeys(_name(one) for one in seen)
        yield from weigh(
            self,
            Scene(signals, facts, matrix, tuple(seen)).hypotheses(),
            observed=say("CANN functions that are missing: {names}", names=", ".join(names)),
            evidence=[one.evidence for one in seen],
            sources=["Ascend/pytorch: COMPATIBILITY.md", "triton-lang/triton-ascend#328"],
        )


@dataclass(frozen=True)
class Scene:
    """What is known about the box on which CANN functions were missing."""

    signals: Signals
    facts: HostFacts
    matrix: Matrix
    seen: tuple[Signal, ...]

    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """The explanations that fit the library which asks."""
        if faults(self.signals, "cann-library-incomplete"):
            return (self.mixed(sure=True), self.pair())
        if all(_is_foreign(one) for one in self.seen):
            return (self.custom(), self.foreign(), self.mixed())
        return (self.pair(sure=True), self.too_old(), self.mixed())

    def pair(self, *, sure: bool | None = None) -> Hypothesis:
        """torch_npu and CANN were not built for each other."""
        return Hypothesis(
            "torch-npu-cann-mismatch",
            say("torch_npu and CANN are not built for each other"),
            supported=sure,
            because=self.reason(),
            ask=say(
                "which versions are in use: pip show torch-npu; cat $ASCEND_HOME_PATH/*-linux/ascend_toolkit_install.info"
            ),
            fix=self.repair(),
        )

    def reason(self) -> Message:
        """Why one of both must change, with the CANN that the function asks for where the table knows it."""
        wanted = oldest_cann(self.matrix, map(_name, self.seen))
        if wanted is None:
            return say(
                "torch_npu calls a function that the CANN in use does not have: one of both must change."
            )
        return say(
            "torch_npu calls a function that the CANN in use does not have: one of both must change. The releases of "
            "torch_npu that cannot be loaded without {function} are made for CANN {cann} and newer.",
            function=wanted[0],
            cann=wanted[1],
        )

    def is_older(self) -> bool | None:
        """Whether the CANN in use is older than torch_npu asks for, by its version or by the function."""
        standing, cann = standing_of(self.matrix, self.facts), known(self.facts.cann)
        wanted = oldest_cann(self.matrix, map(_name, self.seen))
        if cann is not None and wanted is not None and cann < wanted[1]:
            return True
        return None if standing is None else standing is Standing.OLDER

    def too_old(self) -> Hypothesis:
        """CANN is the older one."""
        return Hypothesis(
            "cann-too-old",
            say("The CANN toolkit is older than the one this torch_npu was built for"),
            supported=self.is_older(),
            ask=say("which CANN is this torch_npu for: ascendenv matrix show torch_npu <version>"),
            fix=install_wanted_cann(self.matrix, self.facts),
        )

    def mixed(self, *, sure: bool | None = None) -> Hypothesis:
        """Libraries of two toolkits meet."""
        environment = known(self.facts.environment)
        two = bool(environment and separate_roots(environment)) or bool(self.signals.of("cann-told-mixed"))
        return Hypothesis(
            "cann-versions-mixed",
            say("Libraries of two CANN toolkits meet in one process"),
            supported=True if sure or two else None,
            because=say(
                "A library of CANN misses what its own release brings, so another release was loaded beside it."
            ),
            ask=say("does this name one toolkit: echo $LD_LIBRARY_PATH | tr ':' '\\n' | grep -i ascend"),
            fix=(
                Fix("unset LD_LIBRARY_PATH PYTHONPATH", say("in a new shell, before anything is sourced")),
                source_cann(known(self.facts.cann)),
            ),
        )

    def foreign(self) -> Hypothesis:
        """The program that asks was built with another CANN."""
        return Hypothesis(
            "binary-built-for-other-cann",
            say("The program was built with another CANN than the one it runs on"),
            supported=True,
            because=say(
                "It is part of neither CANN nor torch_npu, and brings its own idea of CANN's functions."
            ),
            ask=say("with which CANN was it built"),
            fix=(Fix(note=say("take the build of the program for the CANN in use, or build it again here")),),
        )

    def custom(self) -> Hypothesis:
        """The function is an operator that a package of its own brings."""
        operators = [one for one in self.seen if _name(one).startswith("aclnn")]
        return Hypothesis(
            "custom-ops-missing",
            say("The library of the custom operators is not on the path"),
            supported=bool(operators),
            because=say("aclnn functions of custom operators lie in libcust_opapi.so of their own package."),
            ask=say("is it found: echo $LD_LIBRARY_PATH | tr ':' '\\n' | grep vendors"),
            fix=(
                Fix(
                    "source <opp vendor folder>/bin/set_env.bash",
                    say("adds op_api/lib of the package to LD_LIBRARY_PATH"),
                ),
            ),
        )

    def repair(self) -> tuple[Fix, ...]:
        """The steps that bring torch_npu and CANN to one row."""
        return pair_torch_npu(self.matrix, self.facts)


def _is_of_cann(signal: Signal) -> bool:
    return read_symbol(signal.get("symbol")).provider == "cann"


def _is_foreign(signal: Signal) -> bool:
    """Whether what asks is named and belongs to a third party."""
    if signal.id == "undefined-reference":
        return True
    asking = signal.get("path") or signal.get("needed_by") or signal.get("library")
    return bool(asking) and "torch_npu" not in asking and "torchair" not in asking


def _name(signal: Signal) -> str:
    return signal.get("function") or read_symbol(signal.get("symbol")).qualified
