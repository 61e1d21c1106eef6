"""Rows as YAML for people: keys in their usual order, versions quoted, short lists in one line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["entry_lines", "item_lines", "place_of", "row_lines", "scalar"]

WIDTH = 110
_ORDER = (
    *(
        "id",
        "project",
        "package",
        "component",
        "release",
        "repository",
        "hdk",
        "version",
        "kind",
        "inner_version",
    ),
    *(
        "filename",
        "format",
        "family",
        "channel",
        "torch",
        "product",
        "basis",
        "released",
        "layout",
        "families",
    ),
    *("driver", "firmware", "builds", "accepts_firmware", "accepts_driver", "cann", "cann_compatible"),
    *("torch_npu", "triton_ascend", "on_index", "lifecycle", "status", "first_release", "eol", "next_status"),
    *(
        "next_from",
        "as_of",
        "pythons_documented",
        "default_index",
        "arch",
        "chips",
        "python",
        "vllm",
        "wheels",
    ),
    *("platforms", "torch_pin", "requires", "url", "sha256", "verified_by", "referer", "size", "level"),
    *(
        "torchvision",
        "torchaudio",
        "base_images",
        "torch_npu_product",
        "packages",
        "hdk_cells",
        "pairs",
        "tags",
    ),
    *("files", "releases", "subject", "says", "who", "what", "advice", "given", "notes", "source"),
)
_ORDER_OF_USE = (
    *(
        "version",
        "kind",
        "released",
        "cann",
        "cann_compatible",
        "hdk",
        "torch",
        "torch_npu",
        "torch_npu_product",
    ),
    *("torch_npu_products", "triton_ascend", "python", "families", "vllm", "mindspore", "torchvision"),
    *("torchaudio", "base_images", "notes", "source"),
)
"""The keys of a release that builds on the stack; it is told by its kind."""
_PLACES = {key: place for place, key in enumerate(_ORDER)}
_PLACES_OF_USE = {key: place for place, key in enumerate(_ORDER_OF_USE)}

_BLOCK_LISTS = frozenset({"source", "notes", "says"})
_BLOCK_MAPPINGS = frozenset({"lifecycle", "wheels"})
_PLAIN = re.compile(r"[A-Za-z_][\w./+()\[\]-]*(?: [\w./+()\[\]-]+)*")
_WORDS_OF_YAML = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n", "none"})
_QUOTED = re.compile(r"v?\d|[A-Za-z]{1,2}\d+$|[0-9a-f]{32,}$", re.IGNORECASE)
"""Versions, short names such as A3 and cp311, and hashes."""


def place_of(key: str, row: Iterable[str]) -> float:
    """Where the key goes among those of a row; a key that is not known goes before the notes."""
    places = _PLACES_OF_USE if "kind" in row else _PLACES
    return places.get(key, places["notes"] - 0.5)


def row_lines(row: Mapping[str, object]) -> list[str]:
    """The lines of a row, its keys in their usual order."""
    keys = sorted(row, key=lambda key: place_of(key, row))
    return [line for key in keys for line in entry_lines(key, row[key])]


def item_lines(value: object) -> list[str]:
    """The lines of an item of a list, dash included."""
    if isinstance(value, dict):
        lines = row_lines(value)
        return [f"{'- ' if number == 0 else '  '}{line}" for number, line in enumerate(lines)]
    return [f"- {scalar(value)}"]


def entry_lines(key: str, value: object) -> list[str]:
    """The lines of `key: value`."""
    head = f"{scalar(key)}:"
    if isinstance(value, dict):
        return _mapping_lines(head, key, value)
    if isinstance(value, list):
        return _list_lines(head, key, value)
    return [f"{head} {scalar(value)}"]


def scalar(value: object) -> str:
    """A text, number or truth value; whatever YAML could take for something else, and every version, in quotes."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = str(value)
    plain = _PLAIN.fullmatch(text) and not _QUOTED.match(text) and text.casefold() not in _WORDS_OF_YAML
    return text if plain else json.dumps(text, ensure_ascii=False)


def _mapping_lines(head: str, key: str, value: Mapping[str, object]) -> list[str]:
    if key not in _BLOCK_MAPPINGS and all(not isinstance(one, dict | list) for one in value.values()):
        line = f"{head} {{{', '.join(f'{scalar(name)}: {_flow(one)}' for name, one in value.items())}}}"
        if len(line) <= WIDTH:
            return [line]
    return [head, *(f"  {line}" for line in row_lines(value))]


def _list_lines(head: str, key: str, value: Sequence[object]) -> list[str]:
    if not value:
        return [f"{head} []"]
    if key not in _BLOCK_LISTS and not any(isinstance(one, dict | list) for one in value):
        line = f"{head} [{', '.join(_flow(one) for one in value)}]"
        if len(line) <= WIDTH:
            return [line]
    return [head, *(f"  {line}" for one in value for line in _item(one))]


def _item(one: object) -> list[str]:
    if isinstance(one, dict) and all(not isinstance(value, dict | list) for value in one.values()):
        line = f"- {{{', '.join(f'{scalar(name)}: {_flow(value)}' for name, value in one.items())}}}"
        if len(line) <= WIDTH - 4 and len(one) <= 2:  # noqa: PLR2004  (pairs read well in one line)
            return [line]
    return item_lines(one)


def _flow(value: object) -> str:
    """A scalar inside brackets, where commas, colons and blanks mean something."""
    text = scalar(value)
    return (
        json.dumps(text, ensure_ascii=False) if text[0] != '"' and re.search(r"[,:\[\]{} ]", text) else text
    )
