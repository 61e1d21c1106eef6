"""Rows as YAML for people: keys in their usual order, versions quoted, short lists in one line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["KEY_ORDER", "entry_lines", "item_lines", "row_lines", "scalar"]

WIDTH = 110
_ORDER = (
    *("id", "project", "package", "component", "release", "repository", "hdk", "version", "kind", "inner_version"),
    *("filename", "format", "family", "channel", "torch", "product", "basis", "released", "layout", "families"),
    *("driver", "firmware", "builds", "accepts_firmware", "accepts_driver", "cann", "cann_compatible"),
    *("torch_npu", "triton_ascend", "on_index", "lifecycle", "status", "first_release", "eol", "next_status"),
    *("next_from", "as_of", "pythons_documented", "default_index", "arch", "chips", "python", "vllm", "wheels"),
    *("platforms", "torch_pin", "requires", "url", "sha256", "verified_by", "referer", "size", "level"),
    *("torchvision", "torchaudio", "base_images", "torch_npu_product", "packages", "hdk_cells", "pairs", "tags"),
    *("files", "releases", "subject", "says", "who", "what", "advice", "given", "notes", "source"),
)
KEY_ORDER: Mapping[str, int] = {key: place for place, key in enumerate(_ORDER)}
"""Where a new key goes among those of a row; keys that are not here keep their place before the notes."""
_LAST = KEY_ORDER["notes"] - 0.5

_BLOCK_LISTS = frozenset({"source", "notes", "says"})
_BLOCK_MAPPINGS = frozenset({"lifecycle", "wheels"})
_PLAIN = re.compile(r"[A-Za-z_][\w./+()\[\]-]*(?: [\w./+()\[\]-]+)*")
_WORDS_OF_YAML = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n", "none"})
_VERSION_LIKE = re.compile(r"v?\d|[A-Za-z]{1,2}\d+$|cp\d+$", re.IGNORECASE)


def place_of(key: str) -> float:
    """Where the key goes among those of a row."""
    return KEY_ORDER.get(key, _LAST)


def row_lines(row: Mapping[str, object]) -> list[str]:
    """The lines of a row, its keys in their usual order."""
    keys = sorted(row, key=place_of)
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
    plain = _PLAIN.fullmatch(text) and not _VERSION_LIKE.match(text) and text.casefold() not in _WORDS_OF_YAML
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
    return json.dumps(text, ensure_ascii=False) if text[0] != '"' and re.search(r"[,:\[\]{} ]", text) else text
