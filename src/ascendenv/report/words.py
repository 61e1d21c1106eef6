"""Words that several renderings share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.language import Message, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "CONFIDENCES",
    "SEVERITIES",
    "box_words",
    "headline",
    "shown_fact",
    "waived_until",
    "waiver_ended",
]

SEVERITIES = {"error": say("error"), "warning": say("warning"), "info": say("advice")}
CONFIDENCES = {"certain": say("certain"), "likely": say("likely"), "possible": say("possible")}
_FACTS = {
    "chip": say("chip"),
    "driver": say("driver"),
    "firmware": say("firmware"),
    "arch": say("architecture"),
    "os": say("system"),
    "in_container": say("container"),
}
_NAMES = {"cann": "CANN", "python": "Python"}
_PLAIN = ("chip", "arch", "os")
"""Facts whose value tells what they are."""


def box_words(box: Mapping[str, str | bool | None]) -> Iterator[tuple[str, str]]:
    """(name, value) of each fact of the box that is known."""
    for name, value in box.items():
        if value is not None:
            yield str(_FACTS.get(name, _NAMES.get(name, name))), _plain(value)


def shown_fact(name: str, value: str | bool) -> str:
    """One fact of the box in a line of them, e.g. `driver 25.2.0`."""
    if name == "in_container":
        return str(say("in a container") if value else say("not in a container"))
    return str(value) if name in _PLAIN else f"{_NAMES.get(name, name)} {value}"


def headline(title: str, confidence: str) -> str:
    """The title of a finding; of one that is only possible it says so."""
    return str(say("perhaps: {title}", title=title)) if confidence == "possible" else title


def waived_until(until: str, by: str, reason: str) -> Message:
    """What is said of a finding that does not count."""
    return say("waived until {until} by {by}: {reason}", until=until, by=by, reason=reason)


def waiver_ended(until: str, by: str, reason: str) -> Message:
    """What is said of a finding that counts again."""
    return say("the waiver of {by} ended on {until}: {reason}", by=by, until=until, reason=reason)


def _plain(value: str | bool) -> str:
    if isinstance(value, bool):
        return str(say("yes") if value else say("no"))
    return value
