"""DRV021: the software is here, the card is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.driver.steps import list_cards
from ascendenv.doctor.checks.driver.traces import device_symptoms
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.observed import has_stack, shows_no_card
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals


class NoHardware(Check):
    """Parts of the Ascend stack are installed on a machine that shows no Ascend card."""

    id = "DRV021"
    causes = ("no-hardware",)
    rank = 14

    def check(self, facts: HostFacts, matrix: Matrix, signals: Signals | None = None) -> Iterator[Finding]:
        """No function on PCI, none on the unified bus, no node, no card in npu-smi; an error where something fails."""
        if not shows_no_card(matrix, facts) or not has_stack(facts):
            return
        failing = _fails(facts, signals)
        virtual = known(facts.virtual_machine)
        yield self.finding(
            title=say("No Ascend card is visible on this machine"),
            observed=say("no Ascend card on PCI or on the unified bus, and no /dev/davinci node"),
            expected=say("one PCI function 19e5 for each card, or /dev/uburma on 950 boards"),
            why=say("this is a virtual machine ({name}): a card must be passed through to it", name=virtual)
            if virtual
            else say("what is installed is for a card that is not in this machine, or that the machine lost"),
            severity=Severity.ERROR if failing else Severity.WARNING,
            confidence=Confidence.CERTAIN if facts.in_container is False else Confidence.LIKELY,
            evidence=(
                *(one.evidence for one in (device_symptoms(signals) if signals else ())),
                *facts.seen("pci", "ub_devices", "device_nodes", "virtual_machine"),
            ),
            fix=_steps(matrix, virtual),
            sources=("hicann/driver: src/sdk_driver/pbl/pbl_module.c, the table of PCI numbers",),
        )


def _steps(matrix: Matrix, virtual: str | None) -> tuple[Fix, ...]:
    power: Message = (
        say("pass the card to the virtual machine on its host, then start it again")
        if virtual
        else say(
            "a card that was there before: power the machine off and on, look at its seat and at the BMC"
        )
    )
    return (
        list_cards(matrix),
        Fix("dmesg | grep -iE 'pcie|19e5' | tail -20", say("a card that fell off the bus is named here")),
        Fix(note=power),
        Fix(
            "export TORCH_DEVICE_BACKEND_AUTOLOAD=0",
            say("on a machine that is meant to have no NPU: import torch does not load torch_npu then"),
        ),
    )


def _fails(facts: HostFacts, signals: Signals | None) -> bool:
    if known(facts.npu_smi_answer) in ("failed", "timeout"):
        return True
    return signals is not None and bool(signals.of("missing-library", "npu-smi-no-card"))
