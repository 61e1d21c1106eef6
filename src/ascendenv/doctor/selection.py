"""Which checks a run uses: `--select` and `--ignore` by id, family or cause."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from ascendenv.errors import UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ascendenv.doctor.check import Check

__all__ = ["matches", "select"]


def select(
    checks: Sequence[type[Check]], selected: Iterable[str] = (), ignored: Iterable[str] = ()
) -> tuple[type[Check], ...]:
    """The checks that are selected (all, when nothing is) and not ignored; a name that fits no check is refused."""
    wanted = _each(selected)
    unwanted = _each(ignored)
    for name in (*wanted, *unwanted):
        if not any(matches(check, name) for check in checks):
            _refuse(name, checks)
    return tuple(
        check
        for check in checks
        if (not wanted or any(matches(check, name) for name in wanted))
        and not any(matches(check, name) for name in unwanted)
    )


def matches(check: type[Check], name: str) -> bool:
    """Whether `name` is the id of the check, the letters of its family, or one of its causes."""
    return (
        name.upper() == check.id
        or name.upper() == check.id.rstrip("0123456789")
        or name.lower() in check.causes
    )


def _each(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(part.strip() for name in names for part in name.split(",") if part.strip())


def _refuse(name: str, checks: Sequence[type[Check]]) -> None:
    known = {known for check in checks for known in (check.id, check.id.rstrip("0123456789"), *check.causes)}
    near = get_close_matches(name, known, n=3) or get_close_matches(name.upper(), known, n=3)
    hint = (
        say("did you mean {names}?", names=", ".join(near))
        if near
        else say("`ascendenv doctor --list` shows all")
    )
    raise UnusableInput(say("no check has the id, family or cause {name}", name=repr(name)), hint=hint)
