"""Parts of the box that could not be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.facts.evidence import Evidence
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts, Unseen

__all__ = ["PartsNotSeen"]

_REFUSED = ("Permission denied", "Operation not permitted", "EACCES")
_ONLY_ROOT = (
    "/proc/uda/",
    "/proc/svm/",
    "/etc/hccn.conf",
    "/var/log/",
    "/sys/kernel/security/",
    "/sys/firmware/",
)
"""What only root may read anywhere: that an ordinary user does not see it is no news."""


class PartsNotSeen(Check):
    """Parts of this box could not be looked at, so that nothing is said about them."""

    id = "SYS010"
    causes = ("box-not-fully-seen",)

    def check(self, facts: HostFacts, unseen: tuple[Unseen, ...]) -> Iterator[Finding]:
        """Fires on probes that broke or hung, folders and files that may not be read, and programs without an answer."""
        parts = [one for one in unseen if not (one.why in _REFUSED and one.what.startswith(_ONLY_ROOT))]
        if not parts:
            return
        yield self.finding(
            title=say("Not all of this box could be looked at"),
            observed=say("not seen: {parts}", parts=", ".join(one.what for one in parts[:4])),
            why=say("checks that need these parts are skipped or less sure; everything else was checked"),
            severity=Severity.INFO,
            confidence=Confidence.CERTAIN,
            evidence=[Evidence(one.what, one.why) for one in parts],
            fix=_steps(parts, facts),
        )


def _steps(parts: list[Unseen], facts: HostFacts) -> Iterator[Fix]:
    user, interpreter = known(facts.user), known(facts.interpreter)
    if any(one.why in _REFUSED for one in parts) and not (user and user.is_root):
        yield Fix('sudo env "PATH=$PATH" ascendenv doctor', say("root sees the rest"), needs_root=True)
    if interpreter is not None and interpreter.failed:
        yield Fix(
            "ascendenv doctor --python PATH",
            say(
                "{python}, chosen by {rule}, did not answer: {why}",
                python=interpreter.path,
                rule=interpreter.chosen_by,
                why=interpreter.failed,
            ),
        )
