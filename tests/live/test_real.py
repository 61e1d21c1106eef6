"""The live probe in an interpreter with the real torch, and the real torch_npu on stand-in CANN libraries."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.stub_cann import BEHAVING, _compile, build_stubs, unresolved_in
from tests.wheelhouse import CACHE, TORCH, torch_npu_folder, torch_python

from ascendenv.cli.run import run
from ascendenv.live.run import run_live

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.facts.live import LiveResult

pytestmark = pytest.mark.slow

SECONDS = 120


@pytest.fixture(scope="module")
def python() -> str:
    return str(torch_python())


@pytest.fixture(scope="module")
def stubs(python: str) -> Path:
    site = torch_npu_folder(TORCH)
    torch = next(torch_python().parents[1].glob("lib/python3*/site-packages/torch"))
    return build_stubs(CACHE / f"stubs-{TORCH}", site / "torch_npu", torch)


def probe(
    python: str, stubs: Path | None = None, version: str = TORCH, device: str | None = None, **variables: str
) -> LiveResult:
    environ = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", **variables}
    if stubs is not None:
        environ |= {"PYTHONPATH": str(torch_npu_folder(version)), "LD_LIBRARY_PATH": str(stubs)}
    return run_live(python, device, environ, seconds=SECONDS).result


def test_training_on_the_cpu_learns_and_repeats(python: str) -> None:
    result = probe(python, device="cpu")

    assert result.end == "done"
    assert result.versions is not None
    assert result.versions["torch"].startswith(TORCH)
    assert result.error == 0
    assert len(result.losses) == 10
    assert result.falls
    assert result.repeats


def test_it_repeats_from_process_to_process(python: str) -> None:
    assert probe(python, device="cpu").losses == probe(python, device="cpu").losses


def test_devices_are_counted(python: str, stubs: Path) -> None:
    result = probe(python, stubs, STUB_DEVICES="8")

    assert (result.available, result.count, result.runtime_count) == (True, 8, 8)
    assert result.soc == "Ascend910B3"
    assert [(call.name, call.code) for call in result.calls] == [("aclInit", 0), ("aclrtGetDeviceCount", 0)]


@pytest.mark.parametrize(
    ("variables", "calls"),
    [
        ({"STUB_DEVICES": "0"}, [0, 0]),
        ({"STUB_DEVICES": "0", "STUB_INIT": "507008"}, [507008, 0]),
        ({"STUB_DEVICES": "0", "STUB_COUNT_ERROR": "507000"}, [0, 507000]),
    ],
)
def test_the_three_silent_causes_are_told_apart(
    variables: dict[str, str], calls: list[int], python: str, stubs: Path
) -> None:
    result = probe(python, stubs, **variables)

    assert result.available is False
    assert [call.code for call in result.calls] == calls


def test_a_card_is_opened_named_and_used(python: str, tmp_path: Path) -> None:
    """Stand-ins compute nothing: what is seen here is that the real torch_npu has every call that the probe makes."""
    package = torch_npu_folder(TORCH) / "torch_npu"
    torch = next(torch_python().parents[1].glob("lib/python3*/site-packages/torch"))
    text = (package / "lib" / "libtorch_npu.so").read_bytes()
    names = {one.decode() for one in re.findall(rb"\0((?:acl|Hccl|rt)[A-Za-z0-9]*[A-Z]\w+)(?=\0)", text)}
    whole = build_stubs(tmp_path, package, torch, looked_up=sorted(names))
    # torch_npu looks some names of the runtime up in the operator compiler.
    compiler = "libacl_op_compiler.so"
    linked = unresolved_in([package / "lib" / "libtorch_npu.so"], f"{torch}/lib:{package}/lib").symbols
    acl = {one for one in names | linked if one.startswith("acl") and not one.startswith("aclnn")}
    _compile(whole / compiler, sorted(acl), BEHAVING[compiler])

    result = probe(python, whole, device="npu:0", STUB_DEVICES="2")

    assert {step.outcome for step in result.steps} == {"ok"}
    assert result.unused is None
    assert result.name == "Ascend910B3"
    assert result.error is not None
    assert len(result.losses) == 10


def test_a_wrong_torch_npu_gives_the_chain(python: str, stubs: Path) -> None:
    result = probe(python, stubs, version="2.12.0")
    step = result.step("torch")

    assert step is not None
    assert [one.type for one in step.errors] == ["RuntimeError", "ImportError"]
    assert "undefined symbol: _ZN5torch8autograd" in step.errors[-1].text


def test_without_cann_the_missing_library_is_the_end_of_the_chain(python: str, tmp_path: Path) -> None:
    step = probe(python, tmp_path).step("torch")

    assert step is not None
    assert "libhccl.so: cannot open shared object file" in step.errors[-1].text


def doctor(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    run(["doctor", "--live", "--format", "json", *arguments])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_the_doctor_names_the_cause_that_torch_hides(
    python: str, stubs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    variables = {
        "PYTHONPATH": str(torch_npu_folder(TORCH)),
        "LD_LIBRARY_PATH": str(stubs),
        "STUB_COUNT_ERROR": "507000",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    document = doctor(capsys, "--python", python)

    assert document["live"]["available"] is False
    assert "device-count-fails" in {one["cause"] for one in document["findings"]}


def test_the_doctor_computes_on_the_cpu(python: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = doctor(capsys, "--python", python, "--live-device", "cpu")

    assert document["live"]["device"] == "cpu"
    assert document["live"]["falls"]
    assert document["live"]["repeats"]
    assert not [one for one in document["findings"] if one["id"].startswith("LIV")]


def test_a_card_that_cannot_be_seen_is_not_opened(
    python: str, stubs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(torch_npu_folder(TORCH)))
    monkeypatch.setenv("LD_LIBRARY_PATH", str(stubs))
    monkeypatch.setenv("STUB_DEVICES", "8")

    document = doctor(capsys, "--python", python, "--live-device", "npu:0")

    assert document["live"]["unused"]
    assert "device" not in {step["name"] for step in document["live"]["steps"]}
