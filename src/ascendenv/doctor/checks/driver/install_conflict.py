"""DRV007: an earlier installation stands in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.language import Message
    from ascendenv.signals.model import Signals

OBSERVED: dict[str, Message] = {
    "installer-user-is-root": say(
        "/etc/ascend_install.info names root as the user of an earlier installation"
    ),
    "installer-user-differs": say("an earlier installation belongs to another user or group"),
    "installer-already-running": say("another installer is running, or left its lock behind"),
    "installer-other-form-present": say("the driver is already installed as a package of another form"),
    "installer-nothing-to-upgrade": say("the package that is to be upgraded or removed is not installed"),
}
UPGRADE = Fix(
    "bash Ascend-hdk-*-npu-driver_*.run --upgrade",
    say("keeps user and path of the installation that is there"),
    needs_root=True,
    disruptive=True,
)
UNINSTALL = (
    Fix("cat /etc/ascend_install.info", say("what the earlier installation left")),
    Fix("/usr/local/Ascend/opp/aicpu/script/uninstall.sh", say("if it exists"), needs_root=True),
    Fix(
        "/usr/local/Ascend/firmware/script/uninstall.sh; /usr/local/Ascend/driver/script/uninstall.sh",
        say("then install again with --full"),
        needs_root=True,
        disruptive=True,
    ),
)
STEPS: dict[str, tuple[Fix, ...]] = {
    "installer-user-is-root": (UPGRADE, *UNINSTALL),
    "installer-user-differs": (*UNINSTALL, UPGRADE),
    "installer-already-running": (
        Fix(
            "ps -ef | grep -E '[A]scend.*\\.run|[i]nstall_common'", say("wait for it to end, then try again")
        ),
    ),
    "installer-other-form-present": (
        Fix(
            "rpm -qa | grep -i ascend; dpkg -l | grep -i ascend",
            say("remove what these list, then install again"),
        ),
        *UNINSTALL,
    ),
    "installer-nothing-to-upgrade": (
        Fix(
            "bash Ascend-hdk-*-npu-driver_*.run --full --install-for-all",
            say("a first installation is --full, not --upgrade"),
            needs_root=True,
            disruptive=True,
        ),
    ),
}


class InstallConflict(Check):
    """An earlier or a running installation blocks this one."""

    id = "DRV007"
    causes = ("driver-install-conflict",)
    rank = 12

    def check(self, signals: Signals) -> Iterator[Finding]:
        """One finding for each way in which the earlier installation is in the way."""
        for kind, observed in OBSERVED.items():
            if seen := signals.of(kind):
                yield self.finding(
                    title=say("An earlier installation blocks this one"),
                    observed=observed,
                    confidence=Confidence.LIKELY
                    if kind == "installer-nothing-to-upgrade"
                    else Confidence.CERTAIN,
                    evidence=[one.evidence for one in seen],
                    fix=STEPS[kind],
                    sources=("hicann/driver: scripts/package/driver/common/scripts/install.sh",),
                )
