"""What is wrong with a matrix folder, patterns of logs and error codes included."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ascendenv.language import Message
from ascendenv.matrix.lint import Lint, lint
from ascendenv.matrix.yaml_file import Mistake
from ascendenv.signals.compile import compile_error_codes, compile_signals
from ascendenv.signals.sources import UnusableSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["mistakes_of"]

_TEXTS: dict[str, Callable[[Path], bytes]] = {"signals": compile_signals, "error_codes": compile_error_codes}


def mistakes_of(folder: Path) -> Lint:
    """Everything that is wrong in `folder`."""
    found = lint(folder)
    more = [one for name, make in _TEXTS.items() for one in _of_texts(folder, name, make)]
    return replace(found, mistakes=(*found.mistakes, *more))


def _of_texts(folder: Path, name: str, make: Callable[[Path], bytes]) -> Iterator[Mistake]:
    if not (folder / name).is_dir():
        return
    try:
        make(folder / name)
    except UnusableSource as error:
        for one in error.mistakes:
            file, _, line = one.where.rpartition(":")
            yield Mistake(f"{name}/{file}", int(line), "", Message(one.text))
