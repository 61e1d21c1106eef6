"""The folder or link of the current CANN toolkit leads to nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.loader_lines import faults
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import Link
    from ascendenv.signals.model import Signals

__all__ = ["BrokenCannLink", "repair_link"]


class BrokenCannLink(Check):
    """The folder or link that names the current CANN toolkit is empty or leads to nothing."""

    id = "CAN003"
    causes = ("cann-symlink-broken",)
    rank = 8

    def check(self, signals: Signals, cann_links: tuple[Link, ...] | None = None) -> Iterator[Finding]:
        """The box has a broken link, or somebody says that a link is broken or a version folder is empty."""
        told = signals.of("cann-link-broken", "cann-folder-empty")
        listed = signals.of("cann-path-not-found")
        broken = [one for one in cann_links or () if one.broken]
        if not told and not listed and not broken:
            return
        paths = dict.fromkeys(one.get("path").rstrip("/.,") for one in (*told, *listed))
        paths.update(dict.fromkeys(f"{one.path} -> {one.target}" for one in broken))
        yield self.finding(
            title=say("The link to the current CANN toolkit is broken or its folder is empty"),
            observed=say("leads to nothing: {paths}", paths=", ".join(paths)),
            expected=say("the link names a version folder that holds lib64, opp and set_env.sh"),
            severity=Severity.ERROR if told or _library_missing(signals) else Severity.WARNING,
            confidence=Confidence.LIKELY if told or broken else Confidence.POSSIBLE,
            why=say(
                "An interrupted installation, an uninstalled version or a missing mount leaves such a link behind."
            ),
            evidence=[one.evidence for one in (*told, *listed)],
            fix=repair_link(),
            sources=["leideng/CANN-8.1.RC1: layout of the installed tree"],
        )


def _library_missing(signals: Signals) -> bool:
    return bool(faults(signals, "cann-library-missing"))


def repair_link() -> tuple[Fix, ...]:
    """Steps that find the toolkits that exist and lead the link to one of them."""
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
