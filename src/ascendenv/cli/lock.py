"""`ascendenv lock`: freezes the stack that the wishes in `ascendenv.toml` lead to, with every file and hash."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ascendenv.cli.options import Lang, MatrixFolder, TextOrJson, TextOrJsonOption, Verbose
from ascendenv.errors import ExitCode, UnusableInput
from ascendenv.language import Message, say

if TYPE_CHECKING:
    from ascendenv.lock.changes import Change
    from ascendenv.lock.compose import Known
    from ascendenv.lock.locking import Locking
    from ascendenv.lock.model import Lock

__all__ = ["HELP", "lock"]

HELP = say("Freeze the stack that the wishes in ascendenv.toml lead to, with every file and hash.")


@dataclass(frozen=True)
class _Asked:
    """The options of one run."""

    spec: Path
    lock: Path
    words: tuple[str, ...]
    stacks: tuple[str, ...]
    matrix: tuple[str, ...]
    today: str
    as_json: bool


def lock(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[COMPONENT...|SNAPSHOT]",
            help=str(say("With --upgrade what is to become newer, with --adopt a snapshot.")),
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help=str(say("Only say whether the lock still follows from wishes and matrix; 0 or 1.")),
        ),
    ] = False,
    upgrade: Annotated[
        bool,
        typer.Option(
            "--upgrade",
            help=str(say("Take newer versions: of all, or of the components and packages that are named.")),
        ),
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help=str(say("Say why each version of the lock was taken.")))
    ] = False,
    adopt: Annotated[
        bool,
        typer.Option(
            "--adopt", help=str(say("Make the lock from what this machine, or that of a snapshot, runs."))
        ),
    ] = False,
    spec: Annotated[
        str, typer.Option("--spec", metavar="FILE", help=str(say("The wishes.")))
    ] = "ascendenv.toml",
    file: Annotated[
        str | None,
        typer.Option(
            "--lock", metavar="FILE", help=str(say("The lock; ascendenv.lock beside the wishes by default."))
        ),
    ] = None,
    stack: Annotated[
        list[str] | None,
        typer.Option(
            "--stack", metavar="NAME", help=str(say("Only this stack; may be given several times."))
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at", metavar="DATE", help=str(say("The day that life-cycles are judged by; default today."))
        ),
    ] = None,
    format_: TextOrJsonOption = TextOrJson.TEXT,
    matrix: MatrixFolder = None,
    lang: Lang = None,
    verbose: Verbose = False,
) -> None:
    from ascendenv.cli.matrix_input import day_of

    _refuse_mixture(
        words or [], {"--check": check, "--upgrade": upgrade, "--explain": explain, "--adopt": adopt}
    )
    asked = _Asked(
        spec=Path(spec),
        lock=Path(file) if file is not None else Path(spec).with_name("ascendenv.lock"),
        words=tuple(words or ()),
        stacks=tuple(stack or ()),
        matrix=tuple(matrix or ()),
        today=day_of(at),
        as_json=format_ is TextOrJson.JSON,
    )
    if check:
        raise typer.Exit(_check(asked))
    if explain:
        _explain(asked)
    elif adopt:
        _adopt(asked)
    else:
        _lock(asked, upgrade=upgrade)


def _refuse_mixture(words: list[str], flags: dict[str, bool]) -> None:
    chosen = [name for name, given in flags.items() if given]
    if len(chosen) > 1:
        raise UnusableInput(say("{flags}: only one of these can be given", flags=" ".join(chosen)))
    if words and not (flags["--upgrade"] or flags["--adopt"]):
        raise UnusableInput(
            say("{word}: names go with --upgrade or --adopt", word=words[0]),
            hint=Message(f"ascendenv lock --upgrade {words[0]}"),
        )
    if flags["--adopt"] and len(words) > 1:
        raise UnusableInput(say("--adopt takes one snapshot"))


def _lock(asked: _Asked, *, upgrade: bool) -> None:
    from ascendenv.lock.changes import changes
    from ascendenv.lock.lock_file import read_lock
    from ascendenv.lock.locking import EVERYTHING, made
    from ascendenv.lock.writing import only_writer

    with only_writer(asked.lock):
        before = read_lock(asked.lock) if asked.lock.exists() else None
        locking = _locking(asked, before, (asked.words or (EVERYTHING,)) if upgrade else ())
        found = made(locking)
        changed = changes(before, found)
        if upgrade:
            _tell_of_newest(asked.words, changed)
        _write(asked, found, changed)


def _tell_of_newest(words: tuple[str, ...], changed: tuple[Change, ...]) -> None:
    """Say on stderr which of these could not become newer."""
    from ascendenv.lock.locking import component_of

    moved = {component_of(one.what) for one in changed}
    for word in words:
        if component_of(word) not in moved:
            print(say("{name}: nothing newer fulfils the wishes and the matrix", name=word), file=sys.stderr)


def _adopt(asked: _Asked) -> None:
    from ascendenv.cli.inputs import Inputs
    from ascendenv.lock.adopt import adopted
    from ascendenv.lock.adopt_wheels import wheels_of
    from ascendenv.lock.changes import changes
    from ascendenv.lock.lock_file import read_lock
    from ascendenv.lock.model import Lock
    from ascendenv.lock.spec import Sources
    from ascendenv.lock.spec_file import ONLY, read_spec
    from ascendenv.lock.writing import only_writer

    if len(asked.stacks) > 1:
        raise UnusableInput(say("--adopt makes one stack"))
    known = _known(asked)
    sources = read_spec(asked.spec, known.matrix).sources if asked.spec.exists() else Sources()
    facts = Inputs(snapshot=asked.words[0] if asked.words else None).facts()
    found = adopted(facts, asked.stacks[0] if asked.stacks else ONLY, known)
    whole = found.with_wheels(*wheels_of(facts, found.stack, known.matrix, sources))
    with only_writer(asked.lock):
        before = read_lock(asked.lock) if asked.lock.exists() else Lock(stacks=())
        others = [one for one in before.stacks if one.name != whole.stack.name]
        after = Lock(stacks=tuple(sorted([*others, whole.stack], key=lambda one: one.name)))
        _write(asked, after, changes(before, after))


def _write(asked: _Asked, found: Lock, changed: tuple[Change, ...]) -> None:
    from ascendenv.cli.lock_text import print_lock
    from ascendenv.lock.record import lock_record
    from ascendenv.lock.writing import write_all

    written = [str(one) for one in write_all(asked.lock, found)]
    if asked.as_json:
        _print_json(lock_record(str(asked.lock), found, changed, written))
    else:
        print_lock(str(asked.lock), found, changed, written)


def _check(asked: _Asked) -> ExitCode:
    from ascendenv.cli.lock_text import print_check
    from ascendenv.lock.check import differences
    from ascendenv.lock.lock_file import read_lock
    from ascendenv.lock.record import check_record

    found = read_lock(asked.lock)
    told = differences(_locking(asked, found), found, asked.lock)
    if asked.as_json:
        _print_json(check_record(str(asked.lock), told))
    else:
        print_check(str(asked.lock), told)
    return ExitCode.GOOD if all(one.harmless for one in told) else ExitCode.FINDINGS


def _explain(asked: _Asked) -> None:
    from ascendenv.cli.lock_text import print_explanation
    from ascendenv.lock.explain import explained
    from ascendenv.lock.lock_file import read_lock
    from ascendenv.lock.record import explanation_record
    from ascendenv.lock.spec_file import read_spec

    known = _known(asked)
    found = read_lock(asked.lock)
    wishes = read_spec(asked.spec, known.matrix).stacks if asked.spec.exists() else {}
    told = {
        one: explained(known.matrix, one, wishes.get(one.name), asked.today)
        for one in found.stacks
        if not asked.stacks or one.name in asked.stacks
    }
    if asked.as_json:
        _print_json(explanation_record(str(asked.lock), told))
    else:
        print_explanation(told)


def _locking(asked: _Asked, before: Lock | None, upgrade: tuple[str, ...] = ()) -> Locking:
    from ascendenv.lock.locking import Locking
    from ascendenv.lock.spec_file import read_spec

    known = _known(asked)
    return Locking(
        spec=read_spec(asked.spec, known.matrix),
        known=known,
        before=before,
        upgrade=upgrade,
        only=asked.stacks,
        folder=asked.spec.parent,
        today=asked.today,
    )


def _known(asked: _Asked) -> Known:
    from ascendenv.cli.matrix_input import folder_of
    from ascendenv.lock.compose import Known
    from ascendenv.lock.matrix_digest import matrix_digest
    from ascendenv.matrix.store import artefacts_with_site, shipped_artefacts, shipped_matrix, with_site

    matrix, artefacts = shipped_matrix(), shipped_artefacts()
    for name in asked.matrix:
        folder = folder_of(name)
        matrix, artefacts = with_site(matrix, folder), artefacts_with_site(artefacts, folder)
    return Known(matrix, artefacts, matrix_digest(matrix, artefacts))


def _print_json(record: object) -> None:
    print(json.dumps(record, ensure_ascii=False, indent=2))
