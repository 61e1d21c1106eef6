"""The numbers of torch_npu's out-of-memory message, in GiB."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascendenv.signals.model import Signal

__all__ = ["MemoryReport", "memory_report"]

_GIB = {"bytes": 1 / 1024**3, "B": 1 / 1024**3, "K": 1 / 1024**2, "M": 1 / 1024, "G": 1.0, "T": 1024.0}
_BEYOND_TORCH = 2.0
"""GiB that the driver, CANN and HCCL take beside torch on a card that one job has for itself."""


@dataclass(frozen=True)
class MemoryReport:
    """What a failed allocation says, in GiB; None where the message does not tell."""

    requested: float | None
    total: float | None
    allocated: float | None
    reserved: float | None
    free: float | None

    @property
    def unused(self) -> float | None:
        """What torch holds without using it."""
        return None if self.reserved is None or self.allocated is None else self.reserved - self.allocated

    @property
    def fragmented(self) -> bool:
        """Whether torch holds enough for the request, only not in one piece."""
        if self.unused is None or self.requested is None or self.total is None:
            return False
        return self.unused >= max(self.requested, 0.08 * self.total)

    @property
    def foreign(self) -> bool:
        """Whether a good part of the card is neither free nor torch's: somebody else has it."""
        held = self.reserved if self.reserved is not None else self.allocated
        if held is None or self.total is None or self.free is None:
            return False
        return self.total - self.free - held > max(_BEYOND_TORCH, 0.1 * self.total)


def memory_report(signal: Signal) -> MemoryReport:
    """The numbers of one `npu-out-of-memory` signal."""
    allocated, unused = _gib(signal.get("allocated")), _gib(signal.get("unused"))
    reserved = _gib(signal.get("reserved"))
    if reserved is None and allocated is not None and unused is not None:
        reserved = allocated + unused
    return MemoryReport(
        _gib(signal.get("requested")),
        _gib(signal.get("total")),
        allocated,
        reserved,
        _gib(signal.get("free")),
    )


def _gib(text: str) -> float | None:
    number, _, unit = text.partition(" ")
    factor = _GIB.get(unit) or _GIB.get(unit[:1])
    try:
        return None if factor is None else float(number) * factor
    except ValueError:
        return None
