"""A line is known, but too short to be decided by the checks that weigh whole reports."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.surroundings import surroundings
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import say
from ascendenv.signals.codes import find_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signal, Signals

__all__ = ["KnownSymptom"]

_SAYS, _UMBRELLA = "says", "umbrella"
_ADVICE = ("hint", "topic", "mention")
_LEVELS = (_SAYS, "shows", _UMBRELLA, *_ADVICE)
"""How much a line tells: it names the problem; it is met with a few problems; it ends a trace of any problem. The rest
is also met where nothing is wrong, so that it is advice only, and only where somebody copied it into a log of failure:
an ordinary line that is often copied for one reason; what a line of failure speaks about; that it speaks of an NPU."""
_HOST_ONLY = frozenset({"driver-missing", "driver-not-loaded", "reboot-needed-after-upgrade"})
_CONTAINER_ONLY = frozenset(
    {
        "container-device-busy",
        "container-missing-devices",
        "container-mounts-incomplete",
        "driver-not-mounted",
        "privileged-container-sees-all",
        "rt-visible-devices-unset-in-pod",
    }
)


class KnownSymptom(Check):
    """A line that is known from other machines, where nothing around it tells which of its causes it is."""

    id = "RUN009"
    causes = ("known-symptom",)
    last_resort = True

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Name the usual causes of the lines that tell most, commonest first."""
        seen = [one for one in signals.of("symptom") if one.get("level") not in _ADVICE or _was_copied(one)]
        level = next((name for name in _LEVELS if any(one.get("level") == name for one in seen)), None)
        if level is None or (level in {_UMBRELLA, *_ADVICE} and _code_tells_more(signals)):
            return
        telling = [one for one in seen if one.get("level") == level]
        hypotheses = [
            Hypothesis(
                cause,
                say("The text points to {cause}", cause=cause),
                supported=False if _is_ruled_out(cause, facts) else None,
                ask=say("what do the lines around it say, and what does a whole report tell?"),
                fix=(Fix(f"ascendenv explain {cause}"),),
            )
            for cause in _by_place(telling)
        ]
        for finding in weigh(
            self,
            hypotheses,
            observed=say("a line that is known from other machines: {line}", line=_shortened(telling[0])),
            evidence=[one.evidence for one in telling],
            sure=Confidence.LIKELY if level == _SAYS else Confidence.POSSIBLE,
        ):
            yield replace(finding, severity=Severity.INFO) if level in _ADVICE else finding


def _code_tells_more(signals: Signals) -> bool:
    codes = (find_code(one.get("code")) for one in signals.of("error-code"))
    return any(code is not None and code.causes for code in codes)


def _was_copied(signal: Signal) -> bool:
    return signal.evidence.where.startswith("log")


def _by_place(telling: Iterable[Signal]) -> tuple[str, ...]:
    """The causes of all lines: the first of each, then the second of each."""
    lists = [one.get("causes").split() for one in telling]
    longest = max(map(len, lists), default=0)
    return tuple(
        dict.fromkeys(causes[place] for place in range(longest) for causes in lists if place < len(causes))
    )


def _is_ruled_out(cause: str, facts: HostFacts) -> bool:
    inside = surroundings(facts).in_container
    return (inside is True and cause in _HOST_ONLY) or (inside is False and cause in _CONTAINER_ONLY)


def _shortened(signal: Signal) -> str:
    text = signal.evidence.text.strip()
    return text if len(text) <= 100 else f"{text[:97]}..."  # noqa: PLR2004  (a line of a terminal)
