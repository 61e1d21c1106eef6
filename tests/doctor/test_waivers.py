"""Waivers: which findings they take out, which they leave, and until when."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ascendenv.doctor.engine import Diagnosis
from ascendenv.doctor.finding import Confidence, Finding, Severity
from ascendenv.doctor.waivers import BoxCondition, Waiver, review, verdict_of_review
from ascendenv.facts.model import HostFacts, OsRelease
from ascendenv.language import say
from ascendenv.versions import VersionRange, pep440, vendor

if TYPE_CHECKING:
    from collections.abc import Sequence

TODAY = date(2026, 11, 29)
BOX = HostFacts(
    chip="Ascend910B3",
    driver=vendor("24.1.rc2"),
    cann=vendor("8.2.RC1"),
    torch_npu=pep440("2.7.1"),
    arch="aarch64",
    os=OsRelease("openeuler", "22.03", "openEuler 22.03 (LTS-SP4)"),
    in_container=False,
)


def finding(id_: str, cause: str, *because_of: str) -> Finding:
    return Finding(
        id_, cause, Severity.ERROR, Confidence.LIKELY, say("likely"), say("seen"), because_of=because_of
    )


def waiver(
    id_: str | None = None, cause: str | None = None, until: str = "2027-01-01", **when: Any
) -> Waiver:
    condition = BoxCondition(**when) if when else None
    return Waiver(
        id=id_, cause=cause, when=condition, reason="r", by="b", until=date.fromisoformat(until), where="w:1"
    )


def outcome(
    findings: Sequence[Finding], *waivers: Waiver, facts: HostFacts = BOX
) -> tuple[list[str], list[str], list[str]]:
    """The ids that are left, waived, and left although a waiver names them."""
    reviewed = review(Diagnosis(facts, tuple(findings), (), 9), waivers, TODAY)
    return (
        [one.id for one in reviewed.diagnosis.findings],
        [one.finding.id for one in reviewed.waived],
        [one.finding.id for one in reviewed.expired],
    )


OLD = finding("DRV008", "driver-too-old-for-cann")
TLS = finding("HCC009", "hccl-tls-mismatch")
AFTER_OLD = finding("DEV003", "tsd-open-failed", "DRV008")
AFTER_AFTER = finding("VIS001", "no-visible-devices", "DEV003")
AFTER_BOTH = finding("RUN004", "aicore-exception", "DRV008", "HCC009")


@pytest.mark.parametrize(
    ("findings", "waivers", "expected"),
    [
        ([OLD, TLS], [], (["DRV008", "HCC009"], [], [])),
        ([OLD, TLS], [waiver("DRV008")], (["HCC009"], ["DRV008"], [])),
        ([OLD, TLS], [waiver(cause="hccl-tls-mismatch")], (["DRV008"], ["HCC009"], [])),
        ([OLD], [waiver("DRV008", "hccl-tls-mismatch")], (["DRV008"], [], [])),
        ([OLD], [waiver("DRV008", until="2026-11-29")], ([], ["DRV008"], [])),
        ([OLD], [waiver("DRV008", until="2026-11-28")], (["DRV008"], [], ["DRV008"])),
        ([OLD], [waiver("DRV008", until="2026-11-28"), waiver("DRV008")], ([], ["DRV008"], [])),
        ([OLD, AFTER_OLD, AFTER_AFTER], [waiver("DRV008")], ([], ["DRV008", "DEV003", "VIS001"], [])),
        ([OLD, TLS, AFTER_BOTH], [waiver("DRV008")], (["HCC009", "RUN004"], ["DRV008"], [])),
        ([OLD, AFTER_OLD], [waiver("DEV003")], (["DRV008"], ["DEV003"], [])),
        ([OLD, AFTER_OLD], [waiver("DRV008", until="2026-01-01")], (["DRV008", "DEV003"], [], ["DRV008"])),
        ([], [waiver("DRV008")], ([], [], [])),
    ],
)
def test_what_is_left(
    findings: list[Finding], waivers: list[Waiver], expected: tuple[list[str], list[str], list[str]]
) -> None:
    assert outcome(findings, *waivers) == expected


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ({"chip": "Ascend910B3"}, True),
        ({"chip": "910b3"}, True),
        ({"chip": "910B"}, True),
        ({"chip": "A3"}, False),
        ({"driver": VersionRange("24.1.rc2", "vendor")}, True),
        ({"driver": VersionRange(">=24.1,<25.0", "vendor")}, True),
        ({"driver": VersionRange("25.0.X", "vendor")}, False),
        ({"torch_npu": VersionRange(">=2.7,<2.8", "pep440")}, True),
        ({"os": "openEuler"}, True),
        ({"os": "openeuler 22.03"}, True),
        ({"os": "openeuler 22.0"}, False),
        ({"os": "ubuntu"}, False),
        ({"arch": "aarch64", "in_container": False}, True),
        ({"arch": "aarch64", "in_container": True}, False),
        ({"firmware": VersionRange("7.5.0.1.129", "vendor")}, False),  # not seen, so not taken for granted
    ],
)
def test_conditions_on_the_box(when: dict[str, Any], holds: bool) -> None:
    left, _, _ = outcome([OLD], waiver("DRV008", **when))

    assert (left == []) == holds


def test_waivers_about_nothing_are_named() -> None:
    nothing = waiver("SYS009")

    reviewed = review(Diagnosis(BOX, (OLD,), (), 9), (nothing, waiver("DRV008")), TODAY)

    assert reviewed.unused == (nothing,)


@pytest.mark.parametrize(
    ("findings", "waivers", "facts", "verdict"),
    [
        ([OLD], [], BOX, "problems"),
        ([OLD], [waiver("DRV008")], BOX, "healthy"),
        ([OLD], [waiver("DRV008")], HostFacts(), "healthy"),
        ([], [waiver("DRV008")], HostFacts(), "unknown"),
        ([OLD, replace(TLS, severity=Severity.WARNING)], [waiver("DRV008")], BOX, "problems"),
    ],
)
def test_the_verdict_is_on_what_is_left(
    findings: list[Finding], waivers: list[Waiver], facts: HostFacts, verdict: str
) -> None:
    assert verdict_of_review(review(Diagnosis(facts, tuple(findings), (), 9), waivers, TODAY)) == verdict
