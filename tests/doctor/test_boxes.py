"""Simulated machines through the whole doctor: healthy ones are left in peace, each fault is named alone and proved."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import pytest
from tests.boxes.named import BROKEN, HEALTHY, LAPTOP, OLD_DRIVER
from tests.boxes.pretended import snapshot_of

from ascendenv.collect.probes import driver
from ascendenv.doctor.catalogue import catalogue
from ascendenv.doctor.engine import diagnose
from ascendenv.doctor.finding import Severity
from ascendenv.doctor.verdict import verdict_of
from ascendenv.facts.snapshot import facts_of_snapshot
from ascendenv.matrix.store import shipped_matrix

if TYPE_CHECKING:
    from pathlib import Path

    from tests.boxes.box import Box

    from ascendenv.doctor.engine import Diagnosis
    from ascendenv.doctor.finding import Finding

COMMANDS = ("npu-smi", "kernel log", "uname", "id", "ulimit")


def examined(box: Box, root: Path) -> Diagnosis:
    """What the doctor says after the collector looked at the box."""
    return diagnose(facts_of_snapshot(snapshot_of(box, root)), shipped_matrix(), catalogue())


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "NPU_SMI_SECONDS", 0.5)


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_machine_gives_nothing_above_advice(name: str, tmp_path: Path) -> None:
    diagnosis = examined(HEALTHY[name], tmp_path)

    assert [one.id for one in diagnosis.findings if one.severity > Severity.INFO] == []
    assert verdict_of(diagnosis) == "healthy"


@pytest.mark.parametrize("name", BROKEN)
def test_a_fault_is_named_first_and_alone(name: str, tmp_path: Path) -> None:
    broken = BROKEN[name]

    findings = examined(broken.box, tmp_path).findings

    assert (findings[0].id, findings[0].cause) == (broken.check, broken.cause)
    roots = {one.id for one in findings if not one.because_of and one.severity > Severity.INFO}
    assert roots == {broken.check}
    assert [one.cause for one in findings if one.severity is Severity.ERROR and not one.because_of] in (
        [broken.cause],
        [],  # the table alone gives a warning
    )


@pytest.mark.parametrize("name", BROKEN)
def test_the_proof_is_a_file_or_a_command(name: str, tmp_path: Path) -> None:
    first = examined(BROKEN[name].box, tmp_path).findings[0]

    assert first.evidence
    assert all(line.where.startswith(("/", *COMMANDS)) for line in first.evidence), places(first)


@pytest.mark.parametrize("name", BROKEN)
def test_the_fix_is_a_command(name: str, tmp_path: Path) -> None:
    assert any(step.run for step in examined(BROKEN[name].box, tmp_path).findings[0].fix)


def test_an_old_driver_that_works_is_no_more_than_advice(tmp_path: Path) -> None:
    findings = examined(OLD_DRIVER, tmp_path).findings

    assert [(one.cause, one.severity) for one in findings] == [("driver-too-old-for-cann", Severity.INFO)]


def test_a_machine_without_anything_of_ascend_says_so(tmp_path: Path) -> None:
    diagnosis = examined(LAPTOP, tmp_path)

    assert [one.id for one in diagnosis.findings] == ["DRV022"]
    assert diagnosis.findings[0].severity is Severity.INFO
    assert verdict_of(diagnosis) == "unknown"


def test_what_is_not_installed_is_told_so(tmp_path: Path) -> None:
    diagnosis = examined(LAPTOP, tmp_path)

    assert str(diagnosis.facts.torch.reason) == "torch is not installed in /usr/local/bin/python3"  # type: ignore[union-attr]


@lru_cache
def leaves() -> frozenset[str]:
    return frozenset(broken.cause for broken in BROKEN.values())


@pytest.mark.parametrize(
    "cause",
    [
        "no-hardware", "driver-missing", "driver-not-loaded", "driver-kernel-incompatible", "kernel-headers-missing",
        "driver-module-unsigned", "reboot-needed-after-upgrade", "device-nodes-missing", "dev-node-permission",
        "container-missing-devices", "driver-not-mounted", "container-mounts-incomplete", "container-device-busy",
        "sandbox-blocks-devices", "visible-devices-empty", "visible-devices-out-of-range", "visible-devices-not-ascending",
        "driver-too-old-for-cann", "cann-env-not-sourced", "cann-missing", "cann-versions-mixed", "cann-python-deps-missing",
        "torch-npu-torch-mismatch", "torch-npu-missing", "chip-needs-newer-release", "driver-firmware-mismatch",
        "chip-unhealthy", "hbm-ecc", "driver-fault-state",
    ],
)  # fmt: skip
def test_every_leaf_of_the_cause_tree_has_a_machine(cause: str) -> None:
    assert cause in leaves()


def places(finding: Finding) -> list[str]:
    return [line.where for line in finding.evidence]
