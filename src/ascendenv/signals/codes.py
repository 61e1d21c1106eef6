"""Error codes of ACL, runtime, GE, HCCL, driver, DCMI, torch_npu and the installers: spellings and meanings."""

from __future__ import annotations

__all__ = ["canonical_code"]


def canonical_code(text: str) -> str:
    """The one spelling of a code: plain digits, `EE1001`, `drv:87`, `-8020`, `0x80E01801`."""
    if text[:2] in {"0x", "0X"}:
        return "0x" + text[2:].upper()
    return text
