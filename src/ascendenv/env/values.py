"""Whether a value is what a variable may hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.env.explanation import allowed
from ascendenv.language import Message, say

if TYPE_CHECKING:
    from ascendenv.matrix.rows.variables import Variable

__all__ = ["fault_of"]


def fault_of(variable: Variable, value: str) -> Message | None:
    """What is wrong with `value`; None where nothing is, or where the catalogue cannot tell. Empty counts as unset."""
    if not value:
        return None
    if variable.kind == "devices":
        return _devices(value)
    if variable.kind in ("switch", "words"):
        words = variable.words or ("0", "1")
        right = value.casefold() in {one.casefold() for one in words}
    elif variable.kind == "whole":
        right = _is_whole(variable, value)
    else:
        return None
    return None if right else say("{value} is not {allowed}", value=repr(value), allowed=allowed(variable))


def _is_whole(variable: Variable, value: str) -> bool:
    if re.fullmatch(r"-?[0-9]{1,18}", value) is None:
        return False
    number = int(value)
    low = variable.least is None or variable.least <= number
    return low and (variable.most is None or number <= variable.most)


def _devices(value: str) -> Message | None:
    if re.search(r"\s", value):
        return say("{value} holds blanks: reading stops at the first one", value=repr(value))
    if re.fullmatch(r"[0-9]{1,6}(,[0-9]{1,6})*", value) is None:
        return say("{value} is no list such as 0,1,2", value=repr(value))
    numbers = [int(one) for one in value.split(",")]
    if numbers != sorted(set(numbers)):
        return say("{value} does not ascend, or names a device twice", value=repr(value))
    return None
