"""A limit of the host was reached: files, threads or disk space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals


class LimitsExhausted(Check):
    """The limit of open files, of threads, or the disk is used up."""

    id = "SYS009"
    causes = ("open-files-limit", "process-limit", "disk-full")
    consequence_of = ("SYS007",)

    def check(self, signals: Signals) -> Iterator[Finding]:
        """The kernel's words for each limit."""
        if found := signals.of("open-files-exhausted"):
            yield self.finding(
                confidence=Confidence.CERTAIN,
                title=say("A process has too many open files"),
                observed=say("the kernel refused another file or socket"),
                expected=say("a limit of 65535 or more; HCCL opens sockets to every peer"),
                evidence=(one.evidence for one in found),
                fix=(
                    Fix(
                        "ulimit -n 65535",
                        say("this shell; for a container: docker run --ulimit nofile=65535:65535"),
                    ),
                    Fix(
                        "echo '* - nofile 65535' >> /etc/security/limits.conf",
                        say("for good"),
                        needs_root=True,
                    ),
                ),
                sources=("HCCL Test FAQ: errno 24 in large clusters",),
            )
        if found := signals.of("threads-exhausted"):
            yield self.finding(
                cause="process-limit",
                confidence=Confidence.LIKELY,
                title=say("No further thread or process may be started"),
                observed=say("the kernel refused a thread"),
                expected=say("room below the limits for processes of the user and of the container"),
                evidence=(one.evidence for one in found),
                fix=(
                    Fix("ulimit -u; cat /sys/fs/cgroup/pids.max", say("the limits")),
                    Fix(
                        "export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1",
                        say("fewer threads in each process"),
                    ),
                    Fix("docker run --pids-limit=-1 ...", say("a container without the limit")),
                ),
                sources=("Linux: RLIMIT_NPROC, pids cgroup",),
            )
        if found := signals.of("disk-full"):
            yield self.finding(
                cause="disk-full",
                confidence=Confidence.CERTAIN,
                title=say("The disk is full"),
                observed=say("writing failed for lack of space"),
                expected=say("space for logs (~/ascend/log), kernel caches (~/atc_data) and checkpoints"),
                evidence=(one.evidence for one in found),
                fix=(
                    Fix("df -h . ~ /tmp /dev/shm; df -i .", say("which file system, space or inodes")),
                    Fix(
                        "du -xsh ~/ascend/log ~/atc_data ~/.cache 2>/dev/null",
                        say("what CANN keeps in the home"),
                    ),
                ),
                sources=("Linux: ENOSPC",),
            )
