"""Host memory could not be locked or registered for the device."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals

__all__ = ["HostMemoryNotPinned"]

_NO_SUCH_CALL = ("65534", "207000")


class HostMemoryNotPinned(Check):
    """Host memory could not be locked or registered for the device."""

    id = "DEV021"
    causes = ("memlock-limit", "host-pin-memory-limit")
    rank = 4

    def check(self, signals: Signals, locked_memory_kb: float | None = None) -> Iterator[Finding]:
        """Weighs the limit of locked memory against the limit of what the driver maps."""
        pinned = signals.of("host-pin-refused")
        registered = _registered(signals)
        if not pinned and not registered:
            return
        low = None if locked_memory_kb is None else locked_memory_kb != inf
        order = [
            _lock_limit(supported=(True if pinned else None) if low is None else low),
            _driver_limit(supported=True if low is False or not pinned else None),
        ]
        yield from weigh(
            self,
            order,
            observed=say("host memory could not be pinned for the device"),
            evidence=[one.evidence for one in (*pinned, *registered)],
            sources=(
                "https://github.com/LMCache/LMCache-Ascend/issues/5",
                "https://github.com/LMCache/LMCache-Ascend/issues/242",
            ),
        )


def _registered(signals: Signals) -> tuple[Signal, ...]:
    """Refused registrations; those that say "no such call" tell an old driver and are left to its check."""
    found = tuple(
        one for one in signals.of("host-memory-unregistered") if one.get("code") not in _NO_SUCH_CALL
    )
    unsupported = any(one.get("code") in _NO_SUCH_CALL for one in signals.of("host-register-failed"))
    return () if unsupported else found


def _lock_limit(*, supported: bool | None) -> Hypothesis:
    return Hypothesis(
        "memlock-limit",
        say("The limit of locked memory (ulimit -l) is too low"),
        supported=supported,
        because=say("the system refused to lock more memory"),
        ask=say("what does `ulimit -l` print in the container? anything but unlimited is too low"),
        fix=(
            Fix("ulimit -l", say("in the container: must be unlimited")),
            Fix("docker run --ulimit memlock=-1:-1 ...", say("for one container")),
            Fix(
                "systemctl edit containerd",
                say(
                    "add [Service] LimitMEMLOCK=infinity (docker.service likewise), then restart the service"
                ),
                needs_root=True,
                disruptive=True,
            ),
        ),
    )


def _driver_limit(*, supported: bool | None) -> Hypothesis:
    return Hypothesis(
        "host-pin-memory-limit",
        say("More host memory is pinned than the driver can map for a device"),
        supported=supported,
        because=say("the driver refused to register the memory"),
        ask=say("does a smaller cache work with the same limits (try 16 GB for each device)?"),
        fix=(
            Fix(
                "export LMCACHE_MAX_LOCAL_CPU_SIZE=16",
                say("or the host cache setting of your engine, then grow it"),
            ),
            Fix(note=say("spread the cache over more processes or devices; newer HDK releases map more")),
        ),
    )
