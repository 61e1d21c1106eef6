"""The ATB library of NNAL is not found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.loader_lines import faults
from ascendenv.doctor.fixes import install_nnal
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals
    from ascendenv.versions import Version

__all__ = ["AtbNotFound"]


class AtbNotFound(Check):
    """The ATB library of NNAL is not installed or not on the path."""

    id = "ATB001"
    causes = ("nnal-missing", "nnal-version-mismatch", "nnal-cxx-abi-mismatch")
    consequence_of = ("CAN001", "CAN004", "ATB002", "ATB003")
    rank = 6

    def check(
        self,
        signals: Signals,
        matrix: Matrix,
        cann: Version | None = None,
        arch: str | None = None,
    ) -> Iterator[Finding]:
        """A library of NNAL cannot be opened, or torch_npu's ATB plugin does not load for an unnamed reason."""
        absent = faults(signals, "nnal-library-missing", "nnal-package-not-found")
        plugin = signals.of("atb-plugin-not-loaded")
        if not absent and not plugin:
            return
        names = dict.fromkeys(one.get("library") or one.get("what") for one in (absent or plugin))
        steps = install_nnal(matrix, cann=cann, arch=arch)
        hypotheses = (
            Hypothesis(
                "nnal-missing",
                say("NNAL (ATB) is not installed, or its set_env.sh was not sourced"),
                supported=True if absent else None,
                because=say("The toolkit does not contain ATB: it is a package and a set_env.sh of its own."),
                ask=say(
                    "is it there and found: ls /usr/local/Ascend/nnal/atb/latest/atb; echo $ATB_HOME_PATH"
                ),
                fix=steps,
            ),
            Hypothesis(
                "nnal-version-mismatch",
                say("NNAL is of another release than torch_npu and CANN"),
                supported=False if absent else None,
                ask=say("which release is it: cat /usr/local/Ascend/nnal/atb/latest/version.info"),
                fix=steps,
            ),
            Hypothesis(
                "nnal-cxx-abi-mismatch",
                say("The ATB of the other C++ string ABI is on the path"),
                supported=False if absent else None,
                ask=say(
                    "does ATB_HOME_PATH end in the ABI that python3 -c 'import torch; print(torch._C._GLIBCXX_USE_CXX11_ABI)' tells"
                ),
                fix=steps,
            ),
        )
        yield from weigh(
            self,
            hypotheses,
            observed=say("not loaded: {names}", names=", ".join(names)),
            evidence=[one.evidence for one in (*absent, *plugin, *signals.of("library-load-aborted"))],
            sources=["Ascend/pytorch: torch_npu/op_plugin/atb/_atb_ops.py", "vllm-project/vllm-ascend#152"],
        )
