"""The contract of `ascendenv lock`: files, exit codes, streams, JSON, and an answer to every kind of bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from tests.lock.conftest import WHEELS
from tests.lock.index import Index, index_in, serving

from ascendenv.cli.run import run
from ascendenv.errors import ExitCode
from ascendenv.lock.lock_file import read_lock
from ascendenv.lock.toml_file import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "schemas" / "lock.schema.json").read_text())
SPEC = """\
[sources]
index = "{simple}"
torch_index = "{cpu}"

[stack.prod]
chip = "910B3"
arch = ["aarch64", "x86_64"]
cann = "8.5.0"
torch_npu = "2.9.0"
python = "3.11"
op_compiler = false
pip = ["accelerate"]
profile = "training"
"""
SNAPSHOT: dict[str, object] = {
    "schema_version": 1,
    "machine": {
        "uname": {"arch": "aarch64", "kernel": "5.10.0", "system": "Linux"},
        "files": {
            "/etc/os-release": {"text": 'ID=ubuntu\nVERSION_ID="22.04"\nPRETTY_NAME="Ubuntu 22.04.5 LTS"\n'}
        },
    },
    "driver": {
        "files": {
            "/usr/local/Ascend/driver/version.info": {"text": "Version=25.5.0\npackage_version=25.5.0\n"}
        }
    },
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("index")
    index_in(folder, WHEELS)
    with serving(folder) as served:
        yield served


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def project(index: Index, cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with wishes, and the working folder of the test."""
    for name in ("UV_OFFLINE", "PIP_INDEX_URL", "UV_DEFAULT_INDEX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UV_CACHE_DIR", cache)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ascendenv.toml").write_text(SPEC.format(simple=index.simple, cpu=index.cpu))
    return tmp_path


@pytest.fixture
def locked(project: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert run(["lock"]) == ExitCode.GOOD
    capsys.readouterr()
    return project


def wish(project: Path, old: str, new: str) -> None:
    path = project / "ascendenv.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = run(["lock", *arguments, "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_lock_is_written_with_the_files_beside_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, record = answer(capsys)

    assert code == ExitCode.GOOD
    assert record["schema_version"] == 1
    (stack,) = record["stacks"]
    assert stack["versions"]["torch_npu"] == "2.9.0"
    assert stack["level"] == "recommended"
    assert "Ascend-cann-nnal_8.5.0_linux-aarch64.run" in stack["unverified"]
    assert len(record["written"]) == 5
    jsonschema.validate(read_toml(project / "ascendenv.lock", "x").data, SCHEMA)
    found = read_lock(project / "ascendenv.lock").stacks[0]
    assert {one.version for one in found.artefacts("x86_64") if one.name == "torch"} == {"2.9.0+cpu"}
    requirements = (project / "ascendenv.lock.d" / "prod-aarch64.requirements.txt").read_text()
    assert "accelerate==1.12.0 \\\n    --hash=sha256:" in requirements


def test_locking_again_changes_nothing(locked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (locked / "ascendenv.lock").read_bytes()

    code, record = answer(capsys)

    assert (code, record["changes"], record["written"]) == (ExitCode.GOOD, [], [])
    assert (locked / "ascendenv.lock").read_bytes() == before


def test_the_text_names_versions_changes_and_doubts(locked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wish(locked, 'cann = "8.5.0"', 'cann = "8.5.0"\ndriver = "25.5.2"')

    assert run(["lock"]) == ExitCode.GOOD

    text = capsys.readouterr().out
    assert "stack prod: compatible" in text
    assert "driver: 25.5.1 -> 25.5.2" in text
    assert "unverified, because no hash is published: " in text
    assert "ascendenv fetch --add FILE" in text
    assert "ascendenv.lock is written" in text


@pytest.mark.parametrize(
    ("old", "new", "code", "told"),
    [
        ("", "", ExitCode.GOOD, []),
        (
            'profile = "training"',
            'profile = "inference"',
            ExitCode.FINDINGS,
            ["purpose training would be inference"],
        ),
        ('pip = ["accelerate"]', "pip = []", ExitCode.FINDINGS, ["no longer asked for accelerate"]),
        ('cann = "8.5.0"', 'cann = ">=8.5"', ExitCode.GOOD, []),
    ],
)
def test_the_check_answers_by_exit_code(  # noqa: PLR0917  (one row a case)
    old: str, new: str, code: ExitCode, told: list[str], locked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if old:
        wish(locked, old, new)
    before = {path: path.read_bytes() for path in locked.rglob("*") if path.is_file()}

    found, record = answer(capsys, "--check")

    assert found == code
    assert record["follows"] == (code == ExitCode.GOOD)
    assert all(any(text in one["message"] for one in record["differences"]) for text in told)
    assert {path: path.read_bytes() for path in locked.rglob("*") if path.is_file()} == before
    assert run(["lock", "--check"]) == code
    assert ("`ascendenv lock` makes it follow." in capsys.readouterr().out) == (code != ExitCode.GOOD)


def test_an_upgrade_by_name_moves_one_thing(locked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, record = answer(capsys, "--upgrade", "driver")

    assert code == ExitCode.GOOD
    assert {one["what"] for one in record["changes"]} <= {"driver", "firmware"}
    assert {one["direction"] for one in record["changes"] if one["what"] == "driver"} == {"up"}


def test_what_cannot_become_newer_is_told_beside_the_answer(
    locked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["lock", "--upgrade", "cann", "accelerate", "--format", "json"])

    captured = capsys.readouterr()
    assert (code, json.loads(captured.out)["changes"]) == (ExitCode.GOOD, [])
    assert "cann: nothing newer fulfils the wishes" in captured.err
    assert "accelerate: nothing newer" in captured.err


def test_an_upgrade_of_all_follows_the_wishes(locked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, record = answer(capsys, "--upgrade")

    assert (code, record["changes"]) == (ExitCode.GOOD, [])


def test_the_explanation_names_relations_sources_and_the_rejected(
    locked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, record = answer(capsys, "--explain")

    assert code == ExitCode.GOOD
    components = {one["component"]: one for one in record["stacks"][0]["components"]}
    assert components["cann"]["wish"] == "8.5.0"
    assert all(one["sources"] for one in components["cann"]["relations"])
    assert components["cann"]["rejected"]
    assert run(["lock", "--explain"]) == ExitCode.GOOD
    text = capsys.readouterr().out
    assert "the wish cann = '8.5.0' leaves it out" in text
    assert "+ recommended: cann 8.5.0 + driver" in text


def test_several_stacks_are_locked_apart(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (project / "ascendenv.toml").read_text()
    canary = (
        text[text.index("[stack.prod]") :]
        .replace("stack.prod", "stack.canary")
        .replace("2.9.0", "2.9.0.post2")
    )
    (project / "ascendenv.toml").write_text(f"{text}\n{canary}")

    code, record = answer(capsys, "--stack", "canary")
    assert (code, [one["name"] for one in record["stacks"]]) == (ExitCode.GOOD, ["canary"])
    before = record["stacks"][0]["digest"]

    code, record = answer(capsys)
    assert [one["name"] for one in record["stacks"]] == ["canary", "prod"]
    assert record["stacks"][0]["digest"] == before


def test_a_sites_matrix_has_its_say(locked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = locked / "site"
    site.mkdir()
    (site / "breaks.yaml").write_text(
        '- id: site-no-2551\n  given: {driver: "25.5.1"}\n  cause: {en: "it hung here", zh: "x"}\n'
        '  source: ["our log"]\n'
    )

    code, record = answer(capsys, "--check", "--matrix", "site")

    assert code == ExitCode.FINDINGS
    assert any("driver 25.5.1 would be" in one["message"] for one in record["differences"])


def test_a_sites_files_bring_their_hash(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = project / "site" / "artefacts" / "hdk"
    folder.mkdir(parents=True)
    (folder / "25.5.1.yaml").write_text(
        'component: hdk\nrelease: "25.5.1"\nfiles:\n  - package: firmware\n    version: "7.8.0.6.201"\n'
        "    filename: Ascend-hdk-910b-npu-firmware_7.8.0.6.201.run\n    format: run\n    family: 910B\n"
        f'    sha256: "{"7" * 64}"\n    verified_by: deployer\n    source: ["our store"]\n'
    )

    _, record = answer(capsys, "--matrix", "site")

    assert "Ascend-hdk-910b-npu-firmware_7.8.0.6.201.run" not in record["stacks"][0]["unverified"]


@pytest.fixture
def snapshot(project: Path) -> Path:
    path = project / "node.json"
    path.write_text(json.dumps(SNAPSHOT))
    return path


def test_a_machine_is_adopted_from_its_snapshot(
    snapshot: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, record = answer(capsys, "--adopt", "node.json", "--stack", "node")

    assert code == ExitCode.GOOD
    (stack,) = record["stacks"]
    assert stack["versions"] == {"driver": "25.5.0"}
    assert any(one.startswith("firmware:") for one in stack["unknown"])
    assert read_lock(project / "ascendenv.lock").stacks[0].name == "node"


def test_adopting_keeps_the_other_stacks(
    snapshot: Path, locked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, record = answer(capsys, "--adopt", "node.json", "--stack", "node")

    assert (code, [one["name"] for one in record["stacks"]]) == (ExitCode.GOOD, ["node", "prod"])


def test_a_snapshot_without_a_stack_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "node.json").write_text(json.dumps({**SNAPSHOT, "driver": {}}))

    code, record = answer(capsys, "--adopt", "node.json")

    assert code == ExitCode.NOTHING_CHECKED
    assert "no stack was seen" in record["error"]["message"]
    assert not (project / "ascendenv.lock").exists()


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        (("cann =", "can ="), "spec-mistakes", "there is no key can here; the nearest one is cann"),
        (('"8.5.0"', '"8.5.0'), "spec-mistakes", "this is not TOML"),
        (('cann = "8.5.0"', 'cann = "9.2.0"\ndriver = "25.0.RC1"'), "wishes-clash", "these together"),
        (
            ('pip = ["accelerate"]', 'pip = ["greedy"]'),
            "pip-set-clash",
            "would bring CUDA: cuda-toolkit 13.0",
        ),
        (('pip = ["accelerate"]', 'pip = ["nosuch"]'), "pip-set-clash", "nosuch"),
        (("910B3", "910Z"), "spec-mistakes", "the matrix does not know 910Z"),
    ],
)
def test_bad_wishes_are_told_and_leave_the_lock(
    change: tuple[str, str], code: str, told: str, locked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (locked / "ascendenv.lock").read_bytes()
    wish(locked, *change)

    exit_code, record = answer(capsys)

    assert exit_code == ExitCode.UNUSABLE_INPUT
    assert record["error"]["code"] == code
    assert told in record["error"]["message"]
    assert (locked / "ascendenv.lock").read_bytes() == before


def test_a_lock_edited_by_hand_is_told_by_line(locked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = locked / "ascendenv.lock"
    path.write_text(path.read_text().replace('firmware = "7.8.0.6.201"', 'firmware = "7.8.0.6.202"'))
    line = path.read_text().split('firmware = "7.8.0.6.202"')[0].count("\n") + 1

    for arguments in (["--check"], ["--explain"], []):
        code, record = answer(capsys, *arguments)
        assert code == ExitCode.UNUSABLE_INPUT
        assert (
            f"ascendenv.lock:{line}: stack.prod.hdk.firmware: this line was changed"
            in record["error"]["message"]
        )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--check", "--explain"], "--check --explain: only one of these can be given"),
        (["driver"], "driver: names go with --upgrade or --adopt"),
        (["--adopt", "a", "b"], "--adopt takes one snapshot"),
        (["--spec", "none.toml"], "there are no wishes here"),
        (["--check", "--lock", "none.lock"], "there is no lock here"),
        (["--stack", "none"], "there is no stack none in the wishes"),
        (["--at", "someday"], "this is no day"),
        (["--matrix", "none"], "there is no such folder"),
        (["--upgrade", "nothing"], "the lock has nothing called nothing"),
        (["--adopt", "none.json"], ""),
    ],
)
def test_a_wrong_command_line_is_told(
    arguments: list[str], told: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, record = answer(capsys, *arguments)

    assert code == ExitCode.UNUSABLE_INPUT
    assert told in record["error"]["message"]
    assert not (project / "ascendenv.lock").exists()


def test_the_words_are_chinese_too(locked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--lang", "zh", "lock", "--check"]) == ExitCode.GOOD
    assert "ascendenv.lock 与需求和配套表一致。" in capsys.readouterr().out
    assert run(["--lang", "en", "lock", "--help"]) == ExitCode.GOOD
    capsys.readouterr()


def test_a_killed_command_leaves_the_old_lock(locked: Path, index: Index) -> None:
    """Killed while uv runs: the old lock stands, and the next run works."""
    before = (locked / "ascendenv.lock").read_bytes()
    wish(locked, "op_compiler = false", "op_compiler = true")
    child = subprocess.Popen(
        [sys.executable, "-m", "ascendenv", "lock"], stdout=subprocess.DEVNULL, cwd=locked
    )
    try:
        child.wait(0.6)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()

    found = (locked / "ascendenv.lock").read_bytes()
    assert found == before or read_lock(locked / "ascendenv.lock")
    assert run(["lock"]) == ExitCode.GOOD
    assert run(["lock", "--check"]) == ExitCode.GOOD


def test_a_limit_on_files_is_told_and_leaves_the_old_lock(locked: Path) -> None:
    """As by `ulimit -f`; the pip set stays, so only the lock itself is written."""
    before = {path: path.read_bytes() for path in locked.rglob("*") if path.is_file()}
    wish(locked, 'cann = "8.5.0"', 'cann = "8.5.0"\ndriver = "25.5.2"')
    before[locked / "ascendenv.toml"] = (locked / "ascendenv.toml").read_bytes()
    command = f"ulimit -f 4; exec {sys.executable} -m ascendenv lock --format json"

    done = subprocess.run(["bash", "-c", command], cwd=locked, capture_output=True, check=False)

    assert done.returncode == ExitCode.HOST_FAILED
    assert "cannot be written: File too large" in json.loads(done.stdout)["error"]["message"]
    assert {path: path.read_bytes() for path in locked.rglob("*") if path.is_file()} == before


def test_a_folder_that_cannot_be_written_is_told(locked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if os.getuid() == 0:
        pytest.skip("root writes everywhere")
    wish(locked, 'profile = "training"', 'profile = "debug"')
    locked.chmod(0o555)

    code, record = answer(capsys)

    locked.chmod(0o755)
    assert code == ExitCode.HOST_FAILED
    assert "cannot be written" in record["error"]["message"]
