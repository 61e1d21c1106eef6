"""The device refuses the AI CPU package of this CANN, or lacks the libraries that it runs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal, Signals

__all__ = ["AicpuPackageLoadFailed"]

_REFUSED = ("E30006", "E30009", "E39006", "E39011")
_SCHEDULER = "libaicpu_"


class AicpuPackageLoadFailed(Check):
    """The device refuses the AI CPU package of this CANN."""

    id = "DEV016"
    causes = ("aicpu-package-load-failed",)
    consequence_of = ("DEV019",)
    rank = 7

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Fires on a package that was not verified, sent or loaded, and on an AI CPU library that is absent."""
        refused = (*signals.codes(*_REFUSED), *signals.of("aicpu-package-refused"))
        absent = (*signals.of("aicpu-scheduler-unopened"), *_absent(signals))
        if not refused and not absent:
            return
        driver, cann = known(facts.driver), known(facts.cann)
        yield self.finding(
            title=say("The device refuses the AI CPU package of this CANN"),
            observed=_observed(refused, absent),
            expected=say("driver, firmware and CANN of one release pair; one CANN root in the process"),
            why=say(
                "CANN sends its AI CPU package to the card, where software of the driver's release checks and runs it"
            ),
            confidence=Confidence.LIKELY,
            evidence=(*(one.evidence for one in (*refused, *absent)), *facts.seen("driver", "cann")),
            fix=(
                Fix(
                    f"ascendenv matrix check --driver {driver or 'VERSION'} --cann {cann or 'VERSION'}",
                    say("whether driver and CANN are a pair; if not, change one of them"),
                ),
                Fix(
                    "echo $ASCEND_OPP_PATH $ASCEND_AICPU_PATH $LD_LIBRARY_PATH",
                    say("all in one CANN; never mount a toolkit of the host over the one of the image"),
                ),
                *_board_fix(absent),
            ),
            sources=(
                "hicann/runtime: dfx/error_manager/error_code.json",
                "https://github.com/vllm-project/vllm-ascend/issues/4284",
                "https://github.com/PaddlePaddle/PaddleX/issues/2311",
            ),
        )


def _observed(refused: tuple[Signal, ...], absent: tuple[Signal, ...]) -> Message:
    package = next((name for one in refused if (name := one.get("package") or one.get("signed"))), "")
    if package:
        return say("package {package} was not loaded on the device", package=package)
    if refused:
        return say("the operator package (OPP) was not accepted by the device")
    return say("{library} cannot be opened", library=absent[0].get("library"))


def _absent(signals: Signals) -> tuple[Signal, ...]:
    return tuple(one for one in signals.of("missing-library") if one.get("library").startswith(_SCHEDULER))


def _board_fix(absent: tuple[Signal, ...]) -> tuple[Fix, ...]:
    if not absent:
        return ()
    return (
        Fix(
            "docker run -v /usr/lib64/libaicpu_scheduler.so:/usr/lib64/libaicpu_scheduler.so ...",
            say(
                "boards that run AI CPU code on the host (310B): mount all libaicpu_*.so that the board guide lists"
            ),
        ),
    )
