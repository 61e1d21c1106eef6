"""A Python package that the operator compiler of CANN imports is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.compiler import compiler_signals, documented_packages, own_packages_missing
from ascendenv.doctor.finding import Confidence
from ascendenv.doctor.fixes import pip_install
from ascendenv.facts.unknown import Unknown
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Packages
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals
    from ascendenv.versions import Version

__all__ = ["CompilerPackageMissing"]


FIRST = ("attrs", "decorator", "numpy", "psutil", "scipy")
"""Distributions whose modules the operator compiler imports when it starts (texts of EC0010 and E40020)."""
SEVERAL = 3
"""So many absent packages of the documented list are no accident."""


class CompilerPackageMissing(Check):
    """A Python package that the operator compiler of CANN imports is not installed."""

    id = "CAN005"
    causes = ("cann-python-deps-missing",)
    rank = 8

    def check(
        self,
        signals: Signals,
        matrix: Matrix,
        cann: Version | None = None,
        packages: Packages | None = None,
        facts: HostFacts | None = None,
    ) -> Iterator[Finding]:
        """The compiler names the module, or modules of the documented list are absent while it does not start.

        On a box that was looked at, the absence of one that the compiler imports at once is enough.
        """
        compiling = compiler_signals(signals)
        wanted = [*_named_by_compiler(signals), *signals.of("compiler-dependency-missing")]
        if compiling:
            wanted.extend(signals.of("common-module-missing"))
        names = dict.fromkeys(one.get("distribution") or one.get("module") for one in wanted)
        if compiling and not wanted:
            names = dict.fromkeys(_absent(matrix, cann, packages))
        seen = _seen_absent(facts, packages) if facts is not None and not names else ()
        names = names or dict.fromkeys(seen)
        if not names:
            return
        yield self.finding(
            title=say("The operator compiler of CANN lacks Python packages"),
            observed=say("not installed: {names}", names=", ".join(names)),
            expected=say("the documented packages of CANN are installed for the Python that runs"),
            confidence=Confidence.LIKELY if seen else _confidence(wanted, compiling),
            why=say(
                "torch_npu does not ask pip for them; the compiler imports them late and names one a run."
            ),
            evidence=(
                *(one.evidence for one in (*wanted, *compiling)),
                *(facts.seen("interpreter", "torch_npu", "cann")[:4] if facts is not None and seen else ()),
            ),
            fix=[pip_install(*documented_packages(matrix, cann) or names)],
            sources=["Ascend/cann-container-image: pip set of the images"],
        )


def _seen_absent(facts: HostFacts, packages: Packages | None) -> tuple[str, ...]:
    """What the compiler imports at once and the interpreter of the box lacks, where torch_npu and CANN are there."""
    if packages is None or not packages.complete or isinstance(facts.interpreter, Unknown):
        return ()
    if not facts.torch_npu or not facts.cann_installs:
        return ()
    return tuple(name for name in FIRST if name not in packages)


def _named_by_compiler(signals: Signals) -> list[Signal]:
    listed = signals.of("compiler-dependency-missing", "common-module-missing")
    known = {one.get("module").partition(".")[0] for one in (*listed, *own_packages_missing(signals))}
    return [
        one
        for one in signals.of("compiler-import-failed")
        if one.get("module") and one.get("module").partition(".")[0] not in known | {"acl"}
    ]


def _absent(matrix: Matrix, cann: Version | None, packages: Packages | None) -> tuple[str, ...]:
    """The documented packages that a whole listing does not have; few may be left out, as not all are imported."""
    if packages is None or not packages.complete:
        return ()
    rows = (
        one for one in matrix.python_packages if one.cann is None or cann is None or one.cann.contains(cann)
    )
    absent = tuple(dict.fromkeys(one.name for one in rows if one.name not in packages))
    return absent if len(absent) >= SEVERAL else ()


def _confidence(wanted: list[Signal], compiling: tuple[Signal, ...]) -> Confidence:
    if compiling or any(one.id == "compiler-import-failed" for one in wanted):
        return Confidence.CERTAIN if wanted else Confidence.LIKELY
    return Confidence.LIKELY if any(one.get("told") for one in wanted) else Confidence.POSSIBLE
