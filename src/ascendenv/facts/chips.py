"""Chips as npu-smi, torch_npu and people write them, brought to the names that the matrix uses."""

from __future__ import annotations

import re

__all__ = ["chip_family", "chip_in_npu_smi", "chip_named"]

_SOC = re.compile(
    r"(?:ascend[ _-]?)?"
    r"(910_93[0-9]{2}|910_93|910pro[ab]|910premiuma|910a|910b[1-4](?:-1|_1|c)?|910b|910c[1-4]?"
    r"|950(?:pr|dt)(?:_[0-9a-z]{3,5})?|950|310p[1357]?|310b[1-4]?|310)",
    re.IGNORECASE,
)
_FAMILY = {
    "910c": "A3",
    "910_93": "A3",
    "910b": "910B",
    "950": "950",
    "310p": "310P",
    "310b": "310B",
    "310": "310",
}
_FIRST_GENERATION = "910A"


def chip_named(text: str) -> str | None:
    """The chip that `text` names as a whole, e.g. `Ascend910B3` for "910B3", `A3` for "910C1"; None for no name.

    A bare "Ascend910" is None: the first generation and A3 both print it.
    """
    found = _SOC.fullmatch(text.strip())
    if found is None:
        return None
    name = found.group(1).lower()
    if name.startswith("910c"):
        name = "910c"
    if name in _FAMILY:
        return _FAMILY[name]
    return f"Ascend{_spelt(name)}"


def _spelt(name: str) -> str:
    if name.startswith("910pro"):
        return f"910Pro{name[6:].upper()}"
    if name == "910premiuma":
        return "910PremiumA"
    head, mark, rest = name.partition("_")
    if head.startswith("910b") and mark:
        return f"{head.upper()}-{rest}"
    return f"{head.upper()}{mark}{rest}"


def chip_in_npu_smi(name: str, *, two_dies: bool, memory: int | None, hbm: int | None) -> str | None:
    """The chip behind a name of the npu-smi table.

    `two_dies` tells that the table has the Phy-ID column or a second chip of the NPU, which only A3 has among the
    910s. Cards with both DDR (`memory` in MB above 0) and HBM are the first generation 910, whatever the name says.
    """
    plain = name.strip().lower().removeprefix("ascend").strip(" _-")
    if plain == "910" and two_dies:
        return "A3"
    if memory and hbm and not plain.startswith(("910pro", "910a", "950", "310")):
        return _FIRST_GENERATION
    return chip_named(name)


def chip_family(chip: str) -> str | None:
    """The family of a chip: `910B` for Ascend910B3; None for a family's own name and for what is no chip."""
    name = chip.lower().removeprefix("ascend")
    if name == chip.lower():
        return None
    if re.match(r"910b\d", name):
        return "910B"
    if name.startswith("910_93"):
        return "A3"
    found = re.match(r"910(?=a|pro|premium)|950|310[pb]", name)
    return None if found is None else {"910": _FIRST_GENERATION}.get(found.group(), found.group().upper())
