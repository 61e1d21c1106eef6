"""Python packages that torch_npu imports but older wheels do not declare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence
from ascendenv.doctor.fixes import pip_install
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals

SOURCES = ("package index: Requires-Dist of the torch-npu wheels", "Ascend/pytorch#7")


class UndeclaredDependencies(Check):
    """A Python package that torch_npu needs at import is not installed."""

    id = "TOR008"
    causes = ("torch-npu-python-deps-missing",)
    rank = 8

    def check(self, matrix: Matrix, signals: Signals) -> Iterator[Finding]:
        """A missing module of the list, while torch_npu was being imported or with nothing else around it."""
        needs = {one.module: one for one in matrix.torch_npu_needs}
        loading = bool(signals.of("backend-load-failed", "torch-npu-frame"))
        for signal in signals.of("missing-module"):
            need = needs.get(signal.get("module").split(".")[0])
            if need is None or not (loading or need.telling):
                continue
            yield self.finding(
                confidence=Confidence.CERTAIN if loading else Confidence.LIKELY,
                title=say(
                    "torch_npu needs the Python package {package}, which is not installed",
                    package=need.package,
                ),
                observed=say("no module named {module}", module=signal.get("module")),
                expected=say("{package} in the same environment as torch_npu", package=need.package),
                why=say(
                    "wheels of torch_npu before the 26.2.0 generation do not declare what they import, so pip does not "
                    "bring it along"
                ),
                evidence=[signal.evidence],
                fix=(pip_install(need.package),),
                sources=SOURCES,
            )
