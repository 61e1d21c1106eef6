"""A whole stack: what goes on one machine together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascendenv.matrix.given import Given

if TYPE_CHECKING:
    from ascendenv.matrix.level import Level
    from ascendenv.versions import Version

__all__ = ["Stack"]


@dataclass(frozen=True, kw_only=True)
class Stack:
    """Versions that go together. None where the part was neither asked for nor known.

    `hdk` is the name of the HDK release; `commands` bring a machine there, in this order.
    """

    cann: Version
    torch: Version
    torch_npu: Version
    python: Version
    level: Level
    chip: str | None = None
    product: str | None = None
    hdk: str | None = None
    driver: Version | None = None
    firmware: Version | None = None
    arch: str | None = None
    os: str | None = None
    end_of_life: bool = False
    commands: tuple[str, ...] = ()

    def given(self) -> Given:
        """The stack as it is put to `judge`."""
        return Given(
            chip=self.chip,
            product=self.product,
            driver=self.driver,
            firmware=self.firmware,
            cann=self.cann,
            torch=self.torch,
            torch_npu=self.torch_npu,
            python=self.python,
            arch=self.arch,
            os=self.os,
        )
