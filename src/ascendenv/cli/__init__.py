"""The command line: parses arguments, calls the parts below, and is the only place that prints."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit with its code (see `ascendenv.errors.ExitCode`)."""
    from ascendenv.cli.run import run

    sys.exit(run(sys.argv[1:] if arguments is None else arguments))
