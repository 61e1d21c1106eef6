"""`doctor --live`: whether and where the live probe runs, and what it adds to the facts."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ascendenv.errors import UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from ascendenv.facts.model import HostFacts

__all__ = ["SECONDS", "LiveWish"]

SECONDS = 300
"""The time limit unless another one is given: first uses compile operators."""


@dataclass(frozen=True)
class LiveWish:
    """What the user said about the live probe."""

    wanted: bool = False
    device: str | None = None
    seconds: int | None = None

    def check(self) -> None:
        """Raises UnusableInput where the options contradict each other or the device is none."""
        if not self.wanted and (self.device is not None or self.seconds is not None):
            raise UnusableInput(say("--live-device and --live-seconds need --live"))
        if self.device is not None:
            from ascendenv.live.choice import device_of

            device_of(self.device)

    def added_to(self, facts: HostFacts) -> HostFacts:
        """The facts together with what the probe told; as they are where it was not asked for."""
        if not self.wanted:
            return facts
        from ascendenv.facts.unknown import known
        from ascendenv.live.choice import reason_against
        from ascendenv.live.facts import with_live
        from ascendenv.live.run import run_live
        from ascendenv.live.tools import health_texts

        interpreter = known(facts.interpreter)
        python = interpreter.path if interpreter is not None else sys.executable
        seconds = self.seconds or SECONDS
        words = say("running the live probe in {python}, at most {seconds} s", python=python, seconds=seconds)
        print(words, file=sys.stderr)
        environment = known(facts.environment) or dict(os.environ)
        unused = reason_against(facts, self.device)
        run = run_live(python, self.device, environment, seconds=seconds, unused=unused)
        told = tuple(health_texts(facts, environment))
        return with_live(facts, replace(run, texts=(*run.texts, *told)))
