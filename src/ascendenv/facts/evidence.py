"""Where something was read: the unit of proof that every finding carries."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Evidence"]


@dataclass(frozen=True)
class Evidence:
    """One line that was seen.

    `where` is a place a person can go to: `log:12`, `report:40`, `/etc/ascend_install.info:3`, `npu-smi info`.
    `text` is the line itself, free of control characters.
    """

    where: str
    text: str
