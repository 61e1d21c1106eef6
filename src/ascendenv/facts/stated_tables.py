"""Versions in Markdown tables whose header names the components.

::

    | NPU   | Driver   | CANN    | PyTorch | torch_npu   |
    |-------|----------|---------|---------|-------------|
    | 910B3 | 24.1.rc3 | 8.0.RC3 | 2.1.0   | 2.1.0.post8 |

Only a table with one row of values tells about a box; more rows are a table of what goes together.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.facts.statements import claims_of, component_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.claim import Claim
    from ascendenv.facts.page import Page

__all__ = ["read"]

_RULE = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?\s*)?")
_VERSION = re.compile(r"v?(\d+\.[\w.+-]*\w)", re.ASCII)


def read(page: Page) -> Iterator[Claim]:
    """The versions in the only row below a header that names what they are of."""
    for index in page.containing("--"):
        if "|" not in page.lines[index] or not _RULE.fullmatch(page.lines[index]):
            continue
        header, row, after = (_cells(page.lines, at) for at in (index - 1, index + 1, index + 2))
        if len(row) <= 1 or len(after) > 1:
            continue
        for name, value in zip(header, row, strict=False):
            component = component_named(name)
            if component and (found := _VERSION.fullmatch(value)):
                yield from claims_of(component, found[1], page.evidence(index + 1))


def _cells(lines: list[str], index: int) -> list[str]:
    if not 0 <= index < len(lines) or "|" not in lines[index]:
        return []
    return [cell.strip(" \t`*") for cell in lines[index].strip().strip("|").split("|")]
