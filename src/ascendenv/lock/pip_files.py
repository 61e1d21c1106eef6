"""The pip set as pip reads it: requirements with the hash of every wheel, and constraints, for each stack and architecture.

They lie beside the lock in a folder of its name and `.d`, and can be made from the lock alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.lock.digest import part_digest

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ascendenv.lock.model import Artefact, Lock, Stack

__all__ = ["folder_of", "pip_files"]


def folder_of(lock: Path) -> Path:
    """The folder of the files that belong to the lock at that path."""
    return lock.with_name(f"{lock.name}.d")


def pip_files(lock: Lock) -> dict[str, str]:
    """The text of each file by its name, such as `prod-aarch64.requirements.txt`."""
    found = {}
    for stack in lock.stacks:
        for arch in stack.arch:
            wheels = [
                one for one in stack.part("python").artefacts if one.component == "pip" and one.is_for(arch)
            ]
            name = f"{stack.name}-{arch}"
            found[f"{name}.requirements.txt"] = _requirements(stack, arch, wheels)
            found[f"{name}.constraints.txt"] = _constraints(stack, arch, wheels)
    return found


def _requirements(stack: Stack, arch: str, wheels: Iterable[Artefact]) -> str:
    lines = [_head(stack, arch, "pip install --no-deps --require-hashes -r")]
    for one in wheels:
        hashed = f" \\\n    --hash=sha256:{one.sha256}" if one.sha256 is not None else ""
        lines.append(f"{one.name}=={one.version}{hashed}\n")
    return "".join(lines)


def _constraints(stack: Stack, arch: str, wheels: Iterable[Artefact]) -> str:
    return _head(stack, arch, "pip install -c") + "".join(f"{one.name}=={one.version}\n" for one in wheels)


def _head(stack: Stack, arch: str, command: str) -> str:
    return (
        f"# Written by `ascendenv lock`: stack {stack.name}, {arch}, Python {stack.value('python')}.\n"
        f"# Use with: {command} THIS_FILE\n"
        f"# python {part_digest(stack.part('python'), stack, arch)}\n"
    )
