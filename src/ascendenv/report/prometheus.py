"""A diagnosis as Prometheus text, for the textfile collector of node_exporter."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ascendenv import __version__
from ascendenv.doctor.finding import Severity
from ascendenv.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ascendenv.report.record import DiagnosisRecord, FindingRecord

__all__ = ["prometheus_of"]

VERDICTS = ("healthy", "problems", "unknown")

Labels = dict[str, str]
Sample = tuple[Labels, int]


def prometheus_of(record: DiagnosisRecord) -> str:
    """The metrics of one box, without times; the series that exist do not depend on what was found, but for the last."""
    families: tuple[tuple[str, str, Iterable[Sample]], ...] = (
        ("info", "What the box runs.", [(_box(record), 1)]),
        ("verdict", "1 for the verdict of the diagnosis.", _verdicts(record)),
        ("checks", "Checks that ran or were skipped.", _checks(record)),
        ("findings", "Findings by severity, waived ones left out.", _severities(record["findings"])),
        ("waived_findings", "Findings that a waiver covers.", [({}, len(record.get("waived", [])))]),
        ("expired_waivers", "Findings whose waiver ended.", [({}, len(record.get("expired_waivers", [])))]),
        ("finding", "How often a cause was found on this box.", _causes(record["findings"])),
    )
    return "".join(_family(f"ascendenv_doctor_{name}", text, samples) for name, text, samples in families)


def _family(name: str, text: str, samples: Iterable[Sample]) -> str:
    lines = [f"{name}{_labels(labels)} {value}\n" for labels, value in samples]
    return "".join((f"# HELP {name} {text}\n", f"# TYPE {name} gauge\n", *lines)) if lines else ""


def _labels(labels: Labels) -> str:
    shown = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items())
    return f"{{{shown}}}" if shown else ""


def _escaped(value: str) -> str:
    return printable(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _box(record: DiagnosisRecord) -> Labels:
    shown = {name: _plain(value) for name, value in record["box"].items()}
    return {"version": __version__, **shown}


def _plain(value: str | bool | None) -> str:
    """An empty label is the same as none, which is how Prometheus says unknown."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else value


def _verdicts(record: DiagnosisRecord) -> Iterator[Sample]:
    for verdict in VERDICTS:
        yield {"verdict": verdict}, int(record["verdict"] == verdict)


def _checks(record: DiagnosisRecord) -> Iterator[Sample]:
    yield {"outcome": "ran"}, record["checked"]
    yield {"outcome": "skipped"}, len(record["skipped"])


def _severities(findings: list[FindingRecord]) -> Iterator[Sample]:
    for severity in sorted(Severity, reverse=True):
        name = severity.name.lower()
        yield {"severity": name}, sum(one["severity"] == name for one in findings)


def _causes(findings: list[FindingRecord]) -> Iterator[Sample]:
    counts = Counter(
        (one["id"], one["cause"], one["severity"], one["confidence"], str(bool(one["because_of"])).lower())
        for one in findings
    )
    for (id_, cause, severity, confidence, follows), count in sorted(counts.items()):
        yield (
            {"id": id_, "cause": cause, "severity": severity, "confidence": confidence, "follows": follows},
            count,
        )
