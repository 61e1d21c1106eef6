"""A kernel on the device failed or did not end, and nothing says why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal, Signals

_TIMEOUTS = ("507014", "507017", "507034", "E30008")
_EXCEPTIONS = (
    "507015",
    "507016",
    "507018",
    "507035",
    "507036",
    "507042",
    "507043",
    "507044",
    "507045",
    "507049",
)
SOURCES = ("CANN: acl error codes", "vllm-ascend issue 4972", "vllm-ascend issue 2674")


class KernelFailure(Check):
    """A kernel on the NPU failed or ran into its time limit."""

    id = "RUN004"
    causes = ("aicore-exception", "aicore-timeout")
    consequence_of = (
        *("DRV008", "DEV003", "DEV016", "DEV017", "DEV019", "CHP001", "CHP003"),
        *("CAN005", "CAN006", "CAN007", "CAN008", "CAN009", "CAN010", "CAN012", "CAN014", "CAN019"),
        *("HCC002", "HCC005", "HCC006", "HCC007", "HCC013", "HCC014"),
    )
    rank = -4

    def check(self, signals: Signals) -> Iterator[Finding]:
        """The text or the code."""
        timeouts = (*signals.of("kernel-timeout"), *signals.codes(*_TIMEOUTS))
        exceptions = (*signals.of("kernel-exception"), *signals.codes(*_EXCEPTIONS))
        if timeouts:
            yield self._finding(
                "aicore-timeout", say("A kernel on the NPU did not end in time"), timeouts, _late()
            )
        elif exceptions:
            yield self._finding("aicore-exception", say("A kernel on the NPU failed"), exceptions, _wrong())

    def _finding(self, cause: str, title: Message, found: tuple[Signal, ...], why: Message) -> Finding:
        kernel = next((one.get("kernel") for one in found if one.get("kernel")), "")
        return self.finding(
            cause=cause,
            severity=Severity.WARNING,
            confidence=Confidence.POSSIBLE,
            title=title,
            observed=say("the kernel was {kernel}", kernel=kernel) if kernel else say("no kernel is named"),
            expected=say(
                "to decide: driver and CANN versions, the first ERROR of plog, and whether it repeats"
            ),
            why=why,
            evidence=(one.evidence for one in found),
            fix=_STEPS,
            sources=SOURCES,
        )


def _late() -> Message:
    return say(
        "most often a driver that is older than this CANN (compare with `ascendenv matrix check`); for fused"
        " communication kernels a peer that is down or late; else a kernel that is really stuck"
    )


def _wrong() -> Message:
    return say(
        "most often addresses or indices out of range in the model's inputs, or a buffer that is too small"
        " (HCCL_BUFFSIZE); after an upgrade, kernels (ops) of another release than the toolkit"
    )


_STEPS = (
    Fix(
        "export ASCEND_LAUNCH_BLOCKING=1",
        say("run once so: the traceback then names the operator that fails"),
    ),
    Fix(
        "grep -rhE 'ERROR' ~/ascend/log/debug/plog | sort | head -20",
        say("the first error, not the last, counts"),
    ),
    Fix("npu-smi info -t health -i 0; npu-smi info -t ecc -i 0", say("is the card itself well?")),
    Fix(
        "ascendenv matrix check --driver <version> --cann <version> --torch-npu <version>",
        say("does driver, CANN and torch_npu go together?"),
    ),
)
