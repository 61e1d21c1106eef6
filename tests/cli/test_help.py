"""Help screens and completions: whole, in one language, and inside of 80 columns."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import lru_cache

import pytest
from rich.cells import cell_len

# Help texts take the language in which the commands are defined, so each language has its own process.
_SCREENS = """
import contextlib, io, json, sys
from ascendenv.language import use_language
use_language(sys.argv[1])
from ascendenv.cli.app import command

def walk(one, path):
    yield path
    for name, child in getattr(one, "commands", {}).items():
        yield from walk(child, [*path, name])

screens = {}
for path in walk(command(), []):
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        command().main([*path, "--help"], prog_name="ascendenv", standalone_mode=False)
    screens[" ".join(path)] = shown.getvalue()
print(json.dumps(screens))
"""
ENVIRONMENT = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}


@lru_cache(maxsize=2)
def screens(language: str) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", _SCREENS, language],
        capture_output=True,
        text=True,
        check=True,
        env=ENVIRONMENT,
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_command_has_a_whole_screen(language: str) -> None:
    assert {"", "doctor", "collect", "explain", "diff", "matrix", "matrix check"} <= set(screens(language))
    for path, screen in screens(language).items():
        assert "…" not in screen, path
        assert max(cell_len(line) for line in screen.splitlines()) <= 80, path


def test_both_languages_have_the_same_commands_and_options() -> None:
    english, chinese = screens("en"), screens("zh")

    assert set(english) == set(chinese)
    for path in english:
        assert set(re.findall(r"--[a-z-]+", english[path])) <= set(re.findall(r"--[a-z-]+", chinese[path])), (
            path
        )


@pytest.mark.parametrize(
    "word", ["Options", "Commands", "Arguments", "Show this", "[required]", "completion for"]
)
def test_chinese_screens_have_no_english_of_the_parser(word: str) -> None:
    assert [path for path, screen in screens("zh").items() if word in screen] == []


def completed(shell: str, line: str) -> str:
    """What the completion of that shell would offer after `line`."""
    words = line.split()
    variables = {
        "_ASCENDENV_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - (not line.endswith(" "))),
    }
    program = os.path.join(os.path.dirname(sys.executable), "ascendenv")  # noqa: PTH118, PTH120
    done = subprocess.run(
        [program], capture_output=True, text=True, check=False, env={**ENVIRONMENT, **variables}
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("shell", "line", "offered"),
    [
        ("bash", "ascendenv do", "doctor"),
        ("bash", "ascendenv doctor --wai", "--waivers"),
        ("bash", "ascendenv doctor --format ", "prometheus"),
        ("zsh", "ascendenv matrix pi", "pick"),
        ("fish", "ascendenv diff --form", "--format"),
    ],
)
def test_shells_are_offered_what_fits(shell: str, line: str, offered: str) -> None:
    assert offered in completed(shell, line)


def test_the_completion_is_a_script_that_bash_reads() -> None:
    program = os.path.join(os.path.dirname(sys.executable), "ascendenv")  # noqa: PTH118, PTH120
    variables = {**ENVIRONMENT, "_ASCENDENV_COMPLETE": "source_bash"}
    script = subprocess.run([program], capture_output=True, text=True, check=False, env=variables).stdout

    assert "complete" in script
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0
