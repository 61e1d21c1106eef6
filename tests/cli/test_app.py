"""The command line is built as far as it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ascendenv.cli.app import command

ALL = list(command().commands)


@pytest.mark.parametrize("name", ALL)
def test_a_command_that_is_named_first_is_built_alone(name: str) -> None:
    command.cache_clear()
    alone = command((name, "--help"))
    assert list(alone.commands) == [name]
    command.cache_clear()
    assert alone.commands[name].help == command().commands[name].help


@pytest.mark.parametrize("arguments", [(), ("--help",), ("doctr",), ("--lang", "zh", "doctor")])
def test_else_all_are_there(arguments: tuple[str, ...]) -> None:
    command.cache_clear()
    assert list(command(arguments).commands) == ALL


def test_the_version_needs_none() -> None:
    command.cache_clear()
    assert not command(("--version",)).commands


def test_a_look_at_this_box_imports_nothing_of_other_commands() -> None:
    code = (
        "import sys; from ascendenv.cli.run import run; run(['doctor', '--list']); "
        "print([one for one in sys.modules if one in ('ascendenv.cli.matrix', 'ascendenv.cli.lock', "
        "'ascendenv.facts.text', 'pydantic', 'yaml', 'asyncio')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
