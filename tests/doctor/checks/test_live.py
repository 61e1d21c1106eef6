"""Findings of the live probe: what fires, what stays silent, what is skipped, and what follows from what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.doctor.helpers import run_check

from ascendenv.doctor.catalogue import catalogue
from ascendenv.doctor.checks.live import CHECKS
from ascendenv.doctor.checks.live.process_crashes import ProcessCrashes
from ascendenv.doctor.checks.live.runtime_refuses import RuntimeRefuses
from ascendenv.doctor.checks.live.step_fails import StepFails
from ascendenv.doctor.checks.live.step_hangs import StepHangs
from ascendenv.doctor.checks.live.training_unsound import TrainingUnsound
from ascendenv.doctor.checks.live.wrong_product import WrongProduct
from ascendenv.doctor.engine import diagnose
from ascendenv.doctor.finding import Finding, Skip
from ascendenv.facts.live import LiveCall, LiveError, LiveResult, LiveStep
from ascendenv.facts.model import HostFacts
from ascendenv.live.facts import with_live
from ascendenv.live.run import LiveRun
from ascendenv.matrix.store import shipped_matrix

if TYPE_CHECKING:
    from ascendenv.doctor.check import Check

LOSSES = (0.9, 0.7, 0.58, 0.47, 0.38, 0.31, 0.24, 0.19, 0.14, 0.11)
FLAT = (0.9,) * 10
SOUND = {
    "steps": tuple(
        LiveStep(name, "ok")
        for name in ("torch", "torch_npu", "available", "device", "product", "training", "runtime")
    ),
    "available": True,
    "count": 8,
    "calls": (LiveCall("aclInit", 0), LiveCall("aclrtGetDeviceCount", 0)),
    "error": 0.0,
    "losses": LOSSES,
    "repeats": True,
}


def live(**changes: Any) -> LiveResult:
    return LiveResult("/opt/py/bin/python", "npu:0", **{"end": "done", "seconds": 300, **SOUND, **changes})


def failed(name: str, *errors: tuple[str, str]) -> tuple[LiveStep, ...]:
    chain = tuple(LiveError(kind, text, "/opt/x.py:7") for kind, text in errors)
    return (
        (LiveStep("torch", "ok"), LiveStep(name, "failed", chain))
        if name != "torch"
        else (LiveStep(name, "failed", chain),)
    )


def begun(name: str) -> tuple[LiveStep, ...]:
    return (LiveStep("torch", "ok"), LiveStep(name, "begun"))


def found(check: type[Check], result: LiveResult, **facts: Any) -> list[Finding]:
    outcome = run_check(check, live=result, **facts)
    assert not isinstance(outcome, Skip)
    return outcome


@pytest.mark.parametrize("check", CHECKS, ids=lambda one: one.id)
def test_without_the_live_probe_nothing_is_judged(check: type[Check]) -> None:
    assert isinstance(run_check(check, log="x"), Skip)


@pytest.mark.parametrize("check", CHECKS, ids=lambda one: one.id)
@pytest.mark.parametrize(
    "result",
    [
        live(),
        live(steps=(), end="not-started", losses=(), error=None, calls=()),
        live(steps=(LiveStep("torch", "ok"), LiveStep("torch_npu", "absent")), calls=()),
        live(calls=(LiveCall("aclInit", 100002), LiveCall("aclrtGetDeviceCount", 0))),
    ],
)
def test_a_sound_machine_gives_no_finding(check: type[Check], result: LiveResult) -> None:
    assert found(check, result) == []


@pytest.mark.parametrize(
    ("check", "result", "cause", "words"),
    [
        (
            StepFails,
            live(steps=failed("torch_npu", ("RuntimeError", "outer"), ("ImportError", "the reason\nmore"))),
            "live-step-fails",
            "ImportError: the reason",
        ),
        (
            StepFails,
            live(steps=failed("torch", ("ModuleNotFoundError", "No module named 'torch'"))),
            "torch-missing",
            "finds no package called torch",
        ),
        (
            StepFails,
            live(steps=failed("torch", ("ModuleNotFoundError", "No module named 'sympy'"))),
            "live-step-fails",
            "No module named 'sympy'",
        ),
        (
            StepFails,
            live(steps=failed("product", ("RuntimeError", "x"))),
            "live-step-fails",
            "RuntimeError: x",
        ),
        (StepHangs, live(end="timeout", steps=begun("torch_npu")), "live-step-hangs", "after 300 s"),
        (StepHangs, live(end="timeout", steps=begun("device")), "live-step-hangs", "after 300 s"),
        (
            ProcessCrashes,
            live(end="crashed", reason="SIGSEGV", steps=begun("torch_npu")),
            "live-process-crashes",
            "SIGSEGV",
        ),
        (
            RuntimeRefuses,
            live(available=False, calls=(LiveCall("aclInit", 507008, "EE1001: a"),)),
            "acl-init-fails",
            "aclInit returns 507008; torch.npu.is_available() is False",
        ),
        (
            RuntimeRefuses,
            live(available=False, calls=(LiveCall("aclInit", 0), LiveCall("aclrtGetDeviceCount", 507000))),
            "device-count-fails",
            "aclrtGetDeviceCount returns 507000",
        ),
        (WrongProduct, live(error=4.0), "matrix-product-wrong", "4.0"),
        (WrongProduct, live(error=float("nan")), "matrix-product-wrong", "nan"),
        (TrainingUnsound, live(losses=FLAT), "loss-does-not-fall", "from 0.9 to 0.9"),
        (TrainingUnsound, live(losses=(*LOSSES[:9], float("nan"))), "loss-does-not-fall", "to nan"),
        (TrainingUnsound, live(repeats=False), "training-does-not-repeat", "two runs"),
    ],
)
def test_what_fires(check: type[Check], result: LiveResult, cause: str, words: str) -> None:
    (finding,) = found(check, result)

    assert finding.cause == cause
    assert words in str(finding.observed)
    assert finding.fix


def test_the_chain_is_shown_from_where_it_started() -> None:
    (finding,) = found(
        StepFails, live(steps=failed("torch", ("RuntimeError", "outer"), ("OSError", "inner")))
    )

    assert [line.text for line in finding.evidence] == ["OSError: inner", "RuntimeError: outer"]
    assert finding.evidence[0].where == "/opt/x.py:7"


def test_a_hang_shows_where_it_stood() -> None:
    (finding,) = found(
        StepHangs, live(end="timeout", steps=begun("device"), stack=("/a/b.py:3 wait", "/c.py:4 f"))
    )

    assert [(line.where, line.text) for line in finding.evidence] == [("/a/b.py:3", "wait"), ("/c.py:4", "f")]


def test_the_vendors_tests_are_named_where_they_are_installed() -> None:
    without = found(WrongProduct, live(error=4.0))[0].fix
    with_tools = found(WrongProduct, live(error=4.0), evidence_tools=("/usr/bin/ascend-dmi", "/opt/asys"))[
        0
    ].fix

    runs = [step.run.split()[0] for step in with_tools if step not in without]
    assert runs == ["/usr/bin/ascend-dmi", "/opt/asys"]


def test_a_known_reason_stands_before_the_failing_import() -> None:
    text = "ImportError: libhccl.so: cannot open shared object file: No such file or directory"
    result = live(steps=failed("torch_npu", ("ImportError", text)), error=None, losses=(), calls=())
    facts = with_live(HostFacts(), LiveRun(result, (("torch_npu", text),)))

    findings = diagnose(facts, shipped_matrix(), catalogue()).findings

    assert findings[0].id == "CAN001"
    assert {one.id: bool(one.because_of) for one in findings}["LIV001"]


def test_a_code_that_a_check_knows_stands_before_the_call_that_gave_it() -> None:
    result = live(available=False, count=0, calls=(LiveCall("aclInit", 507008),), error=None, losses=())
    texts = (
        ("available", "torch.npu.is_available() -> False"),
        ("runtime", "NPU function error: aclInit, error code is 507008"),
    )
    facts = with_live(HostFacts(), LiveRun(result, texts))

    findings = diagnose(facts, shipped_matrix(), catalogue()).findings

    roots = [one.id for one in findings if not one.because_of]
    assert "VIS001" not in roots


def test_a_code_that_no_check_knows_is_named_by_its_call() -> None:
    result = live(available=False, count=0, calls=(LiveCall("aclInit", 599999),), error=None, losses=())
    texts = (
        ("available", "torch.npu.is_available() -> False"),
        ("runtime", "NPU function error: aclInit, error code is 599999"),
    )
    facts = with_live(HostFacts(), LiveRun(result, texts))

    findings = diagnose(facts, shipped_matrix(), catalogue()).findings

    assert findings[0].id == "LIV004"
