"""The language of a run: `--lang`, else the locale. Chosen before the commands exist, so that their help follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.language import LANGUAGES, language_of_locale, use_language

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["choose_language"]


def choose_language(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Make the wanted language the active one; a value that is no language is left for the parser to refuse."""
    wanted = _option(arguments, "--lang") or language_of_locale(environment)
    use_language(wanted if wanted in LANGUAGES else "en")


def _option(arguments: Sequence[str], name: str) -> str:
    for place, argument in enumerate(arguments):
        if argument.startswith(f"{name}="):
            return argument.partition("=")[2]
        if argument == name and place + 1 < len(arguments):
            return arguments[place + 1]
    return ""
