"""The Python packages of the toolkit's operator compiler cannot be imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.compiler import compiler_signals, own_packages_missing
from ascendenv.doctor.checks.cann.roots import is_sourced, roots_in
from ascendenv.doctor.finding import Fix
from ascendenv.doctor.fixes import source_cann
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals
    from ascendenv.versions import Version

__all__ = ["TbeNotImportable"]


class TbeNotImportable(Check):
    """The toolkit's own Python packages (tbe, te_fusion, ...) cannot be imported."""

    id = "CAN006"
    causes = ("cann-pythonpath-wrong", "cann-env-not-sourced")
    rank = 8

    def check(
        self,
        signals: Signals,
        environment: Mapping[str, str] | None = None,
        cann: Version | None = None,
    ) -> Iterator[Finding]:
        """PYTHONPATH was replaced, or nothing was sourced at all."""
        missing = own_packages_missing(signals)
        replaced = _replaced(signals, environment)
        if not missing:
            return
        sourced = is_sourced(environment)
        modules = dict.fromkeys(one.get("module") or one.get("imported") for one in missing)
        yield from weigh(
            self,
            (
                Hypothesis(
                    "cann-pythonpath-wrong",
                    say("PYTHONPATH lost the Python packages of the CANN toolkit"),
                    supported=True if replaced or compiler_signals(signals) or sourced else None,
                    because=say(
                        "The libraries of the toolkit are found, its Python packages are not: "
                        "something replaced PYTHONPATH instead of adding to it."
                    ),
                    ask=say("what does this print: echo $PYTHONPATH"),
                    fix=(_append(), source_cann(cann), _shadow()),
                    evidence=tuple(one.evidence for one in replaced),
                ),
                Hypothesis(
                    "cann-env-not-sourced",
                    say("set_env.sh of the CANN toolkit was not sourced before the compiler was needed"),
                    supported=None if sourced is None else not sourced,
                    because=say("set_env.sh adds python/site-packages of the toolkit to PYTHONPATH."),
                    ask=say("is ASCEND_HOME_PATH set: echo $ASCEND_HOME_PATH"),
                    fix=(source_cann(cann),),
                ),
            ),
            observed=say("not importable: {modules}", modules=", ".join(modules)),
            evidence=[one.evidence for one in (*missing, *compiler_signals(signals))],
            sources=["leideng/CANN-8.1.RC1: ascend-toolkit/set_env.sh"],
        )


def _replaced(signals: Signals, environment: Mapping[str, str] | None) -> tuple[Signal, ...]:
    """The lines that show a PYTHONPATH without any toolkit in it."""
    if environment and roots_in(environment.get("PYTHONPATH", "").split(":")):
        return ()
    return tuple(
        one
        for one in signals.of("pythonpath-replaced")
        if one.get("told") or not roots_in(one.get("value").split(":"))
    )


def _append() -> Fix:
    return Fix(
        "export PYTHONPATH=<your path>:$PYTHONPATH",
        say("add to the variable after set_env.sh was sourced; never replace it"),
    )


def _shadow() -> Fix:
    return Fix(
        "python -c 'import tbe; print(tbe.__file__)'",
        say("must print a path inside the toolkit; another package named tbe or te hides it"),
    )
