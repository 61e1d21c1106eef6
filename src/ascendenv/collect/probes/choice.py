"""Which Python is the one in question, and by which rule."""

import json
import os
import re
import sys
from typing import Any, Dict, Optional, Tuple

from .command import Command
from .interpreter import describe_files, describe_interpreter
from .system import System

INTERPRETER_SECONDS = 10.0
PYTHON = re.compile(r"python[\d.]*")
SHIMS = "/shims/"


class Question:
    """The interpreter in question, asked in the background; `answer` is its description with the rule that chose it.

    `named` is a path or a name on PATH; `executable` that of a running process that is looked at.
    """

    def __init__(
        self,
        system: System,
        named: Optional[str],
        environ: Dict[str, str],
        executable: Optional[str],
        source: str,
    ) -> None:
        """Chooses the interpreter and starts it, unless it is our own."""
        self.system = system
        self.path, self.rule = choose(system, named, environ, executable)
        self.command: Optional[Command] = None
        if not is_ours(system, self.path):
            self.command = Command(system, [self.path, "-c", source], INTERPRETER_SECONDS, environ)

    def answer(self) -> Dict[str, Any]:
        """The description; where the interpreter does not answer, `failed` says why and its files tell the rest."""
        if self.command is None:
            record = describe_interpreter()
        else:
            answer = self.command.answer()
            try:
                record = json.loads(answer.get("stdout", ""))
            except ValueError:
                record = describe_files(self.system.at(self.path))
                record["executable"] = self.path
                record["failed"] = why_silent(answer)
        record["chosen_by"] = self.rule
        return dict(record)


def why_silent(answer: Dict[str, Any]) -> str:
    """The reason for which a program gave no answer, in its own last words where it has some."""
    last = [line for line in str(answer.get("stderr", "")).splitlines() if line.strip()][-1:]
    return str(answer.get("error") or (last[0] if last else "no answer"))


def is_ours(system: System, path: str) -> bool:
    """Whether the interpreter is the one that runs us; links are not followed, because they tell environments apart."""
    return not system.root and os.path.abspath(path) == os.path.abspath(sys.executable)


def choose(
    system: System, named: Optional[str], environ: Dict[str, str], executable: Optional[str]
) -> Tuple[str, str]:
    """(path, rule): the named one, that of the process, VIRTUAL_ENV, CONDA_PREFIX, python3 on PATH, else our own."""
    if named:
        return on_path(system, named, environ) or named, "--python"
    if executable and PYTHON.fullmatch(os.path.basename(executable)):
        return executable, "--pid"
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        path = os.path.join(environ.get(variable, ""), "bin", "python")
        if environ.get(variable) and system.exists(path):
            return path, variable
    found = on_path(system, "python3", environ)
    if found:
        return behind_shim(system, found, environ), "PATH"
    return sys.executable, "ours"


def on_path(system: System, name: str, environ: Dict[str, str]) -> Optional[str]:
    """The path of a program that is given by name, as the shell of `environ` finds it."""
    return System(system.root, dict(environ)).program(name)


def behind_shim(system: System, path: str, environ: Dict[str, str]) -> str:
    """The interpreter that a shim of pyenv starts, as its version files tell; the shim itself where they do not.

    The shim is a shell script that takes longer than all the rest of the collector.
    """
    root, shims, _ = path.partition(SHIMS)
    if not shims:
        return path
    chosen = environ.get("PYENV_VERSION") or version_file(system) or system.text(root + "/version")
    for version in chosen.split():
        real = "{}/versions/{}/bin/python3".format(root, version)
        if system.exists(real):
            return real
    return path


def version_file(system: System) -> str:
    """The content of the nearest `.python-version` in the working folder and those above it."""
    folder = os.getcwd()
    while True:
        text = system.text(os.path.join(folder, ".python-version"), 1024)
        if text.strip() or folder == os.path.dirname(folder):
            return text
        folder = os.path.dirname(folder)
