"""A library of NNAL misses a symbol of NNAL itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.loader_lines import faults
from ascendenv.doctor.checks.nnal.abi import abi_in_use, fits_release, trees_in
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.fixes import install_nnal
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.facts.unknown import known
from ascendenv.language import say
from ascendenv.signals.symbol import read_symbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signal, Signals

__all__ = ["NnalLibraryIncomplete"]


class NnalLibraryIncomplete(Check):
    """A library of NNAL misses a symbol that NNAL itself, or the CANN below it, should have."""

    id = "ATB003"
    causes = ("nnal-libs-mixed", "nnal-version-mismatch", "nnal-cxx-abi-mismatch")
    rank = 8

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """libtbe_adapter.so and its siblings were loaded beside another copy of libmki.so or libatb.so."""
        asking = bool(faults(signals, "nnal-library-incomplete"))
        seen = [
            one
            for one in signals.of("undefined-symbol", "undefined-reference")
            if _concerns(one, asking=asking)
        ]
        if not seen:
            return
        providers = {read_symbol(one.get("symbol")).provider for one in seen}
        own = "nnal" in providers
        trees = trees_in(known(facts.environment) or {})
        steps = install_nnal(matrix, cann=known(facts.cann), arch=known(facts.arch))
        mixed = Hypothesis(
            "nnal-libs-mixed",
            say("Libraries of two NNAL (ATB) copies meet in one process"),
            supported=own or len(trees) > 1 or None,
            because=say(
                "The libraries of one NNAL release have each other's symbols; another copy was loaded first."
            ),
            ask=say(
                "is there one copy: echo $LD_LIBRARY_PATH | tr ':' '\\n' | grep -i atb; find / -name libmki.so 2>/dev/null"
            ),
            fix=(
                Fix(
                    "unset ATB_HOME_PATH LD_LIBRARY_PATH",
                    say("in a new shell; MindIE and ATB-Models bring copies of their own"),
                ),
                *steps,
            ),
        )
        release = Hypothesis(
            "nnal-version-mismatch",
            say("NNAL is of another release than CANN"),
            supported=True if not own or fits_release(facts, matrix) is False else None,
            because=say("Each NNAL is built for the CANN of the same release."),
            ask=say("are they one release: cat /usr/local/Ascend/nnal/atb/latest/version.info"),
            fix=steps,
        )
        abi = Hypothesis(
            "nnal-cxx-abi-mismatch",
            say("ATB libraries of both C++ string ABIs are on the path"),
            supported=True if len({number for _, number in trees}) > 1 else None,
            ask=say(
                "does every path name the same cxx_abi folder: echo $LD_LIBRARY_PATH | tr ':' '\\n' | grep cxx_abi"
            ),
            fix=(
                Fix(
                    f"source /usr/local/Ascend/nnal/atb/set_env.sh --cxx_abi={abi_in_use(facts, signals) or 1}",
                    say("in a new shell, once"),
                ),
            ),
        )
        yield from weigh(
            self,
            (mixed, release, abi) if own else (release, mixed, abi),
            observed=say(
                "missing inside NNAL: {names}",
                names=", ".join(dict.fromkeys(read_symbol(one.get("symbol")).qualified for one in seen)),
            ),
            evidence=[one.evidence for one in seen],
            sources=["Ascend/pytorch#99"],
        )


def _concerns(signal: Signal, *, asking: bool) -> bool:
    symbol = read_symbol(signal.get("symbol"))
    if asking:
        return symbol.provider in ("nnal", "cann")
    return symbol.namespace == "Mki"
