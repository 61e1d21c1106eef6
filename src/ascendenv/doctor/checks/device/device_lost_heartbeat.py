"""The device stopped answering."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.doctor.fixes import reboot
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.signals.model import Signals

__all__ = ["DeviceLostHeartbeat"]

_CODES = ("507010", "E39009", "E30005")
_BUS = ("pcie-device-lost", "pcie-bus-error")


class DeviceLostHeartbeat(Check):
    """The device stopped answering: lost heartbeat, 507010."""

    id = "DEV017"
    causes = ("device-lost-heartbeat",)
    consequence_of = ("DEV019",)
    rank = 7

    def check(self, signals: Signals) -> Iterator[Finding]:
        """Fires on a heartbeat that was lost and on a device that cannot be connected any more."""
        lost = (*signals.of("heartbeat-lost"), *signals.codes(*_CODES), *signals.of("npu-status-lost"))
        if not lost:
            return
        device = next((one.get("device") for one in lost if one.get("device")), "")
        yield self.finding(
            title=say("The device stopped answering (lost heartbeat)"),
            observed=say("device {device} lost its heartbeat", device=device)
            if device
            else say("a device lost its heartbeat or cannot be connected any more"),
            expected=say("a card that answers npu-smi, Health OK"),
            why=say(
                "the task scheduler or the channel to the card hangs; what fails afterwards (EL0001) is a consequence"
            ),
            confidence=Confidence.LIKELY,
            evidence=[one.evidence for one in (*lost, *signals.of(*_BUS), *signals.codes("EL0001"))],
            fix=(
                Fix("npu-smi info", say("does the card still answer, and what does Health say?")),
                Fix(f"npu-smi info -t health -i {device or 0}", say("the fault code of the card")),
                Fix("dmesg | grep -iE 'ascend|davinci|pcie' | tail -50", say("PCIe faults, resets, power")),
                Fix(
                    f"npu-smi set -t reset -i {device or 0} -c 0",
                    say("resets the idle card; if it stays silent, reboot or power-cycle"),
                    needs_root=True,
                    disruptive=True,
                ),
                reboot(),
                Fix(
                    note=say(
                        "if it happens again on the same card, upgrade driver and firmware, then replace the card"
                    )
                ),
            ),
            sources=("rt_error_codes.h: 507010", "https://github.com/vllm-project/vllm-ascend/issues/11171"),
        )
