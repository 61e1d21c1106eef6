"""The doctor as one zip file: pure Python, the same bytes each time, and it runs alone on every Python from 3.10 on."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from scripts.build_pyz import NotPure, build, pack

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "torch-mismatch"
OLDEST = (3, 10)


def pythons() -> list[str]:
    found = {sys.executable}
    for minor in range(OLDEST[1], 20):
        if path := shutil.which(f"python3.{minor}"):
            found.add(path)
    versions = Path.home() / ".pyenv" / "versions"
    found |= {str(path) for path in versions.glob("3.*/bin/python3")}
    return sorted(path for path in found if version_of(path) >= OLDEST)


def version_of(python: str) -> tuple[int, ...]:
    code = "import sys; print(*sys.version_info[:2])"
    answer = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return tuple(int(part) for part in answer.stdout.split()) if answer.returncode == 0 else (0,)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pyz")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
    )
    build(next(folder.glob("*.whl")), folder / "ascendenv.pyz")
    return folder / "ascendenv.pyz"


@pytest.mark.slow
@pytest.mark.parametrize("python", pythons())
def test_it_runs_alone(python: str, archive: Path, tmp_path: Path) -> None:
    """`-IS` and an empty environment: nothing but the file and the standard library is there."""
    answer = subprocess.run(
        [python, "-IS", archive, "doctor", "--log", EXAMPLE / "error.log", "--format", "json"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
    )

    assert answer.stderr == ""
    assert json.loads(answer.stdout)["findings"][0]["cause"] == "torch-npu-torch-mismatch"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["doctor"], (0, 1, 4), "Python"),
        (["explain", "-8005"], (0,), "-8005"),
        (["matrix", "check", "--cann", "8.2.RC1", "--torch-npu", "2.6.0"], (0, 4), "8.2.RC1"),
        (["collect", "--print-script"], (0,), "ascendenv"),
    ],
)
def test_what_else_it_can(arguments: list[str], code: tuple[int, ...], words: str, archive: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "-IS", archive, *arguments], capture_output=True, text=True, check=False
    )

    assert answer.returncode in code
    assert words in answer.stdout


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "tree" / "package").mkdir(parents=True)
    (tmp_path / "tree" / "package" / "__init__.py").write_text("x = 1\n")
    pack(tmp_path / "tree", tmp_path / "one.pyz")
    (tmp_path / "tree" / "package" / "__init__.py").touch()
    pack(tmp_path / "tree", tmp_path / "two.pyz")

    assert (tmp_path / "one.pyz").read_bytes() == (tmp_path / "two.pyz").read_bytes()


def test_compiled_code_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "fast.cpython-311-x86_64-linux-gnu.so").write_bytes(b"")

    with pytest.raises(NotPure, match="fast"):
        pack(tmp_path / "tree", tmp_path / "x.pyz")
