"""What the collector and the doctor say without loading anything, against the real import in a child process.

torch 2.13.0 with seven releases of torch_npu, on stand-in CANN libraries and without any.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.collect.real_torch import TORCH, package_of, python_with_torch, stubs_for, torch_package
from tests.stub_cann import build_stubs, unresolved_in

from ascendenv.collect.probes.elf import Elf
from ascendenv.collect.probes.hashing import gnu_hash
from ascendenv.doctor.symbols import torch_fit
from ascendenv.resources import data_folder
from ascendenv.signals.compile_exports import compile_symbol_tables
from ascendenv.signals.exports import needed_by
from ascendenv.versions import pep440

pytestmark = pytest.mark.slow

VERSIONS = ("2.7.1", "2.8.0", "2.9.0", "2.11.0", "2.12.0", "2.13.0", "2.14.0")
FITTING = TORCH
TORCH_LIBRARIES = ("libc10.so", "libtorch_cpu.so", "libtorch_python.so", "libtorch.so", "libshm.so")
TABLES = Path(data_folder("matrix")) / "symbols" / "tables"
IMPORT = (
    "import torch, torch_npu, json; print(json.dumps([torch.npu.is_available(), torch.npu.device_count()]))"
)


@dataclass(frozen=True)
class Box:
    """A torch_npu beside torch, with the environment in which it is imported."""

    version: str
    environment: dict[str, str]

    def imported(self) -> subprocess.CompletedProcess[str]:
        """The real import, torch_npu not loaded by torch itself, so that its own error shows."""
        environment = {**self.environment, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
        command = [str(python_with_torch()), "-c", IMPORT]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=120
        )

    def snapshot(self) -> dict[str, Any]:
        """What the collector sees."""
        done = self._ascendenv("collect", "--python", str(python_with_torch()), "-o", "-")
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def diagnosis(self, snapshot: dict[str, Any]) -> list[dict[str, Any]]:
        """The findings of the doctor on that snapshot, best first."""
        done = self._ascendenv("doctor", "--snapshot", "-", "--format", "json", given=json.dumps(snapshot))
        findings: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
        return findings

    def _ascendenv(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "ascendenv", *arguments]
        return subprocess.run(
            command,
            env=self.environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )


def box(version: str, stubs: Path | None = None, **environment: str) -> Box:
    base = {
        "PATH": os.environ["PATH"],
        "HOME": os.environ.get("HOME", "/"),
        "PYTHONPATH": str(package_of(version)),
    }
    if stubs is not None:
        base["LD_LIBRARY_PATH"] = str(stubs)
    return Box(version, {**base, **environment})


def missing_symbols(snapshot: dict[str, Any]) -> set[str]:
    return {fault["symbol"] for fault in snapshot["symbols"]["missing_symbols"]}


def missing_libraries(snapshot: dict[str, Any]) -> set[str]:
    return {fault["name"] for fault in snapshot["symbols"]["missing_libraries"]}


def said_by_ldd(version: str, *folders: Path) -> tuple[set[str], set[str]]:
    """The libraries and the symbols that `ldd -r` misses for the module that Python loads."""
    modules = sorted((package_of(version) / "torch_npu").glob("_C.*so"))
    found = unresolved_in(modules, ":".join(map(str, (torch_package() / "lib", *folders))))
    return found.libraries, found.symbols


def about_software(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The findings without those on the hardware, which the machine of the tests has or lacks."""
    return [one for one in findings if not one["id"].startswith(("DRV", "DEV", "VIS"))]


def causes(findings: list[dict[str, Any]], severity: str = "error") -> list[str]:
    return [one["cause"] for one in findings if one["severity"] == severity]


@pytest.mark.parametrize("version", VERSIONS)
def test_on_stubs_the_static_check_agrees_with_ldd_and_with_the_import(version: str) -> None:
    there = box(version, stubs_for(version))
    snapshot = there.snapshot()
    _, symbols = said_by_ldd(version, stubs_for(version))
    done = there.imported()
    findings = there.diagnosis(snapshot)

    assert missing_libraries(snapshot) == set()
    assert missing_symbols(snapshot) == symbols
    if version == FITTING:
        assert symbols == set()
        assert done.returncode == 0
        assert "torch-npu-torch-mismatch" not in causes(findings)
    else:
        assert symbols
        last = next(line for line in reversed(done.stderr.splitlines()) if "undefined symbol: " in line)
        assert last.partition("undefined symbol: ")[2].strip() in symbols
        first = about_software(findings)[0]
        assert (first["cause"], first["confidence"]) == ("torch-npu-torch-mismatch", "certain")
        assert first["because_of"] == []
        assert f"torch_npu {version} is compiled against torch {version}" in first["why"]


@pytest.mark.parametrize("version", VERSIONS)
def test_without_cann_both_faults_are_seen_at_once(version: str) -> None:
    """The real loader stops at the first library, and the mismatch shows only after that is mended."""
    there = box(version)
    snapshot = there.snapshot()
    libraries, symbols = said_by_ldd(version)
    done = there.imported()
    findings = there.diagnosis(snapshot)

    assert missing_libraries(snapshot) == libraries
    assert missing_symbols(snapshot) == symbols
    named = done.stderr.strip().splitlines()[-1].removeprefix("ImportError: ").partition(":")[0]
    assert (done.returncode, named) == (1, "libhccl.so")
    assert named in libraries
    assert ("torch-npu-torch-mismatch" in causes(findings)) == (version != FITTING)
    assert any(one["id"] == "CAN001" for one in findings), "CANN is missing, too"
    assert not any(one["id"] == "CAN004" for one in findings), "its functions are no faults of their own"


def test_the_symbol_table_says_what_the_real_torch_has() -> None:
    libraries = [Elf(str(torch_package() / "lib" / name)) for name in TORCH_LIBRARIES]
    tables = json.loads(compile_symbol_tables(TABLES))
    place = tables["torch"].index(["new", TORCH])
    wrong: set[str] = set()
    for group in tables["exports"]:
        names = [name.encode() for name in group["names"].split()]
        absent = [(name, gnu_hash(name)) for name in names]
        for elf in libraries:
            absent = elf.absent(absent)
        lacking = {name.decode() for name, _ in absent}
        wrong |= lacking if place in group["has"] else {name.decode() for name in names} - lacking

    assert wrong == set()


@pytest.mark.parametrize("version", VERSIONS)
def test_the_symbol_table_foretells_what_is_missing(version: str) -> None:
    needs = needed_by(pep440(version))
    assert needs is not None
    lacking = {name for name in needs.torch if (fit := torch_fit([name])) and not fit.has(pep440(TORCH))}
    missing = missing_symbols(box(version, stubs_for(version)).snapshot())

    assert missing <= lacking
    assert bool(missing) == bool(lacking)


def left_out(tmp_path: Path, functions: tuple[str, ...] = (), libraries: tuple[str, ...] = ()) -> Path:
    package = package_of(FITTING) / "torch_npu"
    return build_stubs(
        tmp_path, package, torch_package(), without_functions=functions, without_libraries=libraries
    )


@pytest.mark.parametrize("library", ["libge_runner.so", "libhccl.so", "libascendcl.so"])
def test_one_library_of_cann_left_out(tmp_path: Path, library: str) -> None:
    there = box(FITTING, left_out(tmp_path, libraries=(library,)))
    snapshot = there.snapshot()
    done = there.imported()
    findings = there.diagnosis(snapshot)

    assert missing_libraries(snapshot) == {library}
    assert (
        done.stderr.strip()
        .splitlines()[-1]
        .startswith(f"ImportError: {library}: cannot open shared object file")
    )
    first = about_software(findings)[0]
    assert first["id"] == "CAN001"
    assert library in first["observed"]


@pytest.mark.parametrize("function", ["aclrtDeviceGetBareTgid", "aclrtMalloc"])
def test_one_function_of_cann_left_out_is_an_older_cann(tmp_path: Path, function: str) -> None:
    there = box(FITTING, left_out(tmp_path, functions=(function,)))
    snapshot = there.snapshot()
    done = there.imported()
    findings = there.diagnosis(snapshot)

    assert missing_symbols(snapshot) == {function}
    assert f"undefined symbol: {function}" in done.stderr.strip().splitlines()[-1]
    first = about_software(findings)[0]
    assert first["cause"] == "torch-npu-cann-mismatch"
    assert f"cannot be loaded without {function} are made for CANN" in first["why"]


def test_an_nnal_that_lacks_a_function_is_seen_although_the_import_hides_it(tmp_path: Path) -> None:
    function = "_ZN3atb5Utils13GetTensorSizeERKNS_6TensorE"
    there = box(FITTING, left_out(tmp_path, functions=(function,)))
    snapshot = there.snapshot()
    (tried,) = snapshot["symbols"]["tried"].values()

    assert there.imported().returncode == 0, "torch_npu does without its operators on ATB until one is called"
    assert [fault["symbol"] for fault in tried["missing_symbols"]] == [function]
    assert "nnal-version-mismatch" in causes(there.diagnosis(snapshot))


def test_a_variable_without_which_torch_npu_refuses_to_start(tmp_path: Path) -> None:
    """No fault of a library, so nothing that the symbol check could see: the environment tells."""
    there = box(FITTING, stubs_for(FITTING), ASCEND_HOME_PATH=str(tmp_path))
    snapshot = there.snapshot()
    done = there.imported()

    assert missing_symbols(snapshot) == missing_libraries(snapshot) == set()
    assert "ASCEND_OPP_PATH environment variable is not set" in done.stderr
    assert "cann-env-not-sourced" in causes(there.diagnosis(snapshot))


SILENT = [
    # what the driver and the runtime do, and what torch makes of it
    ({"STUB_DEVICES": "8"}, [True, 8]),
    ({"STUB_DEVICES": "0"}, [False, 0]),
    ({"STUB_DEVICES": "8", "STUB_INIT": "507008"}, [True, 8]),
    ({"STUB_DEVICES": "8", "STUB_COUNT_ERROR": "507000"}, [False, 0]),
]


@pytest.mark.parametrize(("environment", "expected"), SILENT)
def test_what_the_runtime_answers_is_beyond_a_static_check(
    environment: dict[str, str], expected: list[object]
) -> None:
    """All libraries load, so the check finds nothing, and rightly so. torch shows no difference between no device and a
    count that fails, and an aclInit that fails does not show before a device is used.
    """
    there = box(FITTING, stubs_for(FITTING), **environment)
    snapshot = there.snapshot()
    done = there.imported()

    assert done.returncode == 0
    assert json.loads(done.stdout.splitlines()[-1]) == expected
    assert missing_symbols(snapshot) == missing_libraries(snapshot) == set()
    assert snapshot["symbols"]["damaged_libraries"] == snapshot["symbols"]["missing_versions"] == []
    assert not {"torch-npu-torch-mismatch", "torch-npu-cann-mismatch"} & set(
        causes(there.diagnosis(snapshot))
    )


def test_a_failing_init_shows_when_a_device_is_used() -> None:
    there = box(FITTING, stubs_for(FITTING), STUB_DEVICES="8", STUB_INIT="507008")
    command = [str(python_with_torch()), "-c", "import torch, torch_npu; torch.npu.set_device(0)"]
    done = subprocess.run(
        command, env=there.environment, capture_output=True, text=True, check=False, timeout=120
    )

    assert "NPU function error: aclInit, error code is 507008" in done.stderr
