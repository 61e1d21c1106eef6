"""The compiler is too old for the C++ standard of the sources, or there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals

_SEEN = ("header-missing", "standard-unknown", "std-name-missing", "compiler-refused")


class CompilerTooOld(Check):
    """The compiler does not know the C++ standard that the sources need."""

    id = "SYS005"
    causes = ("compiler-too-old",)
    rank = 4

    def check(self, signals: Signals) -> Iterator[Finding]:
        """A header, a name or an option of a newer C++ standard that the compiler refused."""
        found = signals.of(*_SEEN)
        if not found:
            yield from self._absent(signals)
            return
        first = found[0]
        what = first.get("header") or first.get("name") or first.get("needed")
        yield self.finding(
            confidence=Confidence.CERTAIN
            if len(found) > 1 or first.id != "compiler-refused"
            else Confidence.LIKELY,
            title=say("The compiler is too old for this source"),
            observed=say("the compiler does not know {what}", what=what)
            if what
            else say("the compiler refuses the C++ standard that is asked for"),
            expected=say("GCC 8 or newer for C++17; GCC 11.2 for current torch_npu and vllm-ascend"),
            why=say(
                "torch headers and CANN's host code are C++17; std::filesystem and its kin came with GCC 8,"
                " and systems such as CentOS 7 and EulerOS 2.8 bring GCC 4.8 or 7.3"
            ),
            evidence=(one.evidence for one in found),
            fix=_STEPS,
            sources=("Ascend/pytorch installation FAQ: filesystem", "PyTorch CMake files"),
        )

    def _absent(self, signals: Signals) -> Iterator[Finding]:
        """A build that found no compiler at all: the same packages mend it."""
        absent = signals.of("compiler-absent")
        if absent:
            yield self.finding(
                confidence=Confidence.LIKELY,
                title=say("There is no working C++ compiler"),
                observed=say("the build looked for a compiler and found none that works"),
                expected=say("GCC 8 or newer for C++17; GCC 11.2 for current torch_npu and vllm-ascend"),
                why=say(
                    "Slim images and conda environments bring no compiler, and nothing asks pip for one."
                ),
                evidence=(one.evidence for one in absent),
                fix=_STEPS,
                sources=("vllm-project/vllm-ascend#439",),
            )


_STEPS = (
    Fix("gcc --version; g++ --version; which -a gcc g++", say("which compiler is first on the path")),
    Fix(
        "yum install -y gcc-toolset-11 && source /opt/rh/gcc-toolset-11/enable",
        say("RHEL-like"),
        needs_root=True,
    ),
    Fix("apt-get install -y gcc-11 g++-11", say("Debian-like"), needs_root=True),
    Fix("export CC=gcc-11 CXX=g++-11", say("then delete the build folder and build again")),
)
