"""The installed scipy wants another numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.compiler import compiler_signals
from ascendenv.doctor.finding import Confidence
from ascendenv.doctor.fixes import pip_install
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import Packages
    from ascendenv.signals.model import Signals

__all__ = ["ScipyNumpyMismatch"]


class ScipyNumpyMismatch(Check):
    """The installed scipy wants another numpy than the stack is held at."""

    id = "CAN015"
    causes = ("scipy-numpy-mismatch",)
    rank = 8

    def check(self, signals: Signals, packages: Packages | None = None) -> Iterator[Finding]:
        """Scipy uses names that this numpy does not have, or says so itself."""
        seen = signals.of("scipy-wants-other-numpy")
        if not seen:
            return
        versions = [
            f"{name} {found.version}"
            for name in ("scipy", "numpy")
            if packages is not None and (found := packages.get(name)) is not None
        ]
        yield self.finding(
            title=say("scipy and numpy do not fit each other"),
            observed=say(
                "{what} ({versions})", what=seen[0].get("what"), versions=", ".join(versions) or "?"
            ),
            expected=say("scipy 1.13.1 with numpy 1.26.4 for CANN before 9.0"),
            confidence=Confidence.LIKELY,
            why=say(
                "A fresh scipy needs numpy 2, while CANN and vllm-ascend hold numpy at 1.26; the compiler imports scipy."
            ),
            evidence=[one.evidence for one in (*seen, *compiler_signals(signals))],
            fix=[pip_install("scipy==1.13.1", "numpy==1.26.4")],
            sources=["numpy release notes 2.0: np.long", "vllm-project/vllm-ascend: requirements.txt"],
        )
