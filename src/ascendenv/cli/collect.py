"""`ascendenv collect`: records what tells why a machine is broken; changes nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ascendenv.cli.options import Lang
from ascendenv.errors import UnusableInput
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

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
    share: Annotated[
        bool,
        typer.Option(
            "--share",
            help=str(say("Replace hosts, users, addresses, serial numbers and secrets by pseudonyms.")),
        ),
    ] = False,
    github: Annotated[
        bool,
        typer.Option(
            "--github",
            help=str(
                say(
                    "Print the block that bug forms ask for (torch_npu, vllm-ascend, sglang); implies --share."
                )
            ),
        ),
    ] = False,
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
    from ascendenv.collect.local import collect_here
    from ascendenv.collect.snapshot import Snapshot

    data: Mapping[str, Any] = collect_here(python, pid, tools=github).data
    if share or github:
        data = _redacted(data)
    if github:
        from ascendenv.collect.bug_report import bug_report

        _write(bug_report(Snapshot(data)), output)
        return
    import json

    _write(json.dumps(data, ensure_ascii=False, sort_keys=True) + "\n", output)


def _redacted(data: Mapping[str, Any]) -> dict[str, Any]:
    """The data fit to be shared; what was replaced is summed up on standard error."""
    from ascendenv.collect.redaction import REDACTION, redacted
    from ascendenv.collect.share_key import share_key

    clean = redacted(data, share_key())
    kinds: dict[str, int] = {}
    for one in clean[REDACTION]["replaced"]:
        kinds[one["kind"]] = kinds.get(one["kind"], 0) + 1
    shown = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())) or say("nothing")
    print(
        say("replaced by pseudonyms: {kinds}; look at it before you share it", kinds=shown), file=sys.stderr
    )
    return clean


def _write(text: str, output: str) -> None:
    data = text.encode("utf-8", "backslashreplace")
    if output == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    from ascendenv.files import write_whole

    try:
        write_whole(Path(output), data, mode=0o600)
    except OSError as error:
        raise UnusableInput(
            say("this cannot be written: {reason}", reason=error.strerror or str(error)), where=output
        ) from error
