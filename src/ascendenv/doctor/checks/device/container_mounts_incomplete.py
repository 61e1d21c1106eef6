"""A container has its cards, but not all files of the host that the driver's tools and HCCL read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.doctor.check import Check
from ascendenv.doctor.checks.device.explanations import files_not_mounted
from ascendenv.doctor.checks.device.surroundings import surroundings
from ascendenv.doctor.finding import Confidence, Severity
from ascendenv.facts.unknown import known
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from ascendenv.doctor.checks.device.surroundings import Surroundings
    from ascendenv.doctor.finding import Finding
    from ascendenv.facts.model import HostFacts
    from ascendenv.language import Message
    from ascendenv.signals.model import Signal, Signals

    _Found: TypeAlias = "tuple[Message, tuple[Signal, ...], Confidence, Severity]"

__all__ = ["ContainerMountsIncomplete"]

_BUSY = ("-8020", "-9005", "drv:87")
_TOPOLOGY = "EI0014"
_GENERATION = "950"
_FOLDER = "is a directory"
_WHOLE_DRIVER = "/usr/local/Ascend/driver"


class ContainerMountsIncomplete(Check):
    """The container lacks host files: dcmi, version.info, install info, or driver/topo on 950."""

    id = "DEV008"
    causes = ("container-mounts-incomplete",)
    consequence_of = ("DEV009",)
    rank = 7

    def check(self, signals: Signals, facts: HostFacts) -> Iterator[Finding]:
        """Fires on a topology file of the driver that is absent, a missing DCMI library, and forgotten mounts."""
        place = surroundings(facts)
        found = _what_is_missing(signals, facts, place) if place.may_be_container else None
        if found is None:
            return
        observed, proof, confidence, severity = found
        explanation = files_not_mounted()
        yield self.finding(
            title=explanation.title,
            observed=observed,
            expected=say(
                "dcmi, npu-smi, driver/lib64, driver/version.info and ascend_install.info; on 950 all of driver"
            ),
            why=say(
                "DCMI answers with busy (-8020) or -9005 when files it reads are absent; HCCL on 950 reads driver/topo"
            ),
            confidence=confidence,
            severity=severity,
            evidence=(*(one.evidence for one in proof), *facts.seen("mounts", "npu_smi_answer")),
            fix=explanation.fix,
            sources=(
                "vllm-ascend: docs/source/installation.md",
                "https://github.com/vllm-project/recipes/pull/907",
                "https://github.com/gpustack/gpustack/issues/3284",
            ),
        )


def _what_is_missing(signals: Signals, facts: HostFacts, place: Surroundings) -> _Found | None:
    return _topology(signals, facts, place) or _refused(signals, facts) or _forgotten(signals, place)


def _topology(signals: Signals, facts: HostFacts, place: Surroundings) -> _Found | None:
    if topology := signals.of("topology-file-missing"):
        observed = say("{path} is not in the container", path=topology[0].get("path"))
        return observed, (*topology, *signals.codes(_TOPOLOGY)), Confidence.CERTAIN, Severity.ERROR
    if (refused := signals.codes(_TOPOLOGY)) and _needs_topology(facts, place):
        observed = say("HCCL cannot read the topology of a 950 board (EI0014)")
        return observed, refused, Confidence.LIKELY, Severity.ERROR
    return None


def _refused(signals: Signals, facts: HostFacts) -> _Found | None:
    if library := signals.of("dcmi-library-missing"):
        observed = say("the DCMI library is not in the container")
        return observed, library, Confidence.LIKELY, Severity.ERROR
    if refused_mounts := _refused_mounts(signals):
        observed = say("a file of the host could not be put into the container")
        return observed, refused_mounts, Confidence.LIKELY, Severity.ERROR
    if facts.npu_smi_answer == _FOLDER:
        observed = say(
            "an empty folder stands in the place of npu-smi: the mount names a file that the host lacks"
        )
        return observed, (), Confidence.CERTAIN, Severity.ERROR
    return None


def _forgotten(signals: Signals, place: Surroundings) -> _Found | None:
    if not place.lacking_files or place.privileged:
        return None
    busy = signals.codes(*_BUSY)
    observed = say("the container is started without {files}", files=", ".join(place.lacking_files))
    severity = Severity.ERROR if busy else Severity.WARNING
    return observed, (*signals.of("container-mount"), *busy), Confidence.LIKELY, severity


def _refused_mounts(signals: Signals) -> tuple[Signal, ...]:
    folders = tuple(one for one in signals.of("mount-is-directory") if _is_ours(one.get("source")))
    return (*signals.of("ascend-runtime-mount-failed"), *folders)


def _is_ours(path: str) -> bool:
    return any(word in path for word in ("Ascend", "ascend_install", "dcmi", "npu-smi", "hccn"))


def _needs_topology(facts: HostFacts, place: Surroundings) -> bool:
    chip = known(facts.chip) or ""
    whole = any(path.rstrip("/") in (_WHOLE_DRIVER, "/usr/local/Ascend") for path in place.mounted)
    return _GENERATION in chip and bool(place.mounted) and not whole
