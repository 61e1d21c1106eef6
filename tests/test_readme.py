"""What the READMEs show is what the program prints; `UPDATE_GOLDEN=1 pytest ...` writes the samples anew."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from ascendenv.cli.run import run
from ascendenv.errors import ExitCode
from ascendenv.language import use_language

ROOT = Path(__file__).resolve().parents[1]
READMES = ("README.md", "README.zh.md")
SAMPLE = re.compile(r"```console\n\$ ascendenv (?P<command>[^\n]+)\n(?P<output>.*?)```\n", re.DOTALL)
SHELL = re.compile(r"```bash\n(.*?)```", re.DOTALL)


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.mark.parametrize("name", READMES)
def test_the_sample_is_what_the_program_prints(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / name).read_text()
    sample = SAMPLE.search(text)
    assert sample is not None

    assert run(shlex.split(sample["command"])) == ExitCode.FINDINGS
    printed = capsys.readouterr().out
    use_language("en")
    if os.environ.get("UPDATE_GOLDEN"):
        start, end = sample.span("output")
        (ROOT / name).write_text(text[:start] + printed + text[end:])

    assert SAMPLE.search((ROOT / name).read_text())["output"] == printed  # type: ignore[index]


@pytest.mark.parametrize("name", READMES)
def test_the_matrix_commands_work(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = SHELL.findall((ROOT / name).read_text())
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("ascendenv matrix")]
    assert lines

    for line in lines:
        assert run(shlex.split(line)[1:]) == ExitCode.GOOD, line
        assert capsys.readouterr().out


def test_both_readmes_show_the_same_commands() -> None:
    english, chinese = (SHELL.findall((ROOT / name).read_text()) for name in READMES)

    assert [re.sub(r"#.*", "", block) for block in english] == [
        re.sub(r"#.*", "", block) for block in chinese
    ]
