"""A build that cannot find torch_npu's headers, because it cannot import torch_npu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.torch.clues import (
    is_absent,
    pair_steps,
)
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.fixes import source_cann
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

SOURCES = ("vllm-project/vllm-ascend#661", "vllm-project/vllm-ascend#3403", "DeepLink-org/dlinfer#104")
STUB = "export LD_LIBRARY_PATH=$ASCEND_HOME_PATH/devlib:$ASCEND_HOME_PATH/$(uname -m)-linux/devlib:$LD_LIBRARY_PATH"


class HeadersNotFound(Check):
    """A build cannot import torch_npu, so it does not find its headers."""

    id = "TOR013"
    causes = ("torch-npu-not-importable-at-build", "driver-absent-at-build-time", "torch-npu-missing")
    rank = 9

    def check(self, matrix: Matrix, facts: HostFacts, signals: Signals) -> Iterator[Finding]:
        """A missing header of torch_npu, or torch missing in an isolated build."""
        found = [*signals.of("torch-npu-header-missing"), *_missing_in_isolation(signals)]
        if not found:
            return
        yield from weigh(
            self,
            _explanations(matrix, facts, signals),
            observed=say("the compiler was not told where torch_npu's headers are"),
            evidence=[signal.evidence for signal in found],
            sources=SOURCES,
        )


def _missing_in_isolation(signals: Signals) -> list[Signal]:
    if not signals.of("isolated-build"):
        return []
    return [one for one in signals.of("missing-module") if one.get("module") in {"torch", "torch_npu"}]


def _has_driver(facts: HostFacts) -> bool:
    return bool(facts.npus or facts.driver or facts.device_nodes)


def _lacks_driver(signals: Signals) -> bool:
    """Whether the text shows a place without a driver: an image build, a build machine, the driver's library missing."""
    return bool(signals.of("image-build")) or any(
        one.get(
            "library",
        ).startswith("libascend_hal")
        for one in signals.of("missing-library", "link-library-missing")
    )


def _explanations(matrix: Matrix, facts: HostFacts, signals: Signals) -> list[Hypothesis]:
    driver, no_driver = _has_driver(facts), _lacks_driver(signals)
    isolated = bool(signals.of("isolated-build"))
    return [
        Hypothesis(
            cause="torch-npu-not-importable-at-build",
            title=say("The build cannot import torch_npu, so it does not know where its headers are"),
            supported=True if driver or (isolated and not no_driver) else None,
            because=say(
                "builds ask torch_npu for its folder by importing it; a build in isolation, or a shell without CANN, "
                "cannot import it"
            ),
            ask=say(
                "does `python3 -c 'import torch_npu; print(torch_npu.__file__)'` work in the same shell?"
            ),
            fix=(
                source_cann(facts.cann or None),
                Fix("python3 -c 'import torch_npu; print(torch_npu.__file__)'", say("must print a path")),
                Fix(
                    "pip install --no-build-isolation -v -e .",
                    say("the build then sees the torch_npu of this shell"),
                ),
            ),
        ),
        Hypothesis(
            cause="driver-absent-at-build-time",
            title=say("torch_npu cannot be imported in this build, because there is no driver"),
            supported=True if no_driver and not driver else False if driver else None,
            because=say(
                "the build asks torch_npu for its folder by importing it; the import needs libascend_hal.so"
            ),
            ask=say("does the build run in an image build or on a machine without NPUs?"),
            fix=(Fix(STUB, say("the toolkit brings a stand-in for the driver library, for builds only")),),
        ),
        Hypothesis(
            cause="torch-npu-missing",
            title=say("torch_npu is not installed where the build runs"),
            supported=is_absent(facts.packages or None, "torch-npu"),
            ask=say("does `pip show torch-npu` know it?"),
            fix=pair_steps(matrix, facts),
        ),
    ]
