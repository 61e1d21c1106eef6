"""The contract of `ascendenv fetch`: exit codes, streams, JSON, and words for every outcome."""

from __future__ import annotations

import io
import json
import os
import pty
import random
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.fetch.authority import Authority
from tests.fetch.builders import lock_of, row, wheel
from tests.fetch.runs import driver
from tests.fetch.server import Reply, running

from ascendenv.cli.fetch_progress import Lines
from ascendenv.cli.run import run
from ascendenv.language import say, use_language
from ascendenv.lock.lock_file import read_lock
from ascendenv.lock.writing import write_all

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.fetch.server import Server

    from ascendenv.lock.model import Artefact

BODY = random.Random(5).randbytes(20_000)
DRIVER = "Ascend-hdk-910b-npu-driver_25.5.0_linux-aarch64.run"


@pytest.fixture
def server() -> Iterator[Server]:
    with running() as found:
        yield found


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    use_language("en")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def locked(project: Path, *rows: Artefact) -> None:
    write_all(project / "ascendenv.lock", lock_of(*rows))


def toolkit(server: Server) -> Artefact:
    return row(BODY, server.serve("/t", Reply(BODY)), file="t.run", arch="aarch64")


def unknown_driver() -> Artefact:
    return row(None, component="driver", name="driver", version="25.5.0", file=DRIVER, arch="aarch64")


def run_json(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = run(["fetch", *arguments, "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


def test_everything_is_fetched(server: Server, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    locked(project, toolkit(server))

    code = run(["fetch"])

    told = capsys.readouterr()
    assert code == 0
    assert told.out == "bundle: 1 of 1 files, 19.5 KiB\n"
    assert "t.run: 19.5 KiB are here" in told.err
    assert (project / "bundle" / "cann" / "t.run").read_bytes() == BODY


def test_the_record_of_a_fetch(server: Server, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gone = wheel(b"?", server.url("/absent"))
    locked(project, toolkit(server), gone, unknown_driver())

    code, record = run_json("-o", "here", capsys=capsys)

    assert code == 5
    assert (record["bundle"], record["whole"], record["archive"]) == ("here", False, None)
    assert record["here"] == [
        {
            "file": "t.run",
            "what": "toolkit 9.0.0 aarch64 (t.run)",
            "size": 20_000,
            "sha256": toolkit(server).sha256,
            "verified": "vendor-hash",
            "consent": False,
            "path": "cann/t.run",
            "error": None,
        }
    ]
    assert "the file is not there (404)" in record["failed"][0]["error"]
    assert [one["file"] for one in record["unobtainable"]] == [DRIVER]


def test_what_the_site_has_to_get_is_exit_1(
    server: Server, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    locked(project, toolkit(server), unknown_driver())

    code = run(["fetch"])

    out = capsys.readouterr().out
    assert code == 1
    assert "1 of 2 files" in out
    assert f"driver 25.5.0 aarch64 ({DRIVER})" in out
    assert "ascendenv fetch --add FILE" in out


def test_what_could_not_be_fetched_is_exit_5(
    server: Server, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    locked(project, row(BODY, server.url("/absent")))

    assert run(["fetch"]) == 5
    assert "the file is not there (404)" in capsys.readouterr().out


def test_unvouched_files_are_told(server: Server, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    locked(project, row(None, server.serve("/x", Reply(BODY)), file="x.run"))

    assert run(["fetch"]) == 0
    assert "installing them needs your explicit word:\n  toolkit 9.0.0 (x.run)" in capsys.readouterr().out


def test_a_plan_asks_nobody_and_writes_nothing(
    server: Server, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    locked(project, toolkit(server), wheel(b"?"))
    before = sorted(project.rglob("*"))

    assert run(["fetch", "--dry-run"]) == 0
    out = capsys.readouterr().out
    code, record = run_json("--dry-run", capsys=capsys)

    assert "0 files are here, 2 would be fetched, 19.5 KiB" in out
    assert (code, len(record["to_fetch"]), record["size"]) == (0, 2, 20_001)
    assert not server.requests
    assert sorted(project.rglob("*")) == before


def test_the_archive_is_checked_like_the_folder(
    server: Server, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    locked(project, toolkit(server))

    assert run(["fetch", "--archive", "out/b.tar"]) == 0
    assert "out/b.tar" in capsys.readouterr().out
    for path in ("bundle", "out/b.tar"):
        assert run(["fetch", "--verify", path, "--lock", "ascendenv.lock"]) == 0
        assert "every byte as the manifest says" in capsys.readouterr().out


def test_one_flipped_bit_is_exit_1_and_named(
    server: Server, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    locked(project, toolkit(server))
    run(["fetch"])
    path = project / "bundle" / "cann" / "t.run"
    path.chmod(0o644)
    path.write_bytes(BODY[:500] + bytes([BODY[500] ^ 1]) + BODY[501:])
    capsys.readouterr()

    code = run(["fetch", "--verify", "bundle"])
    out = capsys.readouterr().out
    json_code, record = run_json("--verify", "bundle", capsys=capsys)

    assert (code, json_code) == (1, 1)
    assert out.startswith("cann/t.run: its sha256 is ")
    assert "1 of 7 files are not what they were" in out
    assert [(one["path"], one["kind"]) for one in record["flaws"]] == [("cann/t.run", "hash")]
    assert "`ascendenv fetch --repair -o bundle`" in out
    assert run(["fetch", "--repair", "-o", "bundle"]) == 0
    assert run(["fetch", "--verify", "bundle"]) == 0


def test_a_bundle_that_lacks_files_of_a_lock_is_exit_1(
    server: Server, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    locked(project, toolkit(server), unknown_driver())
    run(["fetch"])
    capsys.readouterr()

    assert run(["fetch", "--verify", "bundle"]) == 0
    assert run(["fetch", "--verify", "bundle", "--lock", "ascendenv.lock"]) == 1
    assert f"not in the bundle:\n  driver 25.5.0 aarch64 ({DRIVER})" in capsys.readouterr().out


def test_a_file_is_added(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    locked(project, unknown_driver())
    (project / "got").mkdir()
    (project / "got" / DRIVER).write_bytes(driver())
    (project / "got" / "holiday.jpg").write_bytes(b"x")

    assert run(["fetch", "--add", "got"]) == 0

    out = capsys.readouterr().out
    assert f"got/{DRIVER}: driver 25.5.0 aarch64 ({DRIVER})\n  nobody published its hash" in out
    assert "left out got/holiday.jpg: this is no package that is known by name or content" in out
    assert "approvals must be given again" in out
    assert read_lock(project / "ascendenv.lock").artefacts()[0].sha256


def test_a_signed_file_is_added_with_a_root_of_the_site(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    locked(project, unknown_driver())
    authority = Authority(project / "authority")
    (project / DRIVER).write_bytes(driver())
    authority.sign(project / DRIVER)

    assert run(["fetch", "--add", DRIVER]) == 2
    assert "does not come from the vendor" in capsys.readouterr().err
    code, record = run_json("--add", DRIVER, "--trust", str(authority.root), capsys=capsys)

    assert code == 0
    (added,) = record["added"]
    assert (added["verified"], added["signed_by"], added["revocation_checked"]) == ("cms", "CN=signer", False)
    assert record["digest"] != record["digest_before"]


def test_mirrors_and_the_index_of_the_wishes_are_used(
    server: Server, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "ascendenv.toml").write_text(
        '[stack]\nchip = "910B3"\narch = ["aarch64"]\n[sources]\n'
        f'index = "{server.url("/simple")}"\n'
        f'mirrors = [{{ prefix = "https://vendor.invalid/", url = "{server.url("/m/{path}")}" }}]\n'
    )
    server.serve("/m/a/t.run", Reply(BODY))
    server.serve(
        "/simple/six/",
        Reply(b'<a href="/w/six-1.17.0-py3-none-any.whl">x</a>', headers={"Content-Type": "text/html"}),
    )
    server.serve("/w/six-1.17.0-py3-none-any.whl", Reply(b"wheel"))
    locked(project, row(BODY, "https://vendor.invalid/a/t.run", file="t.run"), wheel(b"wheel"))

    assert run(["fetch"]) == 0
    assert "2 of 2 files" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--lock", "absent.lock"], "there is no lock here"),
        (["--stack", "prod"], "the lock has no stack prod"),
        (["--arch", "riscv"], "riscv is no architecture"),
        (["--add", "x", "--verify", "y"], "only one of these can be given"),
        (["--verify", "absent"], "no manifest here"),
        (["--add", "absent"], "there is no such file or folder"),
        (["--add", "ascendenv.lock", "--trust", "ascendenv.lock"], "there is no certificate in this file"),
        (["--add", "ascendenv.lock", "--trust", "absent"], "cannot be read"),
        (["--jobs", "0"], "0"),
    ],
)
def test_bad_input_is_exit_2(
    server: Server, project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    locked(project, toolkit(server))

    assert run(["fetch", *arguments]) == 2
    assert words in capsys.readouterr().err
    code, record = run_json(*arguments, capsys=capsys)
    assert code == 2
    assert record["error"]["message"]
    assert not server.requests


def test_words_are_there_in_chinese(
    server: Server, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    locked(project, toolkit(server), unknown_driver())

    assert run(["--lang", "zh", "fetch"]) == 1

    told = capsys.readouterr()
    assert "个文件" in told.out
    assert "fetch --add" in told.out


def test_help_needs_no_library_of_the_network() -> None:
    code = "import sys; from ascendenv.cli.run import run; run(['fetch', '--help']); print({'requests', 'pydantic', 'yaml'} & sys.modules.keys())"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "--archive" in done.stdout
    assert done.stdout.endswith("set()\n")


def test_a_terminal_sees_bars(server: Server, project: Path) -> None:
    locked(project, row(BODY, server.serve("/t", Reply(BODY, block=500, pause=0.02)), file="[bold]t.run"))
    controller, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}

    done = subprocess.Popen(
        [sys.executable, "-m", "ascendenv", "fetch"], stderr=terminal, stdout=subprocess.PIPE, env=environment
    )
    os.close(terminal)
    told = read_all(controller)
    out, _ = done.communicate()

    assert done.returncode == 0
    assert b"[bold]t.run" in told
    assert "━".encode() in told
    assert out == b"bundle: 1 of 1 files, 19.5 KiB\n"


def read_all(handle: int) -> bytes:
    found = b""
    while True:
        try:
            block = os.read(handle, 4096)
        except OSError:  # the other side was closed
            block = b""
        if not block:
            os.close(handle)
            return found
        found += block


def test_lines_come_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    told, clock = io.StringIO(), [0.0]
    monkeypatch.setattr(sys, "stderr", told)
    monkeypatch.setattr("ascendenv.cli.fetch_progress.time.monotonic", lambda: clock[0])
    lines = Lines()

    lines.begin("a.run", None, 0)
    lines.begin("a.run", 4096, 0)
    for second in range(25):
        clock[0] = float(second)
        lines.grew("a.run", second * 100)
    lines.note("a.run", say("the server sends next to nothing"))
    lines.end("a.run")

    assert told.getvalue().splitlines() == [
        "a.run: ?, 0 B are here",
        "a.run: 1000 B of 4.0 KiB",
        "a.run: 2.0 KiB of 4.0 KiB",
        "a.run: the server sends next to nothing",
        "a.run: 2.3 KiB are here",
    ]
