"""What the live probe saw: the target's interpreter imported torch and torch_npu, asked the runtime, and computed."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascendenv.language import Message

__all__ = ["LiveCall", "LiveEnd", "LiveError", "LiveResult", "LiveStep"]

LiveEnd = Literal["done", "timeout", "crashed", "not-started"]


@dataclass(frozen=True)
class LiveError:
    """One error of a chain: its type, its words, and the file and line of its innermost frame."""

    type: str
    text: str
    where: str


@dataclass(frozen=True)
class LiveStep:
    """A step and how it ended; one that only `begun` is where the process ended or hung.

    `errors` is the whole chain, outermost first; the last one is where it started.
    """

    name: str
    outcome: Literal["begun", "ok", "failed", "absent"]
    errors: tuple[LiveError, ...] = ()


@dataclass(frozen=True)
class LiveCall:
    """A call into CANN, its return code (0 is good), and the runtime's own words for what went wrong."""

    name: str
    code: int
    text: str = ""


@dataclass(frozen=True)
class LiveResult:
    """Everything that one run told. `device` is `cpu`, `npu:0` or None where no card was named.

    `reason` says why it ended as it did, or why it was not started; `unused` why the named card was left alone.
    `error` is the greatest error of the matrix product, `losses` those of ten training steps, `repeats` whether a
    second run with the same seed gave the same bits; None and empty where it did not come to that.
    """

    python: str
    device: str | None
    end: LiveEnd
    seconds: float
    steps: tuple[LiveStep, ...] = ()
    reason: str = ""
    unused: Message | None = None
    versions: Mapping[str, str] | None = None
    available: bool | None = None
    count: int | None = None
    name: str | None = None
    soc: str | None = None
    calls: tuple[LiveCall, ...] = ()
    runtime_count: int | None = None
    error: float | None = None
    losses: tuple[float, ...] = ()
    repeats: bool | None = None
    stack: tuple[str, ...] = ()

    def step(self, name: str) -> LiveStep | None:
        """The step of that name, None where it did not come to it."""
        return next((one for one in self.steps if one.name == name), None)

    @property
    def stopped_in(self) -> LiveStep | None:
        """The step in which the process hung or crashed."""
        return next((one for one in self.steps if one.outcome == "begun"), None)

    @property
    def falls(self) -> bool | None:
        """Whether the loss became clearly smaller; None without training."""
        if not self.losses:
            return None
        return all(isfinite(one) for one in self.losses) and self.losses[-1] < self.losses[0] / 2
