"""The live probe in this interpreter, with a pretended torch that fails in every way a real one can."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ascendenv.facts.live import LiveCall
from ascendenv.facts.model import HostFacts
from ascendenv.facts.unknown import known
from ascendenv.live.facts import with_live
from ascendenv.live.run import LiveRun, run_live
from ascendenv.versions import pep440

# The calls that the probe makes; `at` and `is` are filled in by each test.
NPU = """
class npu:
    def is_available(): return {available}
    def device_count(): return {count}
    def set_device(number): {opened}
    def mem_get_info(number): return ({free} * 2**20, 65536 * 2**20)
    def get_device_name(number): return "Ascend910B3"
"""
GOOD = {"available": True, "count": 8, "opened": "pass", "free": 62000}
RUNTIME = """
#include <stdlib.h>
#include <stdint.h>
int aclInit(const char *file) { return atoi(getenv("INIT")); }
int aclrtGetDeviceCount(uint32_t *count) { *count = 3; return 0; }
const char *aclrtGetSocName(void) { return "Ascend910B3"; }
const char *aclGetRecentErrMsg(void) { return "EE1001: the reason"; }
"""


def packages(folder: Path, torch: str | None, torch_npu: str | None = "__version__ = '2.9.0'\n") -> Path:
    """A folder of pretended packages; None leaves one out."""
    for name, text in (("torch", torch), ("torch_npu", torch_npu)):
        if text is not None:
            (folder / name).mkdir()
            (folder / name / "__init__.py").write_text(text)
    return folder


def probe(
    folder: Path, device: str | None = None, *, seconds: float = 20, environ: dict[str, str] | None = None
) -> LiveRun:
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder), **(environ or {})}
    return run_live(sys.executable, device, variables, seconds=seconds)


def outcomes(run: LiveRun) -> dict[str, str]:
    return {step.name: step.outcome for step in run.result.steps}


def test_what_torch_says_is_heard(tmp_path: Path) -> None:
    run = probe(packages(tmp_path, "__version__ = '2.9.0+cpu'\n" + NPU.format(**GOOD)))

    assert (run.result.available, run.result.count) == (True, 8)
    assert run.result.versions == {"torch": "2.9.0+cpu", "torch_npu": "2.9.0"}
    assert run.result.end == "done"
    assert {"device", "product", "training"}.isdisjoint(outcomes(run))  # no card was named


def test_a_named_card_is_opened_and_looked_at_from_inside(tmp_path: Path) -> None:
    run = probe(packages(tmp_path, NPU.format(**GOOD)), "npu:0")

    assert outcomes(run)["device"] == "ok"
    assert run.result.name == "Ascend910B3"
    assert outcomes(run)["product"] == "failed"  # the pretended torch cannot compute
    assert "training" not in outcomes(run)


def test_a_card_that_proves_to_be_in_use_is_left_alone(tmp_path: Path) -> None:
    run = probe(packages(tmp_path, NPU.format(**{**GOOD, "free": 20000})), "npu:0")

    assert "product" not in outcomes(run)
    assert "45536 MB" in str(run.result.unused)


def test_an_import_that_fails_gives_its_whole_chain(tmp_path: Path) -> None:
    torch = """
try:
    try:
        import absent_library
    except ImportError as error:
        raise OSError("libhccl.so: cannot open shared object file: No such file or directory") from error
except OSError as error:
    raise RuntimeError("Failed to load the backend extension: torch_npu.") from error
"""
    run = probe(packages(tmp_path, torch))
    step = run.result.step("torch")

    assert step is not None
    assert [one.type for one in step.errors] == ["RuntimeError", "OSError", "ModuleNotFoundError"]
    assert step.errors[1].where.endswith("torch/__init__.py:6")
    signals = known(with_live(HostFacts(), run).signals)
    assert signals is not None
    found = signals.first("missing-library")
    assert found is not None
    assert (found.get("library"), found.evidence.where.split(":")[0]) == ("libhccl.so", "live torch")


def test_an_error_raised_while_another_was_handled_is_in_the_chain(tmp_path: Path) -> None:
    run = probe(
        packages(tmp_path, "try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise ValueError('second')\n")
    )
    step = run.result.step("torch")

    assert step is not None
    assert [one.type for one in step.errors] == ["ValueError", "ZeroDivisionError"]


@pytest.mark.parametrize(
    ("torch", "kind"),
    [("raise SystemExit(3)", "SystemExit"), ("raise KeyboardInterrupt", "KeyboardInterrupt")],
)
def test_an_import_that_wants_to_end_the_program_only_fails(torch: str, kind: str, tmp_path: Path) -> None:
    run = probe(packages(tmp_path, torch))
    step = run.result.step("torch")

    assert step is not None
    assert step.errors[0].type == kind
    assert run.result.end == "done"


def test_torch_that_is_missing(tmp_path: Path) -> None:
    run = probe(packages(tmp_path, None))

    assert outcomes(run) == {"torch": "failed", "runtime": "failed"}


def test_torch_npu_that_is_missing_matters_only_where_a_card_is_wanted(tmp_path: Path) -> None:
    folder = packages(tmp_path, NPU.format(**GOOD), torch_npu=None)

    assert outcomes(probe(folder)) == {"torch": "ok", "torch_npu": "failed"}
    assert outcomes(probe(folder, "cpu"))["torch_npu"] == "absent"


def test_an_import_that_hangs_is_killed_with_its_children_and_tells_where_it_stood(tmp_path: Path) -> None:
    torch = """
import subprocess, time
child = subprocess.Popen(["sleep", "600"])
open("CHILD", "w").write(str(child.pid))
def waits_for_the_driver():
    time.sleep(600)
waits_for_the_driver()
""".replace("CHILD", str(tmp_path / "child"))
    started = time.monotonic()

    run = probe(packages(tmp_path, torch), seconds=2)

    assert time.monotonic() - started < 10
    assert run.result.end == "timeout"
    assert run.result.stopped_in is not None
    assert run.result.stopped_in.name == "torch"
    assert run.result.stack[0].endswith("torch/__init__.py:6 waits_for_the_driver")
    time.sleep(0.1)
    assert not is_running(int((tmp_path / "child").read_text()))


def is_running(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize(
    ("torch", "reason"),
    [
        ("import ctypes\ndef crash():\n    ctypes.string_at(0)\ncrash()\n", "SIGSEGV"),
        ("import os\nos.abort()\n", "SIGABRT"),
        ("import os\nos._exit(7)\n", "exit code 7"),
    ],
)
def test_a_crash_names_the_step_and_the_frame(torch: str, reason: str, tmp_path: Path) -> None:
    run = probe(packages(tmp_path, NPU.format(**GOOD), torch_npu=torch))

    assert (run.result.end, run.result.reason) == ("crashed", reason)
    assert run.result.stopped_in is not None
    assert run.result.stopped_in.name == "torch_npu"
    assert outcomes(run)["torch"] == "ok"
    if reason == "SIGSEGV":
        assert any(frame.endswith("torch_npu/__init__.py:3 crash") for frame in run.result.stack)


@pytest.mark.parametrize("python", ["/nowhere/python", "/bin/false"])
def test_an_interpreter_that_does_not_start(python: str) -> None:
    run = run_live(python, None, dict(os.environ), seconds=5)

    assert run.result.end == "not-started"
    assert run.result.reason
    assert run.result.steps == ()


def test_what_libraries_print_does_not_disturb(tmp_path: Path) -> None:
    noise = 'print(\'{"step": "torch", "outcome": "ok"}\')\nimport os\nos.write(1, b"\\xff" * 100000)\n'

    run = probe(packages(tmp_path, noise + NPU.format(**GOOD)))

    assert run.result.end == "done"
    assert run.result.count == 8


def test_files_of_the_working_folder_do_not_stand_in_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise RuntimeError('not the json you want')")
    (tmp_path / "lib").mkdir()
    monkeypatch.chdir(tmp_path)

    assert probe(packages(tmp_path / "lib", NPU.format(**GOOD))).result.end == "done"


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pretended libascendcl.so whose aclInit returns what INIT says."""
    folder = tmp_path_factory.mktemp("cann")
    command = ["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(folder / "libascendcl.so")]
    subprocess.run(command, input=RUNTIME.encode(), check=True)
    return folder


def test_the_calls_below_torch_tell_what_it_hides(tmp_path: Path, runtime: Path) -> None:
    silent = NPU.format(**{**GOOD, "available": False, "count": 0})

    run = probe(packages(tmp_path, silent), environ={"LD_LIBRARY_PATH": str(runtime), "INIT": "507008"})

    assert run.result.available is False
    assert run.result.calls[0] == LiveCall("aclInit", 507008, "EE1001: the reason")
    assert (run.result.runtime_count, run.result.soc) == (3, "Ascend910B3")
    signals = known(with_live(HostFacts(), run).signals)
    assert signals is not None
    assert [one.get("code") for one in signals.of("error-code")][:2] == ["507008", "EE1001"]
    assert signals.first("npu-unavailable")


def test_without_cann_its_calls_fail_and_say_so(tmp_path: Path) -> None:
    run = probe(packages(tmp_path, NPU.format(**GOOD)))

    assert outcomes(run)["runtime"] == "failed"
    assert run.result.calls == ()


def test_versions_that_were_imported_fill_in_for_those_not_collected(tmp_path: Path) -> None:
    run = probe(packages(tmp_path, "__version__ = '2.9.0+cpu'\n" + NPU.format(**GOOD)))

    facts = with_live(HostFacts(torch_npu=pep440("2.8.0")), run)

    assert facts.torch == pep440("2.9.0+cpu")
    assert facts.torch_npu == pep440("2.8.0")
