"""The compiled operators of a framework are absent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals

__all__ = ["CustomLibraryMissing"]


class CustomLibraryMissing(Check):
    """The compiled operators of a framework are absent or were not loaded."""

    id = "CAN013"
    causes = ("custom-ops-missing",)
    rank = 5

    def check(self, signals: Signals) -> Iterator[Finding]:
        """A library of custom kernels, or an operator that it registers, is not there."""
        seen = [
            one
            for one in signals.of("custom-operator-library-missing", "custom-operator-unregistered")
            if not _has_own_reason(one)
        ]
        if not seen:
            return
        yield self.finding(
            title=say("The compiled operators of the framework are missing"),
            observed=say("absent: {names}", names=", ".join(dict.fromkeys(_name(one) for one in seen))),
            expected=say("the framework was installed with its custom kernels, built for this CANN and chip"),
            confidence=Confidence.LIKELY,
            why=say(
                "The build was skipped or failed without stopping the installation, or its folder is not on the path."
            ),
            evidence=[one.evidence for one in seen],
            fix=[
                Fix(
                    "source /usr/local/Ascend/ascend-toolkit/set_env.sh",
                    say("the build needs the toolkit; from CANN 8.5 on /usr/local/Ascend/cann/set_env.sh"),
                ),
                Fix(
                    "pip install -v --no-build-isolation --no-deps -e <framework source>",
                    say(
                        "builds the kernels; set SOC_VERSION to this chip, and COMPILE_CUSTOM_KERNELS=1 for vllm-ascend before 0.12"
                    ),
                ),
                Fix("python -c 'import vllm_ascend.vllm_ascend_C'", say("must print nothing")),
            ],
            sources=[
                "vllm-project/vllm-ascend#1114",
                "vllm-project/vllm-ascend#3342",
                "vllm-project/vllm-ascend#3998",
            ],
        )


def _has_own_reason(signal: Signal) -> bool:
    """Whether the line itself says why the library failed to load: then another check speaks."""
    text = signal.evidence.text
    return "undefined symbol" in text or "version `" in text


def _name(signal: Signal) -> str:
    return signal.get("library") or signal.get("operator") or signal.get("what")
