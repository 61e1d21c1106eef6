"""What follows from the facts of a box that was looked at itself, and not only heard of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.unknown import Unknown, known

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix

__all__ = [
    "MODULES",
    "card_nodes",
    "cards_answer",
    "cards_on_bus",
    "has_driver_modules",
    "has_stack",
    "looked_at",
    "npu_smi_fails",
    "shows_no_card",
]

MODULES = ("drv_pcie_host", "drv_vpcie", "tc_pcidev", "drv_davinci_intf_host", "asdrv_pbl", "ascend_uda")
"""Modules of which every working host has at least one (the installer itself looks for the first three)."""
_OF_DRIVER = ("drv_davinci", "drv_pcie", "asdrv_")

_CARD = re.compile(r"/dev/v?davinci(\d+)")


def looked_at(facts: HostFacts) -> bool:
    """Whether the collector saw this box: only then does the absence of a thing prove anything."""
    return not isinstance(facts.unseen, Unknown)


def cards_answer(facts: HostFacts) -> bool:
    """Whether npu-smi was asked on the box itself and answered: what older logs complain of is over then."""
    return facts.npu_smi_answer == "ok"


def npu_smi_fails(facts: HostFacts) -> bool:
    """Whether npu-smi was asked on the box itself and could not reach the cards."""
    return facts.npu_smi_answer in ("failed", "timeout")


def card_nodes(facts: HostFacts) -> tuple[int, ...]:
    """The numbers of the davinci nodes that were seen in /dev, in ascending order."""
    found = (_CARD.fullmatch(node.path) for node in known(facts.device_nodes) or ())
    return tuple(sorted(int(one[1]) for one in found if one))


def cards_on_bus(matrix: Matrix, facts: HostFacts) -> int:
    """How many whole NPUs the buses of this box show; 0 where nothing tells."""
    numbers = {number.rpartition(":")[2] for family in matrix.families.values() for number in family.pci}
    functions = known(facts.pci) or ()
    on_pci = sum(one.device.removeprefix("0x") in numbers and not one.virtual for one in functions)
    return on_pci + len(known(facts.ub_devices) or ())


def shows_no_card(matrix: Matrix, facts: HostFacts) -> bool:
    """Whether the box was looked at and has no card in any form: on a bus, as a node, or in npu-smi's table."""
    if not looked_at(facts) or isinstance(facts.pci, Unknown):
        return False
    virtual = any(one.virtual for one in facts.pci)
    return not (cards_on_bus(matrix, facts) or virtual or card_nodes(facts) or facts.npus)


def has_driver_modules(facts: HostFacts) -> bool:
    """Whether a module of the Ascend driver was seen among the loaded ones."""
    loaded = known(facts.kernel_modules) or frozenset()
    return any(name in MODULES or name.startswith(_OF_DRIVER) for name in loaded)


def has_stack(facts: HostFacts) -> bool:
    """Whether anything of the Ascend stack is installed here: driver, CANN or torch_npu."""
    told = (facts.driver_files, facts.driver_library, facts.cann_installs, facts.torch_npu, facts.npus)
    return any(bool(one) for one in told)
