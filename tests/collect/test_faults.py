"""Machines that resist: each ends in a clear word on what was not seen, and the rest is still judged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.boxes.box import Answer, Box, Python
from tests.boxes.named import HEALTHY_910B
from tests.boxes.pretended import build, snapshot_of

from ascendenv.cli import main
from ascendenv.collect.probes import driver
from ascendenv.collect.probes.main import collect
from ascendenv.collect.script import collector_script, probe_source
from ascendenv.collect.snapshot import Snapshot
from ascendenv.doctor.catalogue import catalogue
from ascendenv.doctor.engine import diagnose
from ascendenv.facts.snapshot import facts_of_snapshot
from ascendenv.matrix.store import shipped_matrix

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.collect.probes.system import System
    from ascendenv.doctor.engine import Diagnosis

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")


def examined(box: Box, root: Path) -> Diagnosis:
    return diagnose(facts_of_snapshot(snapshot_of(box, root)), shipped_matrix(), catalogue())


def not_seen(diagnosis: Diagnosis) -> dict[str, str]:
    """What the report names as not seen, with the reason."""
    findings = [one for one in diagnosis.findings if one.id == "SYS010"]
    return {line.where: line.text for one in findings for line in one.evidence}


def test_npu_smi_that_hangs_is_ended_and_the_rest_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "NPU_SMI_SECONDS", 0.5)
    box = replace(HEALTHY_910B, npu_smi=Answer(hangs=True), environ={"ASCEND_RT_VISIBLE_DEVICES": "9"})
    started = time.monotonic()

    diagnosis = examined(box, tmp_path)

    assert time.monotonic() - started < 10
    assert {one.id for one in diagnosis.findings} >= {"DEV023", "VIS003"}
    assert "timeout" in not_seen(diagnosis)["npu-smi info"]


def test_a_folder_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    diagnosis = examined(replace(HEALTHY_910B, denied=("/usr/local/Ascend",)), tmp_path)

    assert not_seen(diagnosis)["/usr/local/Ascend"] == "Permission denied"
    assert str(diagnosis.facts.driver) == "25.2.0"
    assert str(diagnosis.facts.torch_npu) == "2.6.0"


def test_without_proc_the_rest_is_seen(tmp_path: Path) -> None:
    diagnosis = examined(replace(HEALTHY_910B, with_proc=False), tmp_path)

    assert not_seen(diagnosis) == {"/proc": "not there"}
    assert len(diagnosis.facts.npus or ()) == 8


def test_an_interpreter_that_does_not_start_is_named(tmp_path: Path) -> None:
    broken = Python("3.10.14", {}, failed="ImportError: libpython3.10.so.1.0: cannot open shared object file")

    diagnosis = examined(replace(HEALTHY_910B, python=broken), tmp_path)

    assert "libpython3.10.so.1.0" in not_seen(diagnosis)["/usr/local/bin/python3"]
    assert diagnosis.facts.npu_smi_answer == "ok"


def test_a_target_without_any_python_is_judged_by_ours(tmp_path: Path) -> None:
    system = build(HEALTHY_910B, tmp_path)
    (tmp_path / "usr/local/bin/python3").unlink()

    snapshot = Snapshot(collect(probe_source("interpreter"), system=system))

    assert snapshot.section("interpreter")["chosen_by"] == "ours"
    assert str(facts_of_snapshot(snapshot).driver) == "25.2.0"


def test_a_target_without_torch_says_that_it_is_not_installed(tmp_path: Path) -> None:
    bare = replace(HEALTHY_910B, python=Python("3.10.14", {"pip": "24.0"}))

    diagnosis = examined(bare, tmp_path)

    assert "torch is not installed" in str(getattr(diagnosis.facts.torch, "reason", ""))


@pytest.mark.parametrize(
    "link",
    ["/usr/local/Ascend/cann", "/usr/local/Ascend/ascend-toolkit/latest/runtime", "/usr/local/Ascend/driver"],
)
def test_a_loop_of_links_is_passed_by(tmp_path: Path, link: str) -> None:
    system = build(HEALTHY_910B, tmp_path)
    place = tmp_path / link[1:]
    if place.is_symlink():
        place.unlink()
    elif place.exists():
        place.rename(place.with_name("away"))
    place.symlink_to(place.name)

    facts = facts_of_snapshot(Snapshot(collect(probe_source("interpreter"), system=system)))

    assert len(facts.npus or ()) == 8


def test_a_probe_that_breaks_costs_its_section_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: System) -> dict[str, object]:
        message = "a kernel of another kind"
        raise ValueError(message)

    monkeypatch.setattr("ascendenv.collect.probes.main.collect_machine", broken)

    diagnosis = examined(HEALTHY_910B, tmp_path)

    assert not_seen(diagnosis) == {"machine": "ValueError: a kernel of another kind"}
    assert str(diagnosis.facts.cann) == "8.2.RC1"


HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07",
    "\u202egpj.exe",
    "a" * 100_000,
    "%s%s%n",
    "{0.__class__}",
    "\udcff",
    "]]>--><script>",
)


@pytest.mark.parametrize("text", HOSTILE, ids=[f"hostile{number}" for number in range(len(HOSTILE))])
def test_hostile_words_reach_no_terminal(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    box = replace(
        HEALTHY_910B,
        environ={"ASCEND_RT_VISIBLE_DEVICES": "9", "ASCEND_X": text},
        npu_smi=Answer(
            f"{text}\ndcmi module initialize failed. ret is -8005\n".encode("utf-8", "replace").decode(), 187
        ),
        kernel_log=(f"[1.0] davinci {text}".encode("utf-8", "replace").decode(),),
    )
    snapshot = tmp_path / "snapshot.json"
    snapshot.write_text(json.dumps(dict(snapshot_of(box, tmp_path / "root").data)))

    for form in ("text", "json"):
        with pytest.raises(SystemExit) as ended:
            main(["doctor", "--snapshot", str(snapshot), "--format", form, "-v"])
        printed = capsys.readouterr()
        assert ended.value.code == 1
        assert not printed.err
        assert "\x1b" not in printed.out
        assert "\u202e" not in printed.out


def unshared(script: str) -> str:
    """Runs the collector in a mount namespace of its own after `script`, which makes the machine odd."""
    answer = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", f"{script}\nexec {sys.executable} -"],
        input=collector_script(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    if answer.returncode and "Operation not permitted" in answer.stderr:
        pytest.skip("mounting is not allowed here")
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


@as_root
@pytest.mark.root
@pytest.mark.parametrize(
    "script",
    [
        "mount -o remount,ro,bind /tmp 2>/dev/null; mount -o bind / / && mount -o remount,ro,bind /",
        "mount -t tmpfs none /proc",
        "mount -t tmpfs none /sys",
    ],
    ids=["read-only root", "no proc", "no sys"],
)
def test_the_script_runs_on_odd_machines(script: str) -> None:
    record = json.loads(unshared(script))

    facts = facts_of_snapshot(Snapshot(record))

    assert record["interpreter"]["version"]
    assert facts.arch == os.uname().machine
