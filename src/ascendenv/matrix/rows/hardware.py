"""Chips, their families, and the cards and servers they are sold in."""

from __future__ import annotations

from dataclasses import dataclass

from ascendenv.matrix.fields import (  # noqa: TC001  (pydantic and `decode` read the annotations)
    PythonVersion,
    VendorVersion,
    Whole,
)
from ascendenv.matrix.rows.base import Sourced

__all__ = [
    "ChipRow",
    "Family",
    "Product",
]


@dataclass(frozen=True, kw_only=True)
class ChipRow(Sourced):
    """One chip of a family: `name` is its SoC name, memory in MB as npu-smi counts it."""

    name: str
    aliases: tuple[str, ...] = ()
    memory: Whole | None = None
    torch_npu_enum: Whole | None = None
    npu_arch: Whole | None = None
    ai_cores: Whole | None = None
    first_cann: VendorVersion | None = None


@dataclass(frozen=True, kw_only=True)
class Family(Sourced):
    """A chip family: how it is called, its packages, and since when software knows it.

    `hdk_lines` are HDK releases that only this family has; before `common_hdk` it runs on nothing else.
    """

    name: str
    aliases: tuple[str, ...] = ()
    short_soc: str | None = None
    package_suffix: str | None = None
    image_tag: str | None = None
    hdk_package: str | None = None
    pci: tuple[str, ...] = ()
    first_cann: VendorVersion | None = None
    first_torch_npu_product: VendorVersion | None = None
    first_vllm_ascend: PythonVersion | None = None
    hdk_lines: tuple[VendorVersion, ...] = ()
    common_hdk: VendorVersion | None = None
    chips: tuple[ChipRow, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Product(Sourced):
    """A card or server; `hdk_lines` where the product has its own HDK releases."""

    name: str
    family: str
    aliases: tuple[str, ...] = ()
    chips: tuple[str, ...] = ()
    board_ids: tuple[str, ...] = ()
    pci: tuple[str, ...] = ()
    first_cann: VendorVersion | None = None
    hdk_lines: tuple[VendorVersion, ...] = ()
