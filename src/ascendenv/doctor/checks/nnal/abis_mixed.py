"""ATB of the C++ string ABI that torch does not have is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.nnal.abi import abi_in_use, trees_in
from ascendenv.doctor.finding import Confidence, Fix, Severity
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.evidence import Evidence
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.signals.model import Signals

__all__ = ["AbisMixed"]

_TRUE = ("1", "true")


class AbisMixed(Check):
    """ATB libraries of the C++ string ABI that torch does not have are used."""

    id = "ATB004"
    causes = ("nnal-cxx-abi-mismatch",)
    rank = 8

    def check(
        self, signals: Signals, facts: HostFacts, environment: Mapping[str, str] | None = None
    ) -> Iterator[Finding]:
        """A library is absent from the folder of one ABI, both are on the path, or torch tells another ABI."""
        for one in signals.of("nnal-abi-folder-missing"):
            if one.get("library") != "libatb.so":
                seen = say(
                    "{library} is not in cxx_abi_{abi}", library=one.get("library"), abi=one.get("abi")
                )
                yield self._mixed(seen, [one.evidence], error=True)
        if len({number for _, number in trees_in(environment or {})}) > 1:
            yield self._mixed(
                say("cxx_abi_0 and cxx_abi_1 are on the path together"), facts.seen("environment")
            )
        loaded = abi_in_use(facts, signals)
        for one in signals.of("string-abi-named"):
            told = one.get("abi").lower() in _TRUE
            if loaded is not None and told != bool(loaded):
                seen = say("torch has the ABI {torch}, ATB is cxx_abi_{atb}", torch=int(told), atb=loaded)
                yield self._mixed(seen, [one.evidence])

    def _mixed(self, observed: Message, evidence: Iterable[Evidence], *, error: bool = False) -> Finding:
        return self.finding(
            title=say("ATB libraries of the wrong C++ string ABI are used"),
            observed=observed,
            expected=say("one cxx_abi folder, the one that torch was built for"),
            severity=Severity.ERROR if error else Severity.WARNING,
            confidence=Confidence.LIKELY if error else Confidence.POSSIBLE,
            why=say(
                "set_env.sh of ATB asks torch for its ABI; sourced before torch is there, it takes cxx_abi_1."
            ),
            evidence=evidence,
            fix=[
                Fix(
                    "python3 -c 'import torch; print(torch._C._GLIBCXX_USE_CXX11_ABI)'",
                    say("True means 1, False means 0"),
                ),
                Fix(
                    "source /usr/local/Ascend/nnal/atb/set_env.sh --cxx_abi=<0 or 1>",
                    say("in a new shell; build everything that links ATB with the same ABI"),
                ),
            ],
            sources=["Ascend/ascend-transformer-boost: scripts/set_env.sh"],
        )
