"""The folder or link of the current CANN toolkit leads to nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals

__all__ = ["BrokenCannLink"]


class BrokenCannLink(Check):
    """The folder or link that names the current CANN toolkit is empty or leads to nothing."""

    id = "CAN003"
    causes = ("cann-symlink-broken",)
    rank = 8

    def check(self, signals: Signals) -> Iterator[Finding]:
        """The box says that a link is broken or a version folder is empty."""
        told = signals.of("cann-link-broken", "cann-folder-empty")
        listed = signals.of("cann-path-not-found")
        if not told and not listed:
            return
        paths = dict.fromkeys(one.get("path").rstrip("/.,") for one in (*told, *listed))
        yield self.finding(
            title=say("The link to the current CANN toolkit is broken or its folder is empty"),
            observed=say("leads to nothing: {paths}", paths=", ".join(paths)),
            expected=say("the link names a version folder that holds lib64, opp and set_env.sh"),
            severity=Severity.ERROR if told or signals.of("cann-library-missing") else Severity.WARNING,
            confidence=Confidence.LIKELY if told else Confidence.POSSIBLE,
            why=say(
                "An interrupted installation, an uninstalled version or a missing mount leaves such a link behind."
            ),
            evidence=[one.evidence for one in (*told, *listed)],
            fix=_steps(),
            sources=["leideng/CANN-8.1.RC1: layout of the installed tree"],
        )


def _steps() -> tuple[Fix, ...]:
    return (
        Fix(
            "find / -name set_env.sh -path '*Ascend*' -not -path '*/script/*' 2>/dev/null",
            say("names the toolkits that really exist"),
        ),
        Fix(
            "ln -sfn /usr/local/Ascend/cann-<version> /usr/local/Ascend/cann",
            say(
                "from CANN 8.5 on; up to 8.3 ascend-toolkit/latest is a folder of links: install the package again"
            ),
            needs_root=True,
        ),
        Fix("source <toolkit>/set_env.sh", say("in a new shell, of the toolkit that exists")),
    )
