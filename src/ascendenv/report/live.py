"""The live probe in a report: as plain data, and in a line of words."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.live import LiveResult
    from ascendenv.language import Message

__all__ = ["LiveRecord", "live_record", "live_words"]


class ErrorRecord(TypedDict):
    """One error of a chain."""

    type: str
    text: str
    where: str


class StepRecord(TypedDict):
    """A step: `begun` is where the process hung or died; `errors` outermost first."""

    name: str
    outcome: str
    errors: list[ErrorRecord]


class CallRecord(TypedDict):
    """A call into CANN."""

    name: str
    code: int
    text: str


class LiveRecord(TypedDict):
    """What the live probe told; null and empty where it did not come to that."""

    python: str
    device: str | None
    end: str
    reason: str
    unused: str
    versions: dict[str, str]
    steps: list[StepRecord]
    available: bool | None
    count: int | None
    name: str | None
    calls: list[CallRecord]
    runtime_count: int | None
    soc: str | None
    product_error: str | None
    losses: list[str]
    falls: bool | None
    repeats: bool | None


def live_record(live: LiveResult) -> LiveRecord:
    """The record of a result."""
    return {
        "python": live.python,
        "device": live.device,
        "end": live.end,
        "reason": live.reason,
        "unused": "" if live.unused is None else str(live.unused),
        "versions": dict(live.versions or {}),
        "steps": [
            {
                "name": step.name,
                "outcome": step.outcome,
                "errors": [{"type": one.type, "text": one.text, "where": one.where} for one in step.errors],
            }
            for step in live.steps
        ],
        "available": live.available,
        "count": live.count,
        "name": live.name,
        "calls": [{"name": one.name, "code": one.code, "text": one.text} for one in live.calls],
        "runtime_count": live.runtime_count,
        "soc": live.soc,
        # Numbers as text: one that is none (nan) has no place in JSON.
        "product_error": None if live.error is None else str(live.error),
        "losses": [str(one) for one in live.losses],
        "falls": live.falls,
        "repeats": live.repeats,
    }


def live_words(live: LiveRecord) -> str:
    """The result in one line."""
    return " · ".join(str(part) for part in _parts(live))


def _parts(live: LiveRecord) -> Iterator[Message]:
    if live["end"] == "not-started":
        yield say("{python} did not start: {reason}", python=live["python"], reason=live["reason"])
    versions = live["versions"]
    if versions:
        imported = ", ".join(f"{name} {version}" for name, version in versions.items())
        yield say("imported {packages}", packages=imported)
    if live["available"] is not None:
        yield say("torch sees {count} NPUs", count=live["count"])
    if live["product_error"] is not None:
        yield _product(live)
    if live["losses"]:
        yield say(
            "loss {first} to {last} in ten steps",
            first=f"{float(live['losses'][0]):.3g}",
            last=f"{float(live['losses'][-1]):.3g}",
        )
    if live["repeats"] is not None:
        yield say("it repeats bit for bit") if live["repeats"] else say("it does not repeat")
    if live["unused"] and live["end"] == "done":
        yield say("nothing was computed: {reason}", reason=live["unused"])


def _product(live: LiveRecord) -> Message:
    if live["product_error"] == "0.0":
        return say("a matrix product on {device} is exact", device=live["device"])
    return say("a matrix product on {device} is wrong", device=live["device"])
