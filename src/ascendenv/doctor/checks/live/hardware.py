"""The vendor's own tests of the hardware, as far as they are installed here."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

from ascendenv.doctor.finding import Fix
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts

__all__ = ["hardware_tests"]

# ascend-dmi: the vendor's page on AI Core errors; asys: docs of oam-tools, comprehensive detection
_ARGUMENTS = {"ascend-dmi": "--dg -i aicore -s", "asys": "diagnose -d=0 -r=stress_detect"}


def hardware_tests(facts: HostFacts) -> tuple[Fix, ...]:
    """A step for each tool that is here; the health page of npu-smi in any case."""
    health = Fix("npu-smi info -t health -i 0", say("the fault codes of the card; -i is its NPU number"))
    tools = {os.path.basename(path): path for path in known(facts.evidence_tools) or ()}  # noqa: PTH119
    return (
        health,
        *(
            Fix(
                f"{path} {_ARGUMENTS[name]}",
                say("the vendor's test of the hardware; only on cards that nobody uses"),
                disruptive=True,
            )
            for name, path in tools.items()
            if name in _ARGUMENTS
        ),
    )
