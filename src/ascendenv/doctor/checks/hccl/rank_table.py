"""The rank table is missing, unreadable or describes another cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.hccl.clues import first_field, lines
from ascendenv.doctor.finding import Confidence, Fix
from ascendenv.doctor.hypothesis import Hypothesis, weigh
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.finding import Finding
    from ascendenv.language import Message
    from ascendenv.signals.model import Signals

_FILE = ("ranktable-unreadable", "ranktable-env-missing")
_CONTENT = ("ranktable-invalid", "ranktable-field-invalid", "ranktable-check-failed")
SOURCES = ("HCCL user guide: rank table loading (EI0004)", "HCCL user guide: cluster configuration")


class RankTable(Check):
    """The rank table cannot be read, misses fields, or does not describe these machines."""

    id = "HCC003"
    causes = ("hccl-ranktable-invalid", "duplicate-device-ranks", "container-mounts-incomplete")
    consequence_of = ("HCC004", "HCC012")
    rank = 5

    def check(
        self, signals: Signals, chip: str | None = None, in_container: bool | None = None
    ) -> Iterator[Finding]:
        """HCCL's words about the file or a field; or a bare EI0014 that has more than one reason."""
        found = signals.of(*_FILE, *_CONTENT)
        codes = signals.codes("EI0004", "EI0017")
        if found or codes:
            yield self._told(signals)
        elif (bare := signals.codes("EI0014")) and not signals.of("duplicate-device", "device-ip-mismatch"):
            yield from weigh(
                self,
                _explanations(chip, in_container, topology=bool(signals.of("topology-file-missing"))),
                observed=say("EI0014: HCCL checked the cluster information and refused it"),
                evidence=lines(bare),
                sources=SOURCES,
            )

    def _told(self, signals: Signals) -> Finding:
        found = (*signals.of(*_FILE), *signals.of(*_CONTENT))
        codes = signals.codes("EI0004", "EI0017", "EI0014")
        field = first_field(found, "field")
        return self.finding(
            confidence=Confidence.CERTAIN if found else Confidence.LIKELY,
            title=_title(bool(signals.of(*_FILE)), field),
            observed=_observed(signals, field),
            expected=say("one table for the whole job, in the version of this chip, equal on all nodes"),
            why=say(
                "the table lists servers, devices, their addresses and ranks; version 1.2 (A3) also needs"
                " super_pod_id and super_device_id, version 2.0 (950) has another form"
            ),
            evidence=lines((*found, *codes)),
            fix=_STEPS,
            sources=SOURCES,
        )


def _title(file: bool, field: str) -> Message:
    if field:
        return say("The rank table has a wrong or empty field: {field}", field=field)
    return say("The rank table cannot be read") if file else say("The rank table does not fit this cluster")


def _observed(signals: Signals, field: str) -> Message:
    if path := first_field(signals.of("ranktable-unreadable"), "path"):
        return say("{path} is no readable file", path=path)
    if variable := first_field(signals.of("ranktable-env-missing"), "variable"):
        return say("{variable} names no usable file", variable=variable)
    if reason := first_field(signals.of(*_CONTENT), "reason", "expected"):
        return say("{reason}", reason=reason.strip().rstrip("."))
    return say("{field} is empty or wrong", field=field) if field else say("HCCL refused the rank table")


def _explanations(chip: str | None, in_container: bool | None, *, topology: bool) -> tuple[Hypothesis, ...]:
    is_950 = chip is not None and "950" in chip
    mounts: bool | None = topology or (is_950 and bool(in_container)) or (None if chip is None else False)
    return (
        Hypothesis(
            "hccl-ranktable-invalid",
            say("The rank table does not fit this cluster"),
            ask=say("does the job use a rank table (RANK_TABLE_FILE), and does it list exactly these cards?"),
            fix=_STEPS,
        ),
        Hypothesis(
            "duplicate-device-ranks",
            say("Two ranks use the same device"),
            ask=say("does every rank set its own device, and is every super_device_id unique?"),
            fix=(Fix("npu-smi info -t spod-info -i 0 -c 0", say("shows the SDID of a chip (A3)")),),
        ),
        Hypothesis(
            "container-mounts-incomplete",
            say("The container lacks the topology files of the driver"),
            supported=mounts or None if mounts is not False else False,
            because=say("on a 950, HCCL reads driver/topo; a container needs the whole driver directory"),
            ask=say("on a 950: is /usr/local/Ascend/driver/topo there in the container?"),
            fix=(Fix("docker run -v /usr/local/Ascend/driver:/usr/local/Ascend/driver:ro ..."),),
        ),
    )


_STEPS = (
    Fix(
        'python -m json.tool "$RANK_TABLE_FILE"',
        say("is the file there, readable and JSON without comments?"),
    ),
    Fix(
        "for i in $(seq 0 7); do hccn_tool -i $i -ip -g; done",
        say("the device addresses that the table must hold"),
        needs_root=True,
    ),
    Fix("npu-smi info -t spod-info -i 0 -c 0", say("A3: the SDID is the super_device_id")),
    Fix(
        "unset RANK_TABLE_FILE",
        say("where the launcher gives ranks itself (torchrun, ray), no table is needed"),
    ),
)
