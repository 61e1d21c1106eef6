"""Foreign text without what could steer a terminal, break XML or turn a line around."""

from __future__ import annotations

import json
import re

__all__ = ["json_text", "printable"]

# Controls but tab and newline; marks that change the direction of text; line separators; halves of surrogate pairs;
# the two code points that XML refuses.
_UNWANTED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)


def printable(text: str) -> str:
    r"""The text with each such character written out, e.g. `\x1b` or `\u202e`."""
    return _UNWANTED.sub(lambda found: found.group().encode("unicode_escape").decode("ascii"), text)


def json_text(value: object) -> str:
    """The value as an indented JSON document in which such characters are escapes, so that nothing is lost."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return _UNWANTED.sub(lambda found: f"\\u{ord(found.group()):04x}", text) + "\n"
