"""Variables for finding faults are still set and slow the job down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message

SOURCES = ("CANN log reference", "torch_npu: ASCEND_LAUNCH_BLOCKING", "HCCL Test FAQ: low bandwidth")


class SlowSettings(Check):
    """Debug settings (log level, blocking launch) are on and make the job slow."""

    id = "RUN002"
    causes = ("slow-debug-settings",)
    rank = -3

    def check(self, environment: Mapping[str, str], facts: HostFacts) -> Iterator[Finding]:
        """Variables of the environment only: nothing here stops a job."""
        for name, harm, severity in _slowing(environment):
            yield self.finding(
                severity=severity,
                confidence=Confidence.CERTAIN,
                title=say("{variable} slows the job down", variable=name),
                observed=say("{variable}={value}", variable=name, value=environment[name]),
                expected=say("{variable} unset, except while a fault is being looked for", variable=name),
                why=harm,
                evidence=facts.seen("environment"),
                fix=(Fix(f"unset {name}"),),
                sources=SOURCES,
            )


def _slowing(environment: Mapping[str, str]) -> Iterator[tuple[str, Message, Severity]]:
    blocking = say("operators run one by one, and the host waits for each")
    logging = say(
        "the host writes a line for nearly every call; on level 0 and 1 a job can be many times slower"
    )
    printing = say("all log lines go through the terminal, and results drown in them")
    for name, bad, harm, severity in (
        ("ASCEND_LAUNCH_BLOCKING", ("1",), blocking, Severity.WARNING),
        ("ASCEND_GLOBAL_LOG_LEVEL", ("0", "1"), logging, Severity.WARNING),
        ("ASCEND_SLOG_PRINT_TO_STDOUT", ("1",), printing, Severity.INFO),
        ("ASCEND_LOG_PRINT_TO_STDOUT", ("1",), printing, Severity.INFO),
        ("HCCL_ENTRY_LOG_ENABLE", ("1",), say("HCCL writes a line for every collective"), Severity.INFO),
        (
            "TASK_QUEUE_ENABLE",
            ("0",),
            say("operators are no longer queued ahead of the device"),
            Severity.INFO,
        ),
    ):
        if environment.get(name, "").strip() in bad:
            yield name, harm, severity
    module = environment.get("ASCEND_MODULE_LOG_LEVEL", "")
    if any(part.rpartition("=")[2].strip() in ("0", "1") for part in module.split(":")):
        yield "ASCEND_MODULE_LOG_LEVEL", logging, Severity.INFO
