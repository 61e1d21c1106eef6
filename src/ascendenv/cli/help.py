"""Help screens in the user's language: what typer writes by itself, and Chinese that is folded, not cut.

These words have no place in typer's interface, so they are set where typer keeps them; a release that keeps them
elsewhere shows them in English.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascendenv.language import say

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["speak"]

_SCREEN_WORDS = {
    "ARGUMENTS_PANEL_TITLE": say("Arguments"),
    "OPTIONS_PANEL_TITLE": say("Options"),
    "COMMANDS_PANEL_TITLE": say("Commands"),
    "REQUIRED_LONG_STRING": say("[required]"),
}
_OPTION_WORDS = {
    "install_completion": say("Install completion for the shell in use."),
    "show_completion": say("Print the completion for the shell in use."),
}
_HELP = say("Show this page and stop.")


def speak(command: Any) -> Any:  # noqa: ANN401  (typer's command class is not public under one name in all its versions)
    """The command with its help, and that of all commands below it, in the active language."""
    command.get_help_option = _worded(command.get_help_option)
    command.format_help = _prepared(command.format_help)
    for parameter in command.params:
        if parameter.name in _OPTION_WORDS:
            parameter.help = str(_OPTION_WORDS[parameter.name])
    for child in getattr(command, "commands", {}).values():
        speak(child)
    return command


def _worded(get_help_option: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def get(context: Any) -> Any:  # noqa: ANN401  (typer's types are not public)
        option = get_help_option(context)
        if option is not None:
            option.help = str(_HELP)
        return option

    return get


def _prepared(format_help: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    def write(context: Any, formatter: Any) -> None:  # noqa: ANN401
        _prepare_screens()
        format_help(context, formatter)

    return write


def _prepare_screens() -> None:
    """Only when a screen is wanted: this imports rich."""
    from rich.columns import Columns
    from rich.table import Table
    from rich.text import Text
    from typer import rich_utils

    class FoldingTable(Table):
        """A table that folds what does not fit: Chinese has no spaces to break at, and would be cut."""

        def add_row(self, *cells: Any, **settings: Any) -> None:  # noqa: ANN401
            super().add_row(*cells, **settings)
            for column in self.columns:
                column.overflow = "fold"

    def joined(items: list[Any]) -> Any:  # noqa: ANN401
        """Help and default of an option as one text, which folds; columns would cut each."""
        return Text(" ").join(items) if all(isinstance(one, Text) for one in items) else Columns(items)

    replaced = {
        "Table": FoldingTable,
        "Columns": joined,
        **{name: str(one) for name, one in _SCREEN_WORDS.items()},
    }
    for name, value in replaced.items():
        if hasattr(rich_utils, name):
            setattr(rich_utils, name, value)
