"""`ascendenv matrix import`: what upstream publishes against the rows that stand, and into them on demand."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from ascendenv.cli.options import Lang, TextOrJson, TextOrJsonOption
from ascendenv.errors import ExitCode, UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from pathlib import Path

    from ascendenv.matrix.model import Matrix
    from ascendenv.sources.standing import Standing

__all__ = ["HELP", "import_"]

HELP = say(
    "Read what upstream publishes, show how it differs from the matrix, and write it with --write; "
    "1 where something is left to write."
)
KINDS = ("compatibility", "support", "deployer", "images", "vllm-ascend", "version-info", "index")


@dataclass(frozen=True)
class _Target:
    """What is compared and written to: `folder` is None where only the shipped matrix stands, which nobody writes."""

    folder: Path | None
    matrix: Matrix
    standing: Standing

    @property
    def shown(self) -> str:
        return str(self.folder) if self.folder is not None else str(say("the shipped matrix"))


def import_(
    kind: Annotated[str, typer.Argument(metavar="KIND", help=", ".join(KINDS), show_default=False)],
    document: Annotated[
        str,
        typer.Argument(
            metavar="FILE_OR_URL",
            help=str(
                say("A file, an https address, - for standard input; for some kinds a folder or wheel.")
            ),
            show_default=False,
        ),
    ],
    write: Annotated[
        bool,
        typer.Option("--write", help=str(say("Write what is new, changed or disputed into the matrix."))),
    ] = False,
    matrix: Annotated[
        str | None,
        typer.Option(
            "--matrix",
            metavar="DIR",
            help=str(
                say(
                    "The matrix folder to compare with and to write to, whole or a site's; default: the checkout's."
                )
            ),
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="DATE",
            help=str(say("The day the document was read or published; default today.")),
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source",
            metavar="TEXT",
            help=str(
                say(
                    "How rows name the document: Ascend/pytorch:COMPATIBILITY.md@9e73e70; default its address."
                )
            ),
        ),
    ] = None,
    repository: Annotated[
        str | None,
        typer.Option(
            "--repository", metavar="NAME", help=str(say("The image repository of a list of tags."))
        ),
    ] = None,
    format_: TextOrJsonOption = TextOrJson.TEXT,
    lang: Lang = None,
) -> None:
    from ascendenv.cli.matrix_input import day_of
    from ascendenv.sources.comparison import compare
    from ascendenv.sources.kinds import Asked, source_kind
    from ascendenv.sources.material import read_material
    from ascendenv.sources.origin import Origin

    found = source_kind(kind)
    day = day_of(at)
    target = _target(matrix)
    if write and target.folder is None:
        raise UnusableInput(say("--write needs a matrix folder"), hint=say("name it with --matrix DIR"))
    asked = Asked(Origin(day, source), target.matrix, repository)
    comparison = compare(found.read(read_material(document, found.wanted), asked), target.standing, asked)
    written: tuple[str, ...] = ()
    if write and comparison.to_write:
        from ascendenv.sources.writing import write as write_findings

        written = write_findings(comparison, target.standing)
        if any(one.source.startswith("file ") for one in comparison.to_write):
            words = say("the rows name only a file as their source; --source says where it comes from")
            print(words, file=sys.stderr)
    if format_ is TextOrJson.JSON:
        from ascendenv.sources.record import import_record

        record = import_record(
            comparison, kind=found.name, document=document, at=day, matrix=target.shown, written=written
        )
        print(json.dumps(record, ensure_ascii=False, indent=2))
    else:
        from ascendenv.cli.matrix_import_text import print_comparison

        print_comparison(comparison, document, target.shown)
        _print_outcome(target, written, is_left=bool(comparison.to_write) and not write)
    raise typer.Exit(ExitCode.FINDINGS if comparison.to_write and not write else ExitCode.GOOD)


def _target(folder: str | None) -> _Target:
    """The folder that is named, or else the checkout's; the shipped matrix where there is none."""
    from ascendenv.cli.matrix_input import folder_of
    from ascendenv.matrix.lint import stands_alone
    from ascendenv.matrix.load import load_raw
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.store import shipped_matrix, with_site
    from ascendenv.sources.standing import Standing

    if folder is None:
        own = _shipped()
        is_checkout = own.folder is not None and own.folder.parent.name != "_data"
        return _Target(own.folder if is_checkout else None, shipped_matrix(), own)
    path = folder_of(folder)
    if stands_alone(path):
        return _Target(path, Matrix(load_raw(path)), Standing(path))
    return _Target(path, with_site(shipped_matrix(), path), Standing(path, below=_shipped()))


def _shipped() -> Standing:
    """The rows of the shipped matrix, from its files where they lie in a folder."""
    from pathlib import Path

    from ascendenv.matrix.store import shipped_artefacts, shipped_matrix
    from ascendenv.resources import data_folder
    from ascendenv.sources.standing import Standing

    folder = Path(data_folder("matrix"))
    if folder.is_dir():
        return Standing(folder)
    return Standing(None, raw={**shipped_matrix().raw, **shipped_artefacts().raw})


def _print_outcome(target: _Target, written: tuple[str, ...], *, is_left: bool) -> None:
    if written:
        print(say("Written in {folder}: {files}", folder=target.shown, files=", ".join(written)))
    elif is_left and target.folder is None:
        print(say("Nothing was written; --write --matrix DIR puts this into a folder of yours."))
    elif is_left:
        print(say("Nothing was written; --write puts this into {folder}.", folder=target.shown))
