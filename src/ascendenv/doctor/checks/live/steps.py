"""The steps of the live probe in words, and the lines that they give as proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.facts.evidence import Evidence
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.facts.live import LiveResult, LiveStep
    from ascendenv.language import Message

__all__ = ["chain_lines", "stack_lines", "words_for"]

FRAMES = 6
"""So many of the innermost frames tell where a process stands."""

_WORDS = {
    "torch": say("import torch"),
    "torch_npu": say("import torch_npu"),
    "available": say("asking torch for its NPUs"),
    "runtime": say("asking CANN for its devices"),
    "device": say("opening the card"),
    "product": say("the matrix product"),
    "training": say("the training run"),
}


def words_for(step: LiveStep) -> Message:
    """What the step does."""
    return _WORDS[step.name]


def chain_lines(step: LiveStep) -> Iterator[Evidence]:
    """The errors of a failed step, the one where it started first."""
    for error in reversed(step.errors):
        first = error.text.strip().partition("\n")[0]
        yield Evidence(error.where or f"live {step.name}", f"{error.type}: {first}")


def stack_lines(live: LiveResult) -> Iterator[Evidence]:
    """Where the process stood, innermost frame first."""
    for frame in live.stack[:FRAMES]:
        place, _, function = frame.rpartition(" ")
        yield Evidence(place, function)
