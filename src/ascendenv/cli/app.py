"""The commands and their order in `ascendenv --help`."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated

import typer

from ascendenv import __version__
from ascendenv.cli import collect, diff, doctor, env, explain, fetch, lock, matrix
from ascendenv.cli.help import speak
from ascendenv.cli.options import Lang, Verbose
from ascendenv.language import say

if TYPE_CHECKING:
    from typing import Any

__all__ = ["command"]

_HELP = say(
    "Find out why an Ascend NPU machine is broken, and keep its driver, CANN and torch_npu stack known."
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"ascendenv {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help=str(say("Print the version and stop."))
        ),
    ] = False,
    lang: Lang = None,
    verbose: Verbose = False,
) -> None:
    """Take the options that stand before a command; the language was chosen before this runs."""


@lru_cache(maxsize=1)
def command() -> Any:  # noqa: ANN401  (typer's command class is not public under one name in all its versions)
    """The whole command line as one callable with a `main` method."""
    app = typer.Typer(
        help=str(_HELP),
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    app.command("doctor", help=str(doctor.HELP))(doctor.doctor)
    app.command("collect", help=str(collect.HELP))(collect.collect)
    app.command("explain", help=str(explain.HELP), context_settings={"ignore_unknown_options": True})(
        explain.explain
    )
    app.command("diff", help=str(diff.HELP))(diff.diff)
    app.command("lock", help=str(lock.HELP))(lock.lock)
    app.command("fetch", help=str(fetch.HELP))(fetch.fetch)
    app.add_typer(env.app, name="env", help=str(env.HELP))
    app.add_typer(matrix.app, name="matrix", help=str(matrix.HELP))
    return speak(typer.main.get_command(app))
