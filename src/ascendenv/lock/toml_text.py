"""TOML as we write it: one key a line, so that a change of one thing is a change of one line."""

from __future__ import annotations

import json
from collections.abc import Mapping

__all__ = ["Written", "key", "line", "spread", "table"]

Written = str | int | bool | tuple[str, ...] | Mapping[str, str]

_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


def key(name: str) -> str:
    """The name as a key, in quotes where it needs them."""
    return name if name and set(name) <= _BARE else _quoted(name)


def line(name: str, value: Written) -> str:
    """`name = value` without the end of the line."""
    return f"{key(name)} = {_shown(value)}"


def spread(name: str, value: Written) -> str:
    """The same as `line` with each element of a list on a line of its own."""
    if not isinstance(value, tuple) or not value:
        return line(name, value)
    elements = "".join(f"  {_quoted(one)},\n" for one in value)
    return f"{key(name)} = [\n{elements}]"


def table(path: tuple[str, ...], lines: list[str], *, many: bool = False) -> str:
    """A table under its header; with `many` one more element of an array of tables."""
    name = ".".join(key(one) for one in path)
    header = f"[[{name}]]" if many else f"[{name}]"
    return "\n".join([header, *lines, ""])


def _shown(value: Written) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(line(name, one) for name, one in value.items()) + " }"
    return "[" + ", ".join(_quoted(one) for one in value) + "]"


def _quoted(text: str) -> str:
    """A basic string; JSON escapes all that TOML wants escaped but DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
