"""The literals that a line must hold for an expression to match: a cheap question before a dear one.

Many patterns begin with a common word. Python's `re` takes microseconds to refuse a line; asking for the words that
the expression cannot do without takes a tenth of that.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

if sys.version_info >= (3, 11):
    from re import _constants as constants
    from re import _parser as parser
else:
    import sre_constants as constants
    import sre_parse as parser

__all__ = ["Needs", "needs_of"]

Needs: TypeAlias = "str | list[Needs]"
"""A literal in lower case; or `["&", ...]`, all of these; or `["|", ...]`, one of these; `["&"]` asks for nothing."""

NOTHING: Needs = ["&"]


def needs_of(expression: str) -> Needs:
    """What the lower-case form of a text must hold for `expression` to match in it."""
    return _of_sequence(parser.parse(expression).data)


def _of_sequence(items: Iterable[tuple[object, object]]) -> Needs:
    found: list[Needs] = []
    run = ""
    for operation, argument in items:
        if operation is constants.LITERAL and isinstance(argument, int):
            run += chr(argument).lower()
            continue
        found.append(run)
        run = ""
        found.append(_of_item(operation, argument))
    return _all([*found, run])


def _of_item(operation: object, argument: object) -> Needs:
    if operation is constants.SUBPATTERN and isinstance(argument, tuple):
        return _of_sequence(argument[-1])
    if operation is constants.BRANCH and isinstance(argument, tuple):
        return _any([_of_sequence(branch) for branch in argument[1]])
    if operation in {constants.MAX_REPEAT, constants.MIN_REPEAT} and isinstance(argument, tuple):
        least, _, body = argument
        return _of_sequence(body) if least else NOTHING
    if operation is constants.ASSERT and isinstance(argument, tuple):
        return _of_sequence(argument[1])
    return NOTHING


def _all(parts: Sequence[Needs]) -> Needs:
    """All of `parts` as one, without those that ask for nothing; the longest literal, the rarest as a rule, first."""
    flat: list[Needs] = []
    for part in parts:
        flat.extend(part[1:] if isinstance(part, list) and part[0] == "&" else [part] if part else [])
    flat.sort(key=lambda part: -len(part) if isinstance(part, str) else 0)
    return flat[0] if len(flat) == 1 else ["&", *flat]


def _any(parts: Sequence[Needs]) -> Needs:
    """One of `parts` as one; nothing when one of them asks for nothing."""
    return NOTHING if NOTHING in parts else ["|", *parts]
