"""Checks what people wrote in `matrix/signals/` and `matrix/error_codes/`, and makes the compiled forms of it."""

from __future__ import annotations

import json
import re
import string
from typing import TYPE_CHECKING, TypeGuard

from ascendenv.signals.catalogue import Catalogue, Pattern
from ascendenv.signals.needs import needs_of
from ascendenv.signals.scan import scan
from ascendenv.signals.sources import Mistake, Record, UnusableSource, read_records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["compile_error_codes", "compile_signals", "compile_symbols", "pattern_of"]

SHORTEST_ANCHOR = 3
"""A shorter literal would make nearly every line worth a look."""

_KEPT = ("id", "any", "match", "fields", "wraps")
_KEYS = {*_KEPT, "source", "examples", "counterexamples"}
_REQUIRED = {"id", "any", "source", "examples"}
_CODE_TEXTS = {"code", "name", "component", "meaning", "zh", "source"}
_CODE_LISTS = {"causes", "inner"}
_SYMBOL_LISTS = ("prefixes", "examples")
_SYMBOL_KEYS = {"prefixes", "provider", "examples", "source"}
_LISTS = ("any", "source", "examples", "counterexamples")


def compile_signals(folder: Path) -> bytes:
    """The compiled form of all patterns in `folder`; raises UnusableSource with every mistake and its line."""
    mistakes: list[Mistake] = []
    compiled = []
    for record in read_records(folder, mistakes):
        found = [Mistake(record.where(key), text) for key, text in _mistakes_of(record)]
        mistakes.extend(found)
        if not found:
            compiled.append(_compiled(record.values))
    if mistakes:
        raise UnusableSource(mistakes)
    return json.dumps({"patterns": compiled}, ensure_ascii=False, separators=(",", ":")).encode()


def _compiled(values: dict[str, object]) -> dict[str, object]:
    kept = {key: values[key] for key in _KEPT if key in values}
    if "match" in kept:
        kept["needs"] = needs_of(str(kept["match"]))
    return kept


def pattern_of(record: Record) -> Pattern:
    """The pattern that a record without mistakes describes."""
    compiled = json.dumps({"patterns": [_compiled(record.values)]})
    from ascendenv.signals.catalogue import load_catalogue

    return load_catalogue(compiled.encode()).patterns[0]


def _mistakes_of(record: Record) -> Iterator[tuple[str, str]]:
    """Key and text of each mistake; the examples are tried only when all else is right."""
    values = record.values
    found = [("", f"{key} is missing") for key in sorted(_REQUIRED - set(values))]
    found.extend((key, f"{key} is no known key") for key in values if key not in _KEYS)
    found.extend(
        (key, f"{key} must be a list of text") for key in _LISTS if not _is_texts(values.get(key, []))
    )
    found.extend(
        (key, f"{key} must not be empty") for key in ("any", "source", "examples") if values.get(key) == []
    )
    if not found:
        found = [*_form_mistakes(values)]
    yield from found or _example_mistakes(record)


def _form_mistakes(values: dict[str, object]) -> Iterator[tuple[str, str]]:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", str(values["id"])):
        yield "id", "the id must be lower-case words joined by hyphens"
    anchors = values["any"]
    for anchor in anchors if _is_texts(anchors) else ():
        if len(anchor.encode()) < SHORTEST_ANCHOR or "\n" in anchor:
            yield "any", f"{anchor!r} must be {SHORTEST_ANCHOR} bytes or longer, on one line"
    groups: set[str] = set()
    if "match" in values:
        try:
            groups = set(re.compile(str(values["match"])).groupindex)
        except re.error as error:
            yield "match", f"no regular expression: {error}"
    templates = values.get("fields", {})
    if not isinstance(templates, dict) or not all(isinstance(one, str) for one in templates.values()):
        yield "fields", "fields must map names to text"
        return
    for name, template in templates.items():
        for unknown in {place for _, place, _, _ in string.Formatter().parse(template) if place} - groups:
            yield "fields", f"{name}: the expression has no group {unknown}"
    if not isinstance(values.get("wraps", False), bool):
        yield "wraps", "wraps must be true or false"


def _example_mistakes(record: Record) -> Iterator[tuple[str, str]]:
    catalogue = Catalogue((pattern_of(record),))
    for key, wanted in (("examples", True), ("counterexamples", False)):
        lines = record.values.get(key, [])
        for line in lines if _is_texts(lines) else ():
            if bool(scan(line.encode(), key, catalogue)) is not wanted:
                yield key, f"{'must' if wanted else 'must not'} match: {line}"


def _is_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(one, str) and one for one in value)


def compile_symbols(folder: Path) -> bytes:
    """The compiled form of the rules that tell which package has a symbol; raises UnusableSource."""
    mistakes: list[Mistake] = []
    compiled = []
    for record in read_records(folder, mistakes):
        values = record.values
        found = [f"{key} is missing" for key in sorted({"prefixes", "provider", "source"} - set(values))]
        found.extend(f"{key} is no known key" for key in sorted(set(values) - _SYMBOL_KEYS))
        found.extend(
            f"{key} must be text" for key in ("provider", "source") if not isinstance(values.get(key), str)
        )
        found.extend(
            f"{key} must be a list of text" for key in _SYMBOL_LISTS if not _is_texts(values.get(key, []))
        )
        mistakes.extend(Mistake(record.where(), text) for text in found)
        compiled.append({key: values.get(key) for key in ("prefixes", "provider")})
    if mistakes:
        raise UnusableSource(mistakes)
    return json.dumps({"rules": compiled}, ensure_ascii=False, separators=(",", ":")).encode()


def compile_error_codes(folder: Path) -> bytes:
    """The compiled form of all error codes in `folder`; raises UnusableSource with every mistake and its line."""
    mistakes: list[Mistake] = []
    places: dict[str, str] = {}
    compiled = []
    for record in read_records(folder, mistakes):
        found = [Mistake(record.where(key), text) for key, text in _code_mistakes(record)]
        for name in () if found else _names_of(record):
            if name in places:
                found.append(Mistake(record.where(), f"{name} stands at {places[name]} already"))
            places[name] = record.where()
        mistakes.extend(found)
        compiled.append(record.values)
    if mistakes:
        raise UnusableSource(mistakes)
    return json.dumps({"codes": compiled}, ensure_ascii=False, separators=(",", ":")).encode()


def _code_mistakes(record: Record) -> Iterator[tuple[str, str]]:
    values = record.values
    yield from (("", f"{key} is missing") for key in sorted(_CODE_TEXTS - {"name"} - set(values)))
    for key, value in values.items():
        if key in _CODE_TEXTS:
            if not isinstance(value, str) or not value:
                yield key, f"{key} must be text in quotes"
        elif key not in _CODE_LISTS:
            yield key, f"{key} is no known key"
        elif not _is_texts(value):
            yield key, f"{key} must be a list of text"


def _names_of(record: Record) -> Iterator[str]:
    yield str(record.values["code"])
    inner = record.values.get("inner", [])
    yield from inner if _is_texts(inner) else ()
