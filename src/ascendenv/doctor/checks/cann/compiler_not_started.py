"""The operator compiler of CANN does not start: the umbrella over several reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.compiler import compiler_signals
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals

__all__ = ["CompilerNotStarted"]


class CompilerNotStarted(Check):
    """The operator compiler of CANN does not start, whatever the reason (error 500001)."""

    id = "CAN008"
    causes = ("op-compiler-init-failed",)
    consequence_of = ("CAN005", "CAN006", "CAN007", "CAN011", "CAN014", "CAN015", "CAN016")
    rank = -2

    def check(self, signals: Signals) -> Iterator[Finding]:
        """The first operation on the device fails while the compiler is initialised."""
        clash = signals.of("tvm-clash")
        if clash:
            yield self.finding(
                title=say("Another TVM hides the one of CANN's operator compiler"),
                observed=say("function not registered: {function}", function=clash[0].get("function")),
                confidence=Confidence.LIKELY,
                why=say("A package that brings its own TVM, such as tilelang, was imported first."),
                evidence=[one.evidence for one in (*clash, *compiler_signals(signals))],
                fix=[
                    Fix(
                        "export ACL_OP_INIT_MODE=1",
                        say(
                            "before torch is imported: the compiler then starts only when an operator needs it"
                        ),
                    )
                ],
                rank=5,
            )
        elif seen := compiler_signals(signals):
            yield self.finding(
                title=say("The operator compiler of CANN does not start"),
                observed=say("the compiler options cannot be set; the reason stands further down in the log"),
                expected=say("GE and TBE of the toolkit start when the first tensor reaches the device"),
                why=say(
                    "Error 500001 has many reasons: Python packages, PYTHONPATH, numpy 2, platform data, "
                    "mixed toolkits, a driver that is too old, or a container without all device files."
                ),
                evidence=[one.evidence for one in seen],
                fix=_steps(),
                sources=["Ascend/pytorch: LazyInitAclops.cpp"],
            )


def _steps() -> tuple[Fix, ...]:
    return (
        Fix(
            "grep -rhE 'EC0010|E4[0-9]{4}|PlatformInfo|ModuleNotFoundError|AttributeError' ~/ascend/log/debug/plog | tail -20",
            say("the first of these lines names the reason; give it to the doctor as --log"),
        ),
        Fix("python -c 'import tbe, te_fusion'", say("in the same shell; an error here is the reason")),
        Fix("python -c 'import numpy, scipy; print(numpy.__version__, scipy.__version__)'"),
        Fix("npu-smi info", say("compare the driver version with the one that this CANN wants")),
    )
