"""A binary needs a newer C library than the system has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.system.nodes import newest_node, nodes_missing, of_gpu_only_code
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import OsRelease
    from ascendenv.signals.model import Signals

SOURCES = ("glibc elf/dl-version.c", "vllm-ascend issue 1249", "Ascend/triton-ascend issue 1")


class GlibcTooOld(Check):
    """The C library of the system is older than a binary needs."""

    id = "SYS001"
    causes = ("glibc-too-old",)
    rank = 6

    def check(
        self, signals: Signals, libc: str | None = None, os: OsRelease | None = None
    ) -> Iterator[Finding]:
        """A `GLIBC_x` node that the loader did not find."""
        found = [one for one in nodes_missing(signals, "GLIBC_") if not of_gpu_only_code(one)]
        if not found:
            yield from self._wheels(signals, libc)
            return
        node = newest_node(found)
        asking = next((one.get("needed_by") for one in found if one.get("needed_by")), "")
        yield self.finding(
            severity=Severity.ERROR,
            confidence=Confidence.CERTAIN,
            title=say("The C library (glibc) of this system is too old"),
            observed=say("{file} needs {node}", file=asking, node=node)
            if asking
            else say("{node} is needed", node=node),
            expected=say(
                "glibc {version} or newer; seen here: {libc}, {os}",
                version=node.removeprefix("GLIBC_"),
                libc=libc or say("not told"),
                os=os.text if os else say("not told"),
            ),
            why=say(
                "glibc comes with the operating system and cannot be exchanged alone; prebuilt binaries run only"
                " where it is at least as new as on the machine that built them"
            ),
            evidence=(one.evidence for one in found),
            fix=_steps(),
            sources=SOURCES,
        )

    def _wheels(self, signals: Signals, libc: str | None) -> Iterator[Finding]:
        """A wheel whose platform tag asks for a newer glibc: pip then calls it not supported."""
        refused = [one for one in signals.of("pip-no-wheel") if libc and _older(libc, one.get("wheel"))]
        if refused:
            yield self.finding(
                confidence=Confidence.CERTAIN,
                title=say("The C library (glibc) of this system is too old"),
                observed=say("{file} is not for glibc {libc}", file=refused[0].get("wheel"), libc=libc),
                expected=say("a system whose glibc is at least the one in the wheel's name"),
                evidence=(one.evidence for one in refused),
                fix=_steps(),
                sources=("PEP 600: manylinux tags",),
            )


def _older(libc: str, wheel: str) -> bool:
    tag = re.search(r"manylinux_(\d+)_(\d+)", wheel)
    here = re.match(r"(\d+)\.(\d+)", libc)
    if tag is None or here is None:
        return False
    return tuple(map(int, here.groups())) < tuple(map(int, tag.groups()))


def _steps() -> tuple[Fix, ...]:
    return (
        Fix("ldd --version | head -1", say("shows the glibc that is here")),
        Fix(
            note=say(
                "run the job in a container whose base system is newer (Ubuntu 22.04 or openEuler 22.03 and later);"
                " the driver on the host stays as it is"
            )
        ),
        Fix(
            note=say(
                "or build the package that asks from source on this system; never copy a libc.so.6 over the system's"
            )
        ),
    )
