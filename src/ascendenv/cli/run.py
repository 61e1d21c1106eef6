"""Runs one command line and turns every outcome into an exit code and words for the user."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

from ascendenv.cli.language import choose_language
from ascendenv.errors import AscendenvError, ExitCode
from ascendenv.language import Message, say

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["run"]

_LEFT_OUT_OF_THE_ZIP_FILE = ("jinja2", "pydantic", "requests", "urllib3", "yaml")


def run(arguments: Sequence[str]) -> int:
    """The exit code of the command that `arguments` name. Bugs of ours keep their traceback."""
    choose_language(arguments, os.environ)
    # Imported late: help texts are put into the chosen language when the commands are defined.
    from ascendenv.cli.app import command

    verbose = "-v" in arguments or "--verbose" in arguments
    try:
        outcome = command(tuple(arguments)).main(
            args=list(arguments), prog_name="ascendenv", standalone_mode=False
        )
        sys.stdout.flush()
    except AscendenvError as error:
        if verbose:
            _print_traceback()
        _show(
            error.message, where=error.where, hint=error.hint, code=error.code, as_json=_wants_json(arguments)
        )
        return error.exit_code
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in _LEFT_OUT_OF_THE_ZIP_FILE:
            raise
        message = say("this needs the Python package {name}, which is not here", name=error.name)
        hint = say("ascendenv.pyz holds the doctor only; install ascendenv with pip for this command")
        _show(message, where="", hint=hint, code="package-missing", as_json=_wants_json(arguments))
        return ExitCode.HOST_FAILED
    except (KeyboardInterrupt, EOFError):
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away (`| head`); Python must not complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.GOOD
    except Exception as error:  # noqa: BLE001  (bugs are raised again)
        return _refuse_usage(error, arguments)
    return outcome if isinstance(outcome, int) else ExitCode.GOOD


def _refuse_usage(error: Exception, arguments: Sequence[str]) -> int:
    """The parser's own errors are shown; anything else is raised again.

    They are told by their methods, because typer carries its own click from 0.29 on and uses the real one before.
    """
    if type(error).__name__ == "Abort":
        return ExitCode.INTERRUPTED
    if not hasattr(error, "format_message"):
        raise error
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message(), file=sys.stderr)
        return ExitCode.UNUSABLE_INPUT
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "ascendenv"
    hint = say("`{command} --help` shows what can be given", command=path)
    _show(Message(error.format_message()), where="", hint=hint, code="usage", as_json=_wants_json(arguments))
    return ExitCode.UNUSABLE_INPUT


def _show(message: Message, *, where: str, hint: Message | None, code: str, as_json: bool) -> None:
    if as_json:
        error = {"code": code, "message": str(message), "where": where, "hint": str(hint) if hint else ""}
        print(json.dumps({"schema_version": 1, "error": error}, ensure_ascii=False, indent=2))
        return
    place = f"{where}: " if where else ""
    print(f"ascendenv: {place}{message}", file=sys.stderr)
    if hint:
        print(f"  {hint}", file=sys.stderr)


def _wants_json(arguments: Sequence[str]) -> bool:
    """Whether stdout is promised to be one JSON document; read from the raw words, as parsing may be what failed."""
    words = [*arguments, ""]
    return "--format=json" in words or any(
        word == "--format" and words[place + 1] == "json" for place, word in enumerate(arguments)
    )


def _print_traceback() -> None:
    import traceback

    traceback.print_exc()
