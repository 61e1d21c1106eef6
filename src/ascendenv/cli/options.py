"""Options that several commands share, with one name, one meaning and one help text each."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from ascendenv.language import say

__all__ = ["Lang", "MatrixFolder", "TextOrJson", "TextOrJsonOption", "Verbose"]


class Languages(str, Enum):
    """The languages that `--lang` takes."""

    EN = "en"
    ZH = "zh"


class TextOrJson(str, Enum):
    """The formats of commands whose answer is a table or a record."""

    TEXT = "text"
    JSON = "json"


Lang = Annotated[
    Languages | None,
    typer.Option("--lang", help=str(say("Language of the words: en or zh; default from the locale."))),
]
TextOrJsonOption = Annotated[TextOrJson, typer.Option("--format", help=str(say("Form of the answer.")))]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help=str(say("Say more; show the traceback of an error.")))
]
MatrixFolder = Annotated[
    list[str] | None,
    typer.Option(
        "--matrix", metavar="DIR", help=str(say("A site's matrix folder, put on top of the shipped one."))
    ),
]
