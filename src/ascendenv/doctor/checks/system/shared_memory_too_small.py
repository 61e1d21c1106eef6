"""The shared memory of the container is too small."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals


class SharedMemoryTooSmall(Check):
    """Shared memory (/dev/shm) is too small for the data loader or for processes that share tensors."""

    id = "SYS007"
    causes = ("shm-too-small",)
    rank = 3

    def check(self, signals: Signals, in_container: bool | None = None) -> Iterator[Finding]:
        """Words about shared memory, or a bus error of a worker."""
        told = signals.of("shared-memory-small")
        crashed = signals.of("shared-memory-exhausted")
        found = (*told, *crashed)
        if not found:
            return
        sure = bool(told) or any(
            "shared memory" in one.evidence.text or "torch_" in one.get("text") for one in crashed
        )
        yield self.finding(
            confidence=Confidence.LIKELY if sure or in_container else Confidence.POSSIBLE,
            title=say("The shared memory (/dev/shm) is too small"),
            observed=say("a process could not use shared memory"),
            expected=say("some GB in /dev/shm; a container has 64 MB unless told otherwise"),
            why=say(
                "data loader workers, HCCL and multi-process serving hand tensors over in /dev/shm; when it is"
                " full, writing to it ends a process with a bus error"
            ),
            evidence=(one.evidence for one in found),
            fix=(
                Fix("df -h /dev/shm", say("its size and use")),
                Fix("docker run --shm-size=64g ...", say("a new container; --ipc=host does it too")),
                Fix("mount -o remount,size=64G /dev/shm", say("a running machine"), needs_root=True),
                Fix(note=say("in Kubernetes: an emptyDir volume with medium Memory mounted at /dev/shm")),
            ),
            sources=("docker run reference: --shm-size", "PyTorch DataLoader notes"),
        )
