"""Tiny libraries and programs, made by gcc in some ten milliseconds each."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["library", "program", "resolved_by_ldd", "unresolved_by_ldd"]


def library(target: Path, source: str = "", *options: str, needs: tuple[Path, ...] = ()) -> Path:
    """A shared library of this C source without libc; its soname is its file name unless an option sets another one."""
    soname = () if any("-soname" in one for one in options) else (f"-Wl,-soname,{target.name}",)
    return _compile(target, source, "-shared", "-fPIC", "-nostdlib", *soname, *options, needs=needs)


def program(target: Path, source: str, *options: str, needs: tuple[Path, ...] = ()) -> Path:
    """A program that is linked with libc and with the libraries `needs`."""
    return _compile(target, source, *options, needs=needs)


def _compile(target: Path, source: str, *options: str, needs: tuple[Path, ...]) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    linking = ("-Wl,--no-as-needed", "-Wl,--allow-shlib-undefined", *options, *map(str, needs))
    command = ["gcc", "-w", "-x", "c", "-o", str(target), "-", "-x", "none", *linking]
    subprocess.run(command, input=source.encode(), check=True, capture_output=True)
    return target


def resolved_by_ldd(path: Path, **environment: str) -> dict[str, str | None]:
    """name -> path of all that the real loader would map for the file; None for what it does not find."""
    found: dict[str, str | None] = {}
    for line in _ldd([str(path)], environment).splitlines():
        name, arrow, place = line.strip().partition(" => ")
        if arrow:
            found[name] = None if place.startswith("not found") else place.rpartition(" (0x")[0]
    return found


def unresolved_by_ldd(path: str, **environment: str) -> set[str]:
    """The symbols that `ldd -r` calls undefined."""
    lines = _ldd(["-r", path], environment).splitlines()
    found = (line.partition("undefined symbol: ")[2] for line in lines)
    return {line.split()[0].rstrip(",") for line in found if line}


def _ldd(arguments: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["ldd", *arguments],
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr
