"""The operator compiler cannot write its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signal

__all__ = ["CompileFolderNotWritable"]

_COMPILER = ("compiler-not-started", "operator-compile-failed", "compile-folder-not-writable")


class CompileFolderNotWritable(Check):
    """The operator compiler cannot write kernel_meta or its cache."""

    id = "CAN016"
    causes = ("workdir-not-writable",)
    rank = 9

    def check(self, facts: HostFacts) -> Iterator[Finding]:
        """Writing into the current folder or the cache folder is refused, or would be."""
        signals = known(facts.signals)
        seen = signals.of("compile-folder-not-writable") if signals is not None else ()
        refused = known(facts.working_folder_writable) is False
        if signals is not None and signals.first(*_COMPILER):
            yield from self._full(signals.of("disk-full"))
        if not seen and not refused:
            return
        places = dict.fromkeys(_place(one) for one in seen) or {"$PWD": None}
        yield self.finding(
            title=say("The operator compiler cannot write into the folder where the job was started"),
            observed=say("not writable: {paths}", paths=", ".join(places)),
            expected=say("the current folder, or the one that ASCEND_WORK_PATH names, is writable"),
            severity=Severity.ERROR if seen else Severity.WARNING,
            confidence=Confidence.CERTAIN,
            why=say("kernel_meta is made in the current folder; services often start in /."),
            evidence=[*(one.evidence for one in seen), *facts.seen("working_folder_writable")],
            fix=[
                Fix("cd /tmp && <start the job>", say("any folder that this user can write")),
                Fix(
                    "export ASCEND_WORK_PATH=/tmp/ascend_work && mkdir -p $ASCEND_WORK_PATH",
                    say("where the start folder cannot be changed"),
                ),
            ],
            sources=["vllm-project/vllm-ascend#433"],
        )

    def _full(self, seen: tuple[Signal, ...]) -> Iterator[Finding]:
        """The compiler's own words beside a full disk: what it could not write is why it did not start."""
        if not seen:
            return
        yield self.finding(
            title=say("The operator compiler cannot write: the disk is full"),
            observed=say("writing failed for lack of space"),
            expected=say("space in the folder of the job, in /tmp, in /dev/shm and for ~/atc_data"),
            confidence=Confidence.CERTAIN,
            evidence=[one.evidence for one in seen],
            fix=[
                Fix("df -h . ~ /tmp /dev/shm; df -i .", say("which file system, space or inodes")),
                Fix("docker run --shm-size=16g ...", say("where /dev/shm of a container is full")),
            ],
            sources=["Linux: ENOSPC"],
        )


def _place(signal: Signal) -> str:
    return signal.get("path") or signal.get("other") or signal.get("option") or signal.get("code")
