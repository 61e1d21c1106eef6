"""An error code stands in the text, and nothing else in it says why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import DataMessage, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.codes import ErrorCode
    from ascendenv.signals.model import Signals

__all__ = ["UnexplainedCode"]


class UnexplainedCode(Check):
    """An error code whose usual causes are known, where no other line tells which of them it is."""

    id = "RUN008"
    causes = ("unexplained-error-code",)
    last_resort = True

    def check(self, signals: Signals) -> Iterator[Finding]:
        """Name the usual causes of the first code that has any, commonest first."""
        from ascendenv.signals.codes import find_code

        for signal in signals.of("error-code"):
            code = find_code(signal.get("code"))
            if code is not None and code.causes:
                meaning = DataMessage(code.meaning_en, (), code.meaning_zh)
                observed = say("the text gives {code}: {meaning}", code=code.code, meaning=meaning)
                hypotheses = [_hypothesis(code, cause) for cause in code.causes]
                yield from weigh(
                    self, hypotheses, observed=observed, evidence=[signal.evidence], sources=[code.source]
                )
                return


def _hypothesis(code: ErrorCode, cause: str) -> Hypothesis:
    return Hypothesis(
        cause,
        say("{code} often comes from {cause}", code=code.name or code.code, cause=cause),
        ask=say("what do the lines around the code say, and what does a whole report tell?"),
        fix=(Fix(f"ascendenv explain {cause}"),),
    )
