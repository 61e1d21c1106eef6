"""The commands and their order in `ascendenv --help`."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated

import typer

from ascendenv import __version__
from ascendenv.cli.help import speak
from ascendenv.cli.options import Lang, Verbose
from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
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
def command(arguments: tuple[str, ...] = ()) -> Any:  # noqa: ANN401  (typer's command class is not public under one name in all its versions)
    """The whole command line as one callable with a `main` method.

    Where `arguments` begin with the name of a command or with `--version`, other commands are left out: to define all
    takes longer than most run.
    """
    app = typer.Typer(
        help=str(_HELP),
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    first = arguments[0] if arguments else ""
    for name, add in _COMMANDS.items():
        if first == name or first not in (*_COMMANDS, "--version"):
            add(app)
    return speak(typer.main.get_command(app))


def _doctor(app: typer.Typer) -> None:
    from ascendenv.cli import doctor

    app.command("doctor", help=str(doctor.HELP))(doctor.doctor)


def _collect(app: typer.Typer) -> None:
    from ascendenv.cli import collect

    app.command("collect", help=str(collect.HELP))(collect.collect)


def _explain(app: typer.Typer) -> None:
    from ascendenv.cli import explain

    codes = {"ignore_unknown_options": True}  # an error code may begin with a minus
    app.command("explain", help=str(explain.HELP), context_settings=codes)(explain.explain)


def _diff(app: typer.Typer) -> None:
    from ascendenv.cli import diff

    app.command("diff", help=str(diff.HELP))(diff.diff)


def _lock(app: typer.Typer) -> None:
    from ascendenv.cli import lock

    app.command("lock", help=str(lock.HELP))(lock.lock)


def _fetch(app: typer.Typer) -> None:
    from ascendenv.cli import fetch

    app.command("fetch", help=str(fetch.HELP))(fetch.fetch)


def _env(app: typer.Typer) -> None:
    from ascendenv.cli import env

    app.add_typer(env.app, name="env", help=str(env.HELP))


def _matrix(app: typer.Typer) -> None:
    from ascendenv.cli import matrix

    app.add_typer(matrix.app, name="matrix", help=str(matrix.HELP))


_COMMANDS: Mapping[str, Callable[[typer.Typer], None]] = {
    "doctor": _doctor,
    "collect": _collect,
    "explain": _explain,
    "diff": _diff,
    "lock": _lock,
    "fetch": _fetch,
    "env": _env,
    "matrix": _matrix,
}
