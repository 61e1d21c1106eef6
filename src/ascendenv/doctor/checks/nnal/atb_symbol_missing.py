"""torch_npu asks ATB for something that the loaded NNAL does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.loader_lines import faults
from ascendenv.doctor.checks.nnal.abi import abi_in_use, fits_release
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.fixes import install_nnal
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.facts.unknown import known
from ascendenv.language import say
from ascendenv.signals.symbol import read_symbol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals
    from ascendenv.signals.symbol import Symbol

__all__ = ["AtbSymbolMissing"]


class AtbSymbolMissing(Check):
    """torch_npu or a program asks ATB for something that the loaded NNAL does not have."""

    id = "ATB002"
    causes = ("nnal-version-mismatch", "nnal-cxx-abi-mismatch", "torch-npu-cann-mismatch")
    consequence_of = ("ATB003", "ATB004")
    rank = 7

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """The symbol belongs to ATB and the library that asks does not."""
        if faults(signals, "nnal-library-incomplete"):
            return
        found = [
            (one, read_symbol(one.get("symbol")))
            for one in signals.of("undefined-symbol", "undefined-reference")
        ]
        seen = [
            (one, symbol) for one, symbol in found if symbol.provider == "nnal" and symbol.namespace != "Mki"
        ]
        if not seen:
            return
        symbols = [symbol for _, symbol in seen]
        other_abi = _other_abi(symbols, abi_in_use(facts, signals))
        steps = install_nnal(matrix, cann=known(facts.cann), arch=known(facts.arch))
        hypotheses = [
            Hypothesis(
                "nnal-version-mismatch",
                say("NNAL (ATB) is of another release than the one torch_npu was built with"),
                supported=True if fits_release(facts, matrix) is False or other_abi is not True else None,
                because=say("Operators and parameters of ATB are added with each release."),
                ask=say("which release is it: cat /usr/local/Ascend/nnal/atb/latest/version.info"),
                fix=steps,
            ),
            Hypothesis(
                "torch-npu-cann-mismatch",
                say("torch_npu is of another release than CANN and NNAL"),
                ask=say("are they one row: ascendenv matrix check --cann <version> --torch-npu <version>"),
                fix=steps,
            ),
        ]
        abi = Hypothesis(
            "nnal-cxx-abi-mismatch",
            say("The ATB of the other C++ string ABI is loaded"),
            supported=other_abi,
            because=say(
                "The missing name holds a string in the form of the ABI that the loaded tree was not built with."
            ),
            ask=say(
                "what does torch want: python3 -c 'import torch; print(torch._C._GLIBCXX_USE_CXX11_ABI)'"
            ),
            fix=(_source_abi(symbols),),
        )
        hypotheses.insert(0 if other_abi else 1, abi)
        yield from weigh(
            self,
            hypotheses,
            observed=say(
                "ATB functions that are missing: {names}",
                names=", ".join(dict.fromkeys(one.qualified for one in symbols)),
            ),
            evidence=[one.evidence for one, _ in seen],
            sources=["vllm-project/vllm-ascend#117", "Ascend/ascend-transformer-boost: scripts/set_env.sh"],
        )


def _other_abi(symbols: Sequence[Symbol], loaded: int | None) -> bool | None:
    """Whether the symbols want the string ABI that the loaded tree is not; None where none of them holds a string."""
    wanted = {one.string_abi for one in symbols if one.string_abi is not None}
    if not wanted:
        return None
    if loaded is None:
        return True if "old" in wanted else None
    return wanted != {"new" if loaded == 1 else "old"}


def _source_abi(symbols: Sequence[Symbol]) -> Fix:
    number = 0 if any(one.string_abi == "old" for one in symbols) else 1
    return Fix(
        f"source /usr/local/Ascend/nnal/atb/set_env.sh --cxx_abi={number}",
        say(
            "0 for torch wheels with the old string ABI, 1 for the others; without the option torch is asked"
        ),
    )
