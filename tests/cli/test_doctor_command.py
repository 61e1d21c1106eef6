"""The contract of `ascendenv doctor`: exit codes, streams, JSON, and an answer to every kind of bad input."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from ascendenv.cli.run import run
from ascendenv.doctor.catalogue import catalogue
from ascendenv.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "torch-mismatch"
SCHEMA = json.loads((ROOT / "docs" / "schemas" / "doctor.schema.json").read_text())
BROKEN = "ImportError: libhccl.so: cannot open shared object file: No such file or directory\n"
HEALTHY = """
npu-smi 25.2.0 Version: 25.2.0
[pip3] torch==2.6.0
[pip3] torch-npu==2.6.0
package_name=Ascend-cann-toolkit
version=8.2.RC1
path=/usr/local/Ascend/ascend-toolkit/8.2.RC1/aarch64-linux
"""

MEASURE = """
import resource, subprocess, sys
sys.stdout.write(subprocess.run(sys.argv[1:], capture_output=True, text=True).stdout)
sys.stdout.write("\\n%d" % resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "broken.log").write_text(BROKEN)
    (tmp_path / "healthy.txt").write_text(HEALTHY)
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "blank").write_text("\n \n\t\n")
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 64)
    (tmp_path / "prose.txt").write_text("Dear diary, today nothing happened.\n")
    (tmp_path / "nvidia.txt").write_text(
        "PyTorch version: 2.5.1+cu124\nCUDA used to build PyTorch: 12.4\nGPU 0: NVIDIA H100 80GB HBM3\n"
        "[pip3] torch==2.5.1\nNVIDIA-SMI 550.54 Driver Version: 550.54 CUDA Version: 12.4\n"
    )
    (tmp_path / "utf16.log").write_bytes(BROKEN.encode("utf-16"))
    (tmp_path / "gbk.log").write_bytes(("启动失败，找不到库\n" + BROKEN).encode("gbk"))
    (tmp_path / "broken.log.gz").write_bytes(gzip.compress(BROKEN.encode(), mtime=0))
    (tmp_path / "folder").mkdir()
    return tmp_path


def run_json(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = run([*arguments, "--format", "json"])
    captured = capsys.readouterr()
    return code, json.loads(captured.out)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--log", "broken.log"], ExitCode.FINDINGS),
        (["--log", "broken.log", "--fail-on", "never"], ExitCode.GOOD),
        (["--log", "utf16.log"], ExitCode.FINDINGS),
        (["--log", "gbk.log"], ExitCode.FINDINGS),
        (["--log", "broken.log.gz"], ExitCode.FINDINGS),
        (["--report", "healthy.txt"], ExitCode.GOOD),
        (["--report", "healthy.txt", "--log", "broken.log"], ExitCode.FINDINGS),
        (["--log", "empty"], ExitCode.NOTHING_CHECKED),
        (["--log", "blank"], ExitCode.NOTHING_CHECKED),
        (["--log", "prose.txt"], ExitCode.NOTHING_CHECKED),
        (["--report", "nvidia.txt"], ExitCode.NOTHING_CHECKED),
        (["--log", "binary"], ExitCode.UNUSABLE_INPUT),
        (["--log", "folder"], ExitCode.UNUSABLE_INPUT),
        (["--log", "absent"], ExitCode.UNUSABLE_INPUT),
        (["--report", "binary"], ExitCode.UNUSABLE_INPUT),
        (["--snapshot", "healthy.txt"], ExitCode.UNUSABLE_INPUT),
        (["--log", "-", "--report", "-"], ExitCode.UNUSABLE_INPUT),
        (["--log", "broken.log", "--select", "NOPE1"], ExitCode.UNUSABLE_INPUT),
        (["--log", "broken.log", "--fail-on", "sometimes"], ExitCode.UNUSABLE_INPUT),
        (["--no-such-option"], ExitCode.UNUSABLE_INPUT),
    ],
)
def test_exit_codes(
    arguments: list[str],
    code: ExitCode,
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(files)

    outcome = run(["doctor", *arguments])
    captured = capsys.readouterr()

    assert outcome == code
    assert "Traceback" not in captured.out + captured.err
    assert bool(captured.err) == (code in (ExitCode.UNUSABLE_INPUT, ExitCode.NOTHING_CHECKED))


@pytest.mark.parametrize("name", ["empty", "blank", "prose.txt", "nvidia.txt", "binary", "folder", "absent"])
def test_bad_input_is_one_json_document_with_a_way_out(
    name: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, document = run_json(["doctor", "--log", str(files / name)], capsys)

    assert code in (ExitCode.UNUSABLE_INPUT, ExitCode.NOTHING_CHECKED)
    assert document["schema_version"] == 1
    assert document["error"]["message"]
    assert set(document["error"]) == {"code", "message", "where", "hint"}
    assert "healthy" not in json.dumps(document)


@pytest.mark.parametrize("path", ["/proc/self/mem", "/etc/passwd/log"])
def test_a_file_that_cannot_be_read_says_so(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--log", path]) == ExitCode.UNUSABLE_INPUT
    assert path in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--log", "broken.log"], ["--report", "healthy.txt"], []])
def test_the_record_follows_its_schema(
    arguments: list[str], files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(files)

    _, document = run_json(["doctor", *arguments], capsys)

    jsonschema.validate(document, SCHEMA)


def test_the_root_cause_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    _, document = run_json(
        ["doctor", "--log", str(EXAMPLE / "error.log"), "--report", str(EXAMPLE / "report.txt")], capsys
    )

    first = document["findings"][0]
    assert first["cause"] == "torch-npu-torch-mismatch"
    assert first["evidence"][0]["where"] == "log:8"
    assert any("torch-npu==" in step["run"] for step in first["fix"])
    assert document["box"]["torch"] == "2.9.0"


def test_standard_input_is_read(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BROKEN.encode())))

    code, document = run_json(["doctor", "--log", "-"], capsys)

    assert code == ExitCode.FINDINGS
    assert document["findings"]


def test_ignored_checks_do_not_run(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = files / "two.log"  # two causes, so that one is left and the last resort stays out
    log.write_text(BROKEN + "OSError: [Errno 28] No space left on device: '/root/ascend/log'\n")
    _, before = run_json(["doctor", "--log", str(log)], capsys)
    first = before["findings"][0]["id"]

    _, after = run_json(["doctor", "--log", str(log), "--ignore", first], capsys)
    _, alone = run_json(["doctor", "--log", str(log), "--select", first], capsys)

    assert first not in {one["id"] for one in after["findings"]}
    assert {one["id"] for one in alone["findings"]} == {first}
    assert after["checked"] + len(after["skipped"]) == before["checked"] + len(before["skipped"]) - 1


def test_a_wrong_name_is_answered_with_near_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--list", "--select", "torch-npu-torch-mismach"]) == ExitCode.UNUSABLE_INPUT
    assert "torch-npu-torch-mismatch" in capsys.readouterr().err


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_list_shows_every_check(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--list", "--lang", language]) == ExitCode.GOOD
    listed = capsys.readouterr().out

    assert all(check.id in listed for check in catalogue())


def test_escape_sequences_of_a_log_never_reach_the_terminal(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = files / "evil.log"
    evil.write_text("\x1b]0;owned\x07\x1b[2J\x9b31m" + BROKEN.replace("libhccl", "lib\x1b[31mhccl"))

    run(["doctor", "--log", str(evil), "-v"])

    assert not set(capsys.readouterr().out) & {"\x1b", "\x07", "\x9b"}


def test_the_program_itself(files: Path) -> None:
    """The installed script, as a user runs it: streams, exit code, and no colours in a pipe."""
    program = Path(sys.executable).with_name("ascendenv")

    done = subprocess.run(
        [program, "doctor", "--log", files / "broken.log"], capture_output=True, text=True, check=False
    )

    assert done.returncode == ExitCode.FINDINGS
    assert done.stderr == ""
    assert "libhccl.so" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_reader_that_goes_away_is_no_error(files: Path) -> None:
    program = Path(sys.executable).with_name("ascendenv")
    with subprocess.Popen(
        [program, "doctor", "--list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        errors = child.stderr.read()

    assert errors == ""


@pytest.mark.slow
def test_a_huge_log_is_read_in_flat_memory(tmp_path: Path) -> None:
    big = tmp_path / "big.log"
    line = b"step 1 loss=0.5 lr=1e-05 grad_norm=0.25 throughput=1234.5\n" * 20000
    with big.open("wb") as stream:
        for _ in range(400):
            stream.write(line)
        stream.write(BROKEN.encode())
    program = Path(sys.executable).with_name("ascendenv")

    # A child counts the memory of whoever forked it, so a small process starts the one that is measured.
    measured = subprocess.run(
        [sys.executable, "-c", MEASURE, program, "doctor", "--log", big, "--format", "json"],
        capture_output=True,
        text=True,
        check=True,
    )
    answer, _, peak_kb = measured.stdout.rpartition("\n")

    assert json.loads(answer)["findings"]
    assert int(peak_kb) / 1024 < 100
