"""A container was started without the driver's library folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.explanations import MOUNT_FILES
from ascendenv.doctor.checks.device.surroundings import surroundings
from ascendenv.doctor.checks.device.symptoms import missing_driver_libraries, symptoms
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.doctor.observed import has_driver_modules
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signals

__all__ = ["DriverNotMounted"]


class DriverNotMounted(Check):
    """The container's command line mounts files, but not the driver's lib64."""

    id = "DEV009"
    causes = ("driver-not-mounted",)
    rank = 8

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Fires on a command line without the driver, the surer with a library of the driver that was not found."""
        place = surroundings(facts)
        libraries = missing_driver_libraries(signals)
        folder = signals.of("driver-folder-missing")
        without = place.lacks_driver and bool(place.passed or libraries or folder)
        absent = _is_absent(facts)
        if not without and not absent and not (place.in_container and folder):
            return
        yield self.finding(
            title=say("The driver's libraries are not mounted into the container"),
            observed=say("/usr/local/Ascend/driver is not among the mounts")
            if without
            else say("libascend_hal.so of the driver is not in the container")
            if absent
            else say("/usr/local/Ascend/driver does not exist in the container"),
            expected=say("/usr/local/Ascend/driver/lib64 and driver/version.info of the host"),
            why=say("images carry CANN but no driver: libascend_hal.so must come from the host it runs on"),
            confidence=Confidence.CERTAIN if (without or absent) and libraries else Confidence.LIKELY,
            severity=Severity.ERROR if symptoms(signals) or folder else Severity.WARNING,
            evidence=(
                *(one.evidence for one in (*libraries, *folder)),
                *place.evidence,
                *facts.seen("driver_library", "mounts"),
            ),
            fix=(
                Fix(MOUNT_FILES, say("add the driver's mounts to the command line")),
                Fix(
                    "docker run --runtime=ascend -e ASCEND_VISIBLE_DEVICES=0 ...",
                    say("or let the Ascend container runtime pass nodes and driver"),
                ),
                Fix(
                    "export TORCH_DEVICE_BACKEND_AUTOLOAD=0",
                    say("where no NPU is wanted: keeps torch from loading torch_npu"),
                ),
            ),
            sources=(
                "vllm-ascend: docs/source/installation.md",
                "https://github.com/huggingface/accelerate/pull/3764",
            ),
        )


def _is_absent(facts: HostFacts) -> bool:
    """Whether a look into a container on a machine with a driver found no library of it."""
    return bool(facts.in_container) and facts.driver_library is False and has_driver_modules(facts)
