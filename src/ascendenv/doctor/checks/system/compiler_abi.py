"""A compiled package was built with another GCC or pybind11 than the torch it meets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal, Signals

_TOLD = ("compiler-abi-warning", "pybind-abi", "pybind-type-registered")


class CompilerAbi(Check):
    """A compiled package was built with another GCC or pybind11 ABI."""

    id = "SYS004"
    causes = ("gcc-abi-mismatch",)
    consequence_of = ("SYS001", "SYS002", "SYS005", "CAN022", "TOR001")

    def check(self, signals: Signals) -> Iterator[Finding]:
        """Words about the ABI of a compiler or of pybind11; or a crash at import with nothing else to explain it."""
        told = signals.of(*_TOLD)
        crashes = signals.of("segfault")
        built = signals.of("built-with-gcc", "built-from-source")
        symbols = [one for one in signals.of("undefined-symbol") if "pybind11" in one.get("symbol")]
        if told or symbols:
            sure = signals.first("pybind-abi") is not None or bool(symbols or crashes)
            yield self._finding(
                (*told, *symbols, *crashes),
                Confidence.LIKELY if sure else Confidence.POSSIBLE,
                say("the compiler or pybind11 of the build does not fit"),
            )
        elif crashes and built:
            yield self._finding(
                (*crashes, *built), Confidence.LIKELY, say("a package that was compiled here crashes")
            )
        elif crashes:
            yield self._finding(
                crashes,
                Confidence.POSSIBLE,
                say("the process crashed, and no message says why"),
                Severity.WARNING,
            )

    def _finding(
        self,
        found: tuple[Signal, ...],
        confidence: Confidence,
        observed: Message,
        severity: Severity = Severity.ERROR,
    ) -> Finding:
        return self.finding(
            severity=severity,
            confidence=confidence,
            title=say("A compiled package was built with another GCC than the torch it meets"),
            observed=observed,
            expected=say(
                "everything that is compiled against torch built with the GCC that its release names"
            ),
            why=say(
                "C++ objects are passed between libraries as they lie in memory; another GCC or pybind11 lays them"
                " out differently, and the process crashes or refuses the module"
            ),
            evidence=(one.evidence for one in found),
            fix=_STEPS,
            sources=("torch.utils.cpp_extension", "Ascend/pytorch installation guide: GCC version"),
        )


_STEPS = (
    Fix(
        "python -X faulthandler -c 'import torch, torch_npu'",
        say("shows the library in which a crash happens"),
    ),
    Fix(
        "strings -a $(python -c \"import torch; print(torch._C.__file__)\") | grep -m1 'GCC: ('",
        say("shows the GCC of torch"),
    ),
    Fix(
        note=say(
            "build the package again with that GCC (11.2 for current torch_npu), with the pybind11 of this"
            " environment, after deleting its build folder"
        )
    ),
)
