"""What is put to the matrix: any subset of the parts of a stack."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING

from ascendenv.language import say

if TYPE_CHECKING:
    from ascendenv.language import Message
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.names import Chip
    from ascendenv.matrix.rows.hardware import Family, Product
    from ascendenv.matrix.rows.releases import CannRelease, HdkRelease, TorchNpuRelease
    from ascendenv.versions import Version

__all__ = ["Given", "Looked"]


@dataclass(frozen=True, kw_only=True)
class Given:
    """Parts of a stack that are known. `chip` and `product` take any published name, `os` as `ubuntu 22.04`."""

    chip: str | None = None
    product: str | None = None
    driver: Version | None = None
    firmware: Version | None = None
    cann: Version | None = None
    ops: Version | None = None
    torch: Version | None = None
    torch_npu: Version | None = None
    python: Version | None = None
    arch: str | None = None
    os: str | None = None
    kernel: str | None = None

    def named(self) -> dict[str, str]:
        """The parts that are given, as text, in the order of the fields."""
        # Asked of every combination that a search or a page goes through, hence no look at the fields each time.
        return {name: str(value) for name in _NAMES if (value := getattr(self, name)) is not None}


_NAMES = tuple(one.name for one in fields(Given))


class Looked:
    """The rows behind what is given, each looked up once; `today` is the day that life-cycles are judged by."""

    def __init__(self, matrix: Matrix, given: Given, today: str | None = None) -> None:
        self.matrix = matrix
        self.given = given
        self.today = today

    @cached_property
    def cann(self) -> CannRelease | None:
        """The CANN release."""
        return self.matrix.find_cann(self.given.cann) if self.given.cann is not None else None

    @cached_property
    def hdk(self) -> HdkRelease | None:
        """The HDK release that the driver is part of."""
        return self.matrix.find_hdk(self.given.driver) if self.given.driver is not None else None

    @cached_property
    def torch_npu(self) -> TorchNpuRelease | None:
        """The torch_npu release."""
        return self.matrix.find_torch_npu(self.given.torch_npu) if self.given.torch_npu is not None else None

    @cached_property
    def product(self) -> Product | None:
        """The card or server."""
        return self.matrix.find_product(self.given.product) if self.given.product is not None else None

    @cached_property
    def chip(self) -> Chip | None:
        """The chip; of a product only the family."""
        if self.given.chip is not None:
            return self.matrix.find_chip(self.given.chip)
        return self.matrix.find_chip(self.product.family) if self.product is not None else None

    @cached_property
    def family(self) -> Family | None:
        """The chip family."""
        return self.matrix.families.get(self.chip.family) if self.chip is not None else None

    @property
    def family_name(self) -> str | None:
        """The name of the chip family."""
        return self.chip.family if self.chip is not None else None

    @property
    def product_name(self) -> str | None:
        """The one name of the product."""
        return self.product.name if self.product is not None else None

    def strangers(self) -> tuple[Message, ...]:
        """What is given and stands nowhere in the matrix."""
        return tuple(
            say("the matrix does not know {what} {name}", what=what, name=str(getattr(self.given, what)))
            for what, row in self._rows()
            if getattr(self.given, what) is not None and row is None
        )

    def _rows(self) -> tuple[tuple[str, object], ...]:
        return (
            ("chip", self.chip if self.given.chip is not None else None),
            ("product", self.product),
            ("driver", self.hdk),
            ("cann", self.cann),
            ("torch_npu", self.torch_npu),
            ("torch", self.matrix.find_torch(self.given.torch) if self.given.torch is not None else None),
        )
