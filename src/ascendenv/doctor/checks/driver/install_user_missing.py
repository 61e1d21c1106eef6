"""DRV006: the account that the driver runs under does not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.steps import DEFAULT_USER, create_account, retry_installer
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals


class InstallUserMissing(Check):
    """The user or group that the driver wants (HwHiAiUser unless told otherwise) does not exist."""

    id = "DRV006"
    causes = ("driver-user-missing",)
    rank = 12

    def check(self, signals: Signals) -> Iterator[Finding]:
        """The installer does not create the account; it must be there before."""
        symptoms = signals.of("installer-user-missing")
        if not symptoms:
            return
        user = symptoms[0].get("user") or DEFAULT_USER
        yield self.finding(
            title=say("The account {user} for the driver does not exist", user=user),
            observed=say("no user or group {user}", user=user),
            expected=say(
                "user and group exist, and the user is in the group, before the driver is installed"
            ),
            confidence=Confidence.CERTAIN,
            evidence=[one.evidence for one in symptoms],
            fix=(
                *create_account(user),
                retry_installer(),
                Fix(note=say("or name another account with --install-username= and --install-usergroup=")),
            ),
            sources=("hicann/driver: scripts/package/driver/common/scripts/install.sh",),
        )
