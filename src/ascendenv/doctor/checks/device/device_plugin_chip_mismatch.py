"""The Kubernetes device plugin was set up for another product than the card in the node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.signals.model import Signals

__all__ = ["DevicePluginChipMismatch"]

_SEND_FAILED = "-8010"


class DevicePluginChipMismatch(Check):
    """The device plugin cannot read the health of the chip: it is set up for another product."""

    id = "DEV013"
    causes = ("device-plugin-chip-mismatch",)
    rank = 5

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Fires on -8010 while a health is read, and on a plugin that does not know the chip."""
        health = signals.of("device-plugin-health-failed")
        unknown = signals.of("device-plugin-chip-unknown")
        sending = signals.codes(_SEND_FAILED)
        scheduling = signals.of("node-label-refused", "npu-resource-insufficient")
        if not (health or unknown or sending or scheduling):
            return
        named = next((one.get("chip") for one in unknown if one.get("chip")), "") or known(facts.chip) or ""
        yield self.finding(
            title=say("The device plugin is set up for another product than this card"),
            observed=say("the plugin has no configuration for chip {chip}", chip=named)
            if unknown and named
            else say("the plugin cannot read the health of the chip (-8010)")
            if health or sending
            else say("the plugin does not recognise the chip")
            if unknown
            else say("no node offers the resource or the label that the pod asks for"),
            expected=say("the manifest and the device type of the product that `npu-smi info` names"),
            why=say("DCMI answers -8010 when a call of another product family is sent to the chip"),
            confidence=Confidence.LIKELY if health or unknown else Confidence.POSSIBLE,
            evidence=[one.evidence for one in (*health, *unknown, *sending, *scheduling)],
            fix=(
                Fix("npu-smi info -m", say("on the node: the chip's exact name")),
                Fix(
                    "kubectl get node -o yaml | grep -E 'accelerator|huawei.com/'",
                    say("labels and resources in use"),
                ),
                Fix(
                    "kubectl -n kube-system get configmap hami-scheduler-device -o yaml",
                    say("HAMi: the list of chips must hold this one; newer plugins know newer chips"),
                ),
                Fix(
                    "npu-smi info",
                    say("-8010 on every tool: the chip itself does not answer, look at its health"),
                ),
            ),
            sources=(
                "https://github.com/Project-HAMi/ascend-device-plugin/issues/9",
                "mind-cluster: ascend-common/devmanager",
            ),
        )
