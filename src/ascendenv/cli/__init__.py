"""The command line: parses arguments, calls the parts below, and is the only place that prints."""

from __future__ import annotations

import os
import sys

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit with its code (see `ascendenv.errors.ExitCode`)."""
    given = sys.argv[1:] if arguments is None else arguments
    from ascendenv.cli.language import choose_language

    choose_language(given, os.environ)
    from ascendenv.cli.run import run

    sys.exit(run(given))
