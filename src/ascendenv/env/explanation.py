"""What the catalogue tells about one variable, as lines for people and as a record."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from ascendenv.language import DataMessage, Message, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.matrix.rows.base import Text
    from ascendenv.matrix.rows.variables import Variable

__all__ = ["allowed", "explain", "nearest", "record", "worded"]


def worded(text: Text) -> DataMessage:
    """A sentence of the catalogue in the language in which it is shown."""
    return DataMessage(text.en, chinese=text.zh)


def nearest(name: str, catalogue: Mapping[str, Variable]) -> tuple[str, ...]:
    """The names that `name` may be a slip of, the likeliest first; at most three."""
    return tuple(get_close_matches(name.upper(), catalogue, n=3, cutoff=0.75))


def allowed(variable: Variable) -> Message:
    """What the variable may hold, in words."""
    if variable.kind == "switch":
        return say("0 or 1")
    if variable.kind == "words":
        return say("one of {words}", words=", ".join(variable.words))
    if variable.kind == "whole":
        if variable.most is None:
            return say("a whole number from {least} on", least=variable.least)
        return say("a whole number from {least} to {most}", least=variable.least, most=variable.most)
    return _OTHER_KINDS.get(variable.kind, say("text"))


_OTHER_KINDS = {"path": say("a path"), "paths": say("paths joined by colons")}


def explain(variable: Variable) -> str:
    """The page of the variable in the active language."""
    lines = [variable.name, f"  {worded(variable.meaning)}"]
    lines.extend(f"  {title}: {text}" for title, text in _facts(variable))
    lines.extend(f"  {say('not with')}: {_quarrel(one)}" for one in _quarrels(variable))
    if variable.advice is not None:
        lines.append(f"  {say('advice')}: {worded(variable.advice)}")
    lines.extend(f"  {say('source')}: {one}" for one in variable.source)
    return "\n".join(lines)


def _facts(variable: Variable) -> Iterator[tuple[Message, object]]:
    yield say("component"), variable.component
    yield say("read by"), variable.read_by
    yield say("allowed"), allowed(variable)
    found = {
        say("documented form"): variable.form,
        say("default"): variable.default,
        say("set it for"): ", ".join(variable.when),
        say("since"): variable.since,
        say("until"): variable.until,
        say("CANN versions"): variable.cann,
        say("chips"): ", ".join(variable.families),
        say("replaced by"): variable.replaced_by,
        say("must be larger than"): variable.above,
    }
    yield from ((title, text) for title, text in found.items() if text)


def _quarrels(variable: Variable) -> Iterator[tuple[str, Text]]:
    for one in variable.conflicts:
        own = f"{variable.name}={one.own} / " if one.own else ""
        yield own + one.other + (f"={one.theirs}" if one.theirs else ""), one.why


def _quarrel(quarrel: tuple[str, Text]) -> str:
    return f"{quarrel[0]} ({worded(quarrel[1])})"


def record(variable: Variable) -> dict[str, object]:
    """What the catalogue tells, for `--format json`; None and empty lists where it tells nothing."""
    return {
        "name": variable.name,
        "component": variable.component,
        "read_by": variable.read_by,
        "meaning": str(worded(variable.meaning)),
        "allowed": str(allowed(variable)),
        "form": variable.form,
        "default": variable.default,
        "when": list(variable.when),
        "since": variable.since,
        "until": variable.until,
        "cann": str(variable.cann) if variable.cann else None,
        "chips": list(variable.families),
        "replaced_by": variable.replaced_by,
        "conflicts": [
            {"own": one.own, "other": one.other, "theirs": one.theirs, "why": str(worded(one.why))}
            for one in variable.conflicts
        ],
        "advice": str(worded(variable.advice)) if variable.advice else None,
        "sources": list(variable.source),
    }
