"""The driver is loaded, the cards are on the bus, and /dev has no node for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.symptoms import symptoms
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.fixes import reboot
from ascendenv.doctor.observed import (
    card_nodes,
    cards_answer,
    cards_on_bus,
    has_driver_modules,
    looked_at,
    npu_smi_fails,
)
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals

__all__ = ["NodesMissing"]


class NodesMissing(Check):
    """The host has cards and a loaded driver, but no device nodes."""

    id = "DEV022"
    causes = ("device-nodes-missing",)
    consequence_of = ("DEV006", "DRV003", "DRV009", "DRV019")
    rank = 5

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """Fires on a host whose /dev has no davinci node for the cards on its bus; an error where they do not answer."""
        if not looked_at(facts) or facts.in_container or cards_answer(facts) or card_nodes(facts):
            return
        count = cards_on_bus(matrix, facts)
        if not count or not has_driver_modules(facts):
            return
        seen = symptoms(signals)
        yield self.finding(
            title=say("The device nodes of the cards are missing"),
            observed=say("{count} cards on the bus, the driver is loaded, no /dev/davinciN", count=count),
            expected=say("/dev/davinci0 and so on, davinci_manager, hisi_hdc, and devmm_svm except on 950"),
            why=say(
                "the driver makes a node when a card has started; the boot script then sets owner and mode"
            ),
            severity=Severity.ERROR if seen or npu_smi_fails(facts) else Severity.WARNING,
            confidence=Confidence.LIKELY,
            evidence=(
                *(one.evidence for one in seen),
                *facts.seen("device_nodes"),
                *facts.seen("kernel_modules")[:1],
            ),
            fix=(
                Fix(
                    "dmesg | grep -iE 'davinci|devdrv|ascend' | tail -50",
                    say("`Device online` for each card? if not, the card did not start"),
                ),
                Fix("findmnt /dev", say("must be devtmpfs; a /dev of another kind shows no new nodes")),
                Fix(
                    "/etc/init.d/host_sys_init.sh start",
                    say("the boot script of the driver"),
                    needs_root=True,
                ),
                reboot(),
            ),
            sources=("hicann/driver: host_sys_init.sh; sdk_driver/pbl/uda/uda_access.c",),
        )
