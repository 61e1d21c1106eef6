"""Rows about environment variables: what each means, what it may hold, who reads it, and what it quarrels with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ascendenv.matrix.fields import (
    VendorRange,  # noqa: TC001  (pydantic and `decode` read the annotations)
    Whole,  # noqa: TC001  (same)
)
from ascendenv.matrix.rows.base import Row, Sourced, Text

__all__ = ["Quarrel", "Variable"]

Kind = Literal["switch", "words", "whole", "path", "paths", "devices", "text"]
When = Literal[
    "CI",
    "build",
    "compatibility",
    "compilation",
    "container",
    "debug",
    "inference",
    "logging",
    "memory",
    "migration",
    "multi-card",
    "multi-node",
    "multi-process",
    "performance",
    "precision",
    "security",
    "super-node",
    "training",
]


@dataclass(frozen=True, kw_only=True)
class Quarrel(Row):
    """Two settings that do not go together: `own` of this variable, `theirs` of `other`; None where any value does."""

    other: str
    why: Text
    own: str | None = None
    theirs: str | None = None


@dataclass(frozen=True, kw_only=True)
class Variable(Sourced):
    """One variable. `switch` holds 0 or 1, `words` one of `words`, `whole` a number from `least` to `most`.

    `form` is the documented spelling of other values. `since` and `until` name the release for people, `cann` the CANN
    versions that know the variable; `replaced_from` those in which `replaced_by` stands in for it (None: all).
    `families` are the chips that it is for (empty: all). `above` names a variable whose number must be smaller.
    """

    name: str
    component: str
    read_by: str
    kind: Kind
    meaning: Text
    when: tuple[When, ...]
    words: tuple[str, ...] = ()
    least: Whole | None = None
    most: Whole | None = None
    form: str | None = None
    default: str | None = None
    since: str | None = None
    until: str | None = None
    cann: VendorRange | None = None
    families: tuple[str, ...] = ()
    replaced_by: str | None = None
    replaced_from: VendorRange | None = None
    above: str | None = None
    conflicts: tuple[Quarrel, ...] = ()
    advice: Text | None = None
