"""The installed scipy wants another numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.compiler import compiler_signals, documented_packages
from ascendenv.doctor.checks.cann.standing import likely_cann
from ascendenv.doctor.finding import Confidence
from ascendenv.doctor.fixes import pip_install
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals

__all__ = ["ScipyNumpyMismatch"]


class ScipyNumpyMismatch(Check):
    """The installed scipy wants another numpy than the stack is held at."""

    id = "CAN015"
    causes = ("scipy-numpy-mismatch",)
    rank = 8

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """Scipy uses names that this numpy does not have, or says so itself."""
        seen = signals.of("scipy-wants-other-numpy")
        if not seen:
            return
        installed = _installed(facts)
        yield self.finding(
            title=say("scipy and numpy do not fit each other"),
            observed=say("{what} ({versions})", what=seen[0].get("what"), versions=_shown(installed)),
            expected=say("a scipy that was built for the numpy that is installed"),
            confidence=Confidence.LIKELY,
            why=say(
                "A fresh scipy needs numpy 2, while the stack holds numpy 1; the operator compiler imports scipy."
            ),
            evidence=[one.evidence for one in (*seen, *compiler_signals(signals))],
            fix=[pip_install("scipy", *_numpy(matrix, facts, installed))],
            sources=["numpy release notes 2.0: np.long", "vllm-project/vllm-ascend: requirements.txt"],
        )


def _installed(facts: HostFacts) -> dict[str, str]:
    packages = known(facts.packages)
    found = {name: packages.get(name) for name in ("scipy", "numpy")} if packages is not None else {}
    return {name: package.version for name, package in found.items() if package is not None}


def _shown(installed: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in installed.items()) or "?"


def _numpy(matrix: Matrix, facts: HostFacts, installed: dict[str, str]) -> tuple[str, ...]:
    """The numpy to hold, so that pip looks for a scipy that fits it."""
    if "numpy" in installed:
        return (f"numpy=={installed['numpy']}",)
    return documented_packages(matrix, likely_cann(matrix, facts), "numpy")
