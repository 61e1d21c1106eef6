"""A package index that the network does not reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals

HOSTS = ("host", "asked", "index")
SOURCES = ("pip documentation: configuration", "vllm-project/vllm-ascend#1796")


class UnreachableIndex(Check):
    """pip or uv cannot reach the package index."""

    id = "PKG003"
    causes = ("package-index-unreachable",)
    rank = 7

    def check(self, signals: Signals) -> Iterator[Finding]:
        """Time-outs, name resolution and certificates at an index, or an install that hangs without a word."""
        seen = signals.of("index-unreachable", "pip-hangs")
        if not seen:
            return
        hosts = sorted({host for signal in seen for key in HOSTS if (host := signal.get(key))})
        yield self.finding(
            confidence=Confidence.POSSIBLE if _answered(signals) else Confidence.LIKELY,
            title=say("The package index cannot be reached from here"),
            observed=say("no answer from {hosts}", hosts=", ".join(hosts) or say("the package index")),
            expected=say("an index that this machine reaches, or wheels on disk"),
            why=say(
                "the machine, or the image build, has no route, proxy or certificate for the index that pip asks; "
                "without configuration pip asks the public one and waits long"
            ),
            evidence=[signal.evidence for signal in (*seen, *signals.of("pip-unconfigured"))],
            fix=(
                Fix(
                    "pip config list && env | grep -i -E 'proxy|pip_'",
                    say("which index and proxy are in use"),
                ),
                Fix(
                    "pip config set global.index-url https://YOUR-MIRROR/simple",
                    say("in a Dockerfile: ENV PIP_INDEX_URL=... PIP_DEFAULT_TIMEOUT=60"),
                ),
                Fix(
                    "pip download -d wheels -r requirements.txt  &&  pip install --no-index --find-links wheels "
                    "-r requirements.txt",
                    say("the first half on a machine with network and the same Python, the second half here"),
                ),
            ),
            sources=SOURCES,
        )


def _answered(signals: Signals) -> bool:
    """Whether the index gave an answer after all: pip lists what it has."""
    return any(signal.get("versions") not in {"", "none"} for signal in signals.of("pip-no-version"))
