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

_ANY_INNER_ERROR = "9999"
"""How the codes end that a component gives for whatever it has no own code for."""


class UnexplainedCode(Check):
    """An error code whose usual causes are known, where no other line tells which of them it is."""

    id = "RUN008"
    causes = ("unexplained-error-code",)
    last_resort = True

    def check(self, signals: Signals) -> Iterator[Finding]:
        """Name the usual causes of the codes that have any; an inner error of any kind tells less than another code."""
        from ascendenv.signals.codes import find_code

        seen = [(signal, find_code(signal.get("code"))) for signal in signals.of("error-code")]
        known = [(signal, code) for signal, code in seen if code is not None and code.causes]
        if not known:
            return
        known.sort(key=lambda one: one[1].code.endswith(_ANY_INNER_ERROR))
        signal, code = known[0]
        meaning = DataMessage(code.meaning_en, (), code.meaning_zh)
        causes = {cause: code for _, code in reversed(known) for cause in code.causes}
        ordered = dict.fromkeys(cause for _, code in known for cause in code.causes)
        yield from weigh(
            self,
            [_hypothesis(causes[cause], cause) for cause in ordered],
            observed=say("the text gives {code}: {meaning}", code=code.code, meaning=meaning),
            evidence=[signal.evidence],
            sources=[code.source],
        )


def _hypothesis(code: ErrorCode, cause: str) -> Hypothesis:
    return Hypothesis(
        cause,
        say("{code} often comes from {cause}", code=code.name or code.code, cause=cause),
        ask=say("what do the lines around the code say, and what does a whole report tell?"),
        fix=(Fix(f"ascendenv explain {cause}"),),
    )
