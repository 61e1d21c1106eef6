"""The toolkit has no usable platform data for this chip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.cann.repairs import install_same_cann
from ascendenv.doctor.finding import Fix
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.matrix.model import Matrix
    from ascendenv.signals.model import Signals

__all__ = ["PlatformInfoMissing"]


class PlatformInfoMissing(Check):
    """The toolkit in use has no readable platform data for this chip."""

    id = "CAN007"
    causes = ("soc-platform-config-missing",)
    rank = 8

    def check(self, signals: Signals, facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
        """The graph engine cannot initialise its platform data."""
        seen = signals.of("platform-info-missing")
        if not seen:
            return
        soc = next((one.get("soc") for one in seen if one.get("soc")), "") or known(facts.chip) or "<soc>"
        yield self.finding(
            title=say("The CANN toolkit has no platform data for this chip"),
            observed=say("platform data cannot be initialised for {soc}", soc=soc),
            expected=say("a file {soc}.ini below data/platform_config of the toolkit in use", soc=soc),
            why=say(
                "The toolkit is older than the chip, only a part of it is mounted or readable, "
                "or two toolkits are mixed; in a container also an incomplete driver mount."
            ),
            evidence=[one.evidence for one in (*seen, *signals.of("compiler-not-started"))],
            fix=[
                Fix(
                    f"find -L $ASCEND_HOME_PATH -path '*platform_config/{soc}.ini'",
                    say(
                        "must name one readable file; nothing means that this toolkit does not know the chip"
                    ),
                ),
                Fix(
                    "echo $LD_LIBRARY_PATH | tr ':' '\\n' | grep -i ascend", say("must name one toolkit only")
                ),
                *install_same_cann(matrix, facts),
            ],
            sources=["leideng/CANN-8.1.RC1: data/platform_config", "vllm-project/vllm-ascend#692"],
        )
