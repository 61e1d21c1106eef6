"""`ascendenv collect`: records what tells why a machine is broken; changes nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ascendenv.cli.options import Lang
from ascendenv.errors import UnusableInput
from ascendenv.language import say

__all__ = ["HELP", "collect"]

HELP = say("Record what tells why this machine is broken, for `doctor --snapshot` on another one.")


def collect(
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE|-", help=str(say("Where to write; - is standard output."))
        ),
    ] = "-",
    python: Annotated[
        str | None,
        typer.Option("--python", metavar="PATH", help=str(say("The Python interpreter to look into."))),
    ] = None,
    pid: Annotated[
        int | None,
        typer.Option("--pid", help=str(say("A running process whose environment and libraries count."))),
    ] = None,
    print_script: Annotated[
        bool,
        typer.Option(
            "--print-script", help=str(say("Print the collector as one script: ssh node python3 - < script."))
        ),
    ] = False,
    lang: Lang = None,
) -> None:
    """Write the snapshot of this machine as JSON."""
    if print_script:
        from ascendenv.collect.script import collector_script

        _write(collector_script(), output)
        return
    import json

    from ascendenv.collect.local import collect_here

    _write(json.dumps(collect_here(python, pid).data, ensure_ascii=False, sort_keys=True) + "\n", output)


def _write(text: str, output: str) -> None:
    if output == "-":
        sys.stdout.write(text)
        return
    from ascendenv.files import write_whole

    try:
        write_whole(Path(output), text.encode("utf-8", "surrogateescape"), mode=0o600)
    except OSError as error:
        raise UnusableInput(
            say("this cannot be written: {reason}", reason=error.strerror or str(error)), where=output
        ) from error
