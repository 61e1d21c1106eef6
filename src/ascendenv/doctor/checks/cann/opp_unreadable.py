"""The user may not read files of the operator tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals

__all__ = ["OppUnreadable"]


class OppUnreadable(Check):
    """The user may not read files of the toolkit or of its operator tree."""

    id = "CAN011"
    causes = ("opp-files-unreadable",)
    rank = 8

    def check(self, signals: Signals) -> Iterator[Finding]:
        """Opening a file below the toolkit is refused."""
        seen = signals.of("opp-file-unreadable")
        if not seen:
            return
        refused = [one for one in seen if not one.get("path")]
        symptom = refused or signals.of("kernels-not-found", "compiler-not-started")
        paths = dict.fromkeys(_path(one) for one in seen)
        yield self.finding(
            title=say("Files of the CANN operator tree cannot be read by this user"),
            observed=say("cannot be opened: {paths}", paths=", ".join(paths)),
            expected=say("every file of the tree is readable by the user who runs the job"),
            severity=Severity.ERROR if symptom else Severity.WARNING,
            confidence=Confidence.LIKELY if symptom else Confidence.POSSIBLE,
            why=say(
                "Custom operator packages install config.ini with mode 640, and a toolkit installed without "
                "--install-for-all is for its own group only."
            ),
            evidence=[one.evidence for one in seen],
            fix=[
                Fix(
                    "ls -l $ASCEND_OPP_PATH/vendors/config.ini && id",
                    say("compares the owner with this user"),
                ),
                Fix(
                    "chmod -R o+rX $ASCEND_OPP_PATH",
                    say("or add the user to the owning group"),
                    needs_root=True,
                ),
            ],
            sources=["Ascend C operator guide: permission of config.ini"],
        )


def _path(signal: Signal) -> str:
    return signal.get("path") or signal.get("denied") or signal.get("unreadable")
