"""`ascendenv diff`: what differs between a box that works and one that does not."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ascendenv.cli.options import Lang, TextOrJson, TextOrJsonOption, Verbose
from ascendenv.errors import ExitCode, NothingChecked, UnusableInput
from ascendenv.language import say

__all__ = ["HELP", "diff"]

HELP = say("Compare two machines: snapshots, reports, logs, or this one.")


def diff(
    first: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help=str(say("A file, - for standard input, . for this machine, host:NODE over ssh.")),
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help=str(say("The other one.")))],
    python: Annotated[
        str | None,
        typer.Option("--python", metavar="PATH", help=str(say("The Python interpreter to look into."))),
    ] = None,
    pid: Annotated[
        int | None,
        typer.Option(
            "--pid", metavar="PID", help=str(say("A running process whose environment and libraries count."))
        ),
    ] = None,
    format_: TextOrJsonOption = TextOrJson.TEXT,
    verbose: Verbose = False,
    lang: Lang = None,
) -> None:
    """Print what matters first; what is the same is counted, and what only one of them tells is no difference."""
    from ascendenv.cli.side import read_side
    from ascendenv.compare.comparison import compare

    if first == second:
        raise UnusableInput(say("A and B are the same input"), where=first)
    if "." not in (first, second) and (python is not None or pid is not None):
        raise UnusableInput(say("--python and --pid look at this machine: give it as A or B with ."))
    found = compare(read_side(first, python, pid), read_side(second, python, pid))
    if not found.compared:
        raise NothingChecked(
            say("there is nothing that both of them tell"),
            where=f"{first} {second}",
            hint=say("compare snapshots: `ascendenv collect -o FILE` on each machine"),
        )
    if format_ is TextOrJson.JSON:
        from ascendenv.report.comparison_record import comparison_record
        from ascendenv.report.printable import json_text

        sys.stdout.write(json_text(comparison_record(found, first, second)))
    else:
        from ascendenv.report.comparison_text import print_comparison

        print_comparison(found, first, second, sys.stdout, verbose=verbose)
    raise typer.Exit(ExitCode.FINDINGS if found.differences else ExitCode.GOOD)
