"""Puts findings into a matrix folder: whole rows and single keys, checked by `matrix lint` before a byte is written."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from ascendenv.errors import UnusableInput
from ascendenv.files import write_whole
from ascendenv.language import say
from ascendenv.matrix.lint import lint
from ascendenv.sources.comparison import Verdict
from ascendenv.sources.disputes import dispute_rows
from ascendenv.sources.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascendenv.sources.comparison import Comparison, Finding
    from ascendenv.sources.standing import Standing

__all__ = ["WouldBreak", "write"]

_COMES_FIRST = ("cann", "hdk", "torch")
"""What others refer to is written first, so that whatever happens no row points at nothing."""


class WouldBreak(UnusableInput):
    """The folder would not pass `matrix lint` with what was to be written."""

    code: ClassVar[str] = "would-break"


def write(comparison: Comparison, standing: Standing) -> tuple[str, ...]:
    """Write new and changed rows into the folder, contradictions into its list of them; the files that changed.

    Raises WouldBreak, and then nothing was written; UnusableInput where the folder cannot be written.
    """
    folder = standing.folder
    assert folder is not None  # noqa: S101  (the caller names the folder; tells the type checker)
    plan = Plan(standing, folder)
    for finding in sorted(comparison.to_write, key=_turn):
        if finding.verdict is Verdict.NEW:
            plan.add(finding)
        elif finding.verdict is Verdict.CHANGED:
            plan.change(finding)
    disputed = [one for one in comparison.to_write if one.verdict is Verdict.CONTRADICTION]
    for row in dispute_rows(disputed):
        plan.dispute(row)
    texts = plan.texts()
    try:
        _check(folder, texts)
        if (other := plan.changed_meanwhile()) is not None:
            words = say("somebody else wrote this file meanwhile, so nothing was written; run it again")
            raise UnusableInput(words, where=str(folder / other))
        for name, text in texts.items():
            write_whole(folder / name, text.encode())
    except OSError as error:
        words = say("this cannot be written: {reason}", reason=error.strerror or str(error))
        raise UnusableInput(words, where=str(folder)) from error
    return tuple(texts)


def _turn(finding: Finding) -> int:
    kind = finding.subject.kind
    return _COMES_FIRST.index(kind) if kind in _COMES_FIRST else len(_COMES_FIRST)


def _check(folder: Path, texts: Mapping[str, str]) -> None:
    """Refuse what would not pass: a copy of the folder is written to and looked at first."""
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "matrix"
        shutil.copytree(
            folder, copy, ignore=shutil.ignore_patterns("symbols", "signals", "error_codes", ".*")
        )
        for name, text in texts.items():
            write_whole(copy / name, text.encode())
        mistakes = lint(copy).mistakes
    if mistakes:
        lines = "\n".join(str(one) for one in mistakes)
        raise WouldBreak(
            say("nothing was written, because `matrix lint` would refuse it:\n{lines}", lines=lines),
            where=str(folder),
        )
