"""Ranks call collectives with different parameters, or run different releases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.hccl.clues import first_field, lines
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signal, Signals

SOURCES = ("hcomm error messages (EI0005, EI0008)", "HCCL user guide: parameter check")


class InconsistentRanks(Check):
    """The ranks do not agree on what they exchange, or on the CANN release."""

    id = "HCC010"
    causes = ("hccl-config-inconsistent",)
    rank = 6

    def check(self, signals: Signals) -> Iterator[Finding]:
        """HCCL compares the parameters and versions of both ends when it makes a link."""
        versions = (*signals.of("hccl-versions-differ"), *signals.codes("EI0008"))
        if versions:
            yield self._versions(versions)
        parameters = signals.of("hccl-parameters-differ")
        codes = signals.codes("EI0005")
        if parameters or codes:
            yield self._parameters(parameters, codes)

    def _versions(self, found: tuple[Signal, ...]) -> Finding:
        local, remote = first_field(found, "local"), first_field(found, "remote")
        return self.finding(
            confidence=Confidence.CERTAIN,
            title=say("The ranks run different CANN releases"),
            observed=say("here {local}, at the other end {remote}", local=local, remote=remote)
            if local and remote
            else say("HCCL says that the releases differ"),
            expected=say("one CANN release on all nodes and in all containers of a job"),
            evidence=lines(found),
            fix=(
                Fix(
                    "cat $ASCEND_HOME_PATH/*/ascend_toolkit_install.info",
                    say("on every node and in every container"),
                ),
                Fix(note=say("install or source the same release everywhere; use one image for all nodes")),
            ),
            sources=SOURCES,
        )

    def _parameters(self, found: tuple[Signal, ...], codes: tuple[Signal, ...]) -> Finding:
        field = first_field(found, "field")
        local, remote = first_field(found, "local"), first_field(found, "remote")
        return self.finding(
            confidence=Confidence.CERTAIN if found else Confidence.LIKELY,
            title=say("The ranks exchange different parameters"),
            observed=say(
                "{field}: here {local}, at the other end {remote}", field=field, local=local, remote=remote
            )
            if field and local and remote
            else say("both ends of a link do not call the same operator in the same way"),
            expected=say("every rank calls the same collectives, in the same order, with the same sizes"),
            why=say(
                "usually another script, batch or data on a rank, an other HCCL_ variable (HCCL_BUFFSIZE,"
                " HCCL_ALGO), or a rank that took another path in the model"
            ),
            evidence=lines((*found, *codes)),
            fix=(
                Fix("env | grep -E '^HCCL_' | sort | md5sum", say("on every node: the same sum?")),
                Fix(
                    "pip freeze | sort | md5sum; md5sum train.py",
                    say("the same packages and the same script?"),
                ),
                Fix(note=say("uneven data: drop the last incomplete batch on all ranks")),
            ),
            sources=SOURCES,
        )
