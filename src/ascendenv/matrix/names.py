"""One name for each chip and product, whatever people call it: SoC version, npu-smi name, marketing name or family."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ascendenv.matrix.rows.hardware import ChipRow, Family, Product
    from ascendenv.versions import Version

__all__ = ["Chip", "Names", "normalised"]

_NOISE = re.compile(r"[^a-z0-9]")
_MAKER = re.compile(r"^(huawei|ascend|atlas|davinci)+")
_FIRST_GENERATION_TOOLS = 22
"""npu-smi up to this major version writes 910B for a variant of the first generation."""


@dataclass(frozen=True)
class Chip:
    """A chip, or a whole family where only that is known (then `soc` is None). Memory in MB."""

    name: str
    family: str
    soc: str | None = None
    aliases: tuple[str, ...] = ()
    memory: int | None = None
    package_suffix: str | None = None
    image_tag: str | None = None
    first_cann: Version | None = None


def normalised(text: str) -> str:
    """The text without case, spaces, punctuation and maker's name: `Atlas 800T A2` is `800ta2`."""
    return _MAKER.sub("", _plain(text))


def _plain(text: str) -> str:
    return _NOISE.sub("", text.lower())


class Names:
    """Every published name of every chip and product."""

    def __init__(self, families: Iterable[Family], products: Iterable[Product]) -> None:
        self._families = {family.name: family for family in families}
        self._chips = _chip_names(self._families.values())
        self._products = {
            normalised(name): product for product in products for name in (product.name, *product.aliases)
        }

    def chip(self, text: str, npu_smi: Version | None = None) -> Chip | None:
        """The chip of that name; None where nobody calls a chip so.

        The maker's name may be left out; where both spellings are names, they stay apart: `Ascend910` is what npu-smi
        prints on A3, `910` is the first generation. npu-smi 22 and older prints `910B` for a chip of the first
        generation, hence its version matters.
        """
        key = normalised(text)
        old_tool = npu_smi is not None and npu_smi.release[0] <= _FIRST_GENERATION_TOOLS
        if key == "910b" and old_tool:
            return self._chips.get("910bfirstgeneration")
        return self._chips.get(_plain(text)) or self._chips.get(key) or self._by_stem(key)

    def product(self, text: str) -> Product | None:
        """The product of that name."""
        return self._products.get(normalised(text))

    def all_chips(self) -> tuple[Chip, ...]:
        """Families first, then their chips, in the order of the data."""
        return tuple(dict.fromkeys(self._chips.values()))

    def _by_stem(self, key: str) -> Chip | None:
        """A chip of a known kind whose number is new: Ascend950PR_95f0 is a 950PR."""
        for stem in ("950pr", "950dt", "950", "91093", "910b", "310p", "310b"):
            if key.startswith(stem) and key != stem:
                return self._chips.get(stem)
        return None


def _chip_names(families: Iterable[Family]) -> Mapping[str, Chip]:
    """Names as they are written, and behind them the same names without the maker's."""
    written: dict[str, Chip] = {}
    short: dict[str, Chip] = {}
    for family in families:
        whole = _family_chip(family)
        own = [(whole, (family.name, *family.aliases))]
        own += [(_chip(row, family), (row.name, *row.aliases)) for row in family.chips]
        for chip, called in own:
            for name in called:
                written.setdefault(_plain(name), chip)
                short.setdefault(normalised(name), chip)
    return short | written


def _family_chip(family: Family) -> Chip:
    return Chip(
        name=family.name,
        family=family.name,
        aliases=family.aliases,
        package_suffix=family.package_suffix,
        image_tag=family.image_tag,
        first_cann=family.first_cann,
    )


def _chip(row: ChipRow, family: Family) -> Chip:
    return Chip(
        name=row.name,
        family=family.name,
        soc=row.name,
        aliases=row.aliases,
        memory=row.memory,
        package_suffix=family.package_suffix,
        image_tag=family.image_tag,
        first_cann=row.first_cann or family.first_cann,
    )
