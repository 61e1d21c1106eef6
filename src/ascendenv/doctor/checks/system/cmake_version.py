"""CMake is newer than the project's files allow, or older than they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals


class CmakeVersion(Check):
    """CMake is too new for a project written for CMake 2 or 3, or too old for it."""

    id = "SYS006"
    causes = ("cmake-too-new", "cmake-too-old")
    rank = 4

    def check(self, signals: Signals) -> Iterator[Finding]:
        """CMake's own words about the version."""
        if found := signals.of("cmake-compatibility-removed"):
            yield self.finding(
                confidence=Confidence.CERTAIN,
                title=say("CMake 4 refuses this project: it is written for CMake 3"),
                observed=say("CMake dropped the compatibility that the project's files ask for"),
                expected=say("CMake 3.x, for example 3.31"),
                why=say(
                    "CMake 4 no longer accepts cmake_minimum_required below 3.5, which many third-party"
                    " sources below torch_npu and its extensions still have"
                ),
                evidence=(one.evidence for one in found),
                fix=(
                    Fix(
                        "pip install 'cmake>=3.18,<4'", say("the cmake of this environment then comes first")
                    ),
                    Fix(
                        "export CMAKE_POLICY_VERSION_MINIMUM=3.5",
                        say("or let CMake 4 accept the old files"),
                    ),
                ),
                sources=("CMake 4.0 release notes",),
            )
        for one in signals.of("cmake-too-old"):
            yield self.finding(
                cause="cmake-too-old",
                confidence=Confidence.CERTAIN,
                title=say("CMake is too old for this project"),
                observed=say("CMake {version} runs", version=one.get("version") or say("not told")),
                expected=say("CMake {version} or newer", version=one.get("needed")),
                evidence=(one.evidence,),
                fix=(Fix(f"pip install 'cmake>={one.get('needed')},<4'"), Fix("hash -r; cmake --version")),
                sources=("CMake: cmake_minimum_required",),
            )
