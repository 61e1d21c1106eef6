"""`ascendenv env`: what environment variables mean, profiles of them, and what is wrong in an environment."""

from __future__ import annotations

from typing import Annotated

import typer

from ascendenv.cli.options import Lang, TextOrJson, TextOrJsonOption
from ascendenv.errors import UnusableInput
from ascendenv.language import say

__all__ = ["HELP", "app"]

HELP = say("Explain environment variables, and get them right.")

app = typer.Typer(no_args_is_help=True)


@app.command("explain", help=str(say("Tell what a variable means, what it may hold, and who reads it.")))
def explain(
    name: Annotated[str, typer.Argument(metavar="NAME", help=str(say("For example HCCL_CONNECT_TIMEOUT.")))],
    format_: TextOrJsonOption = TextOrJson.TEXT,
    lang: Lang = None,
) -> None:
    import json

    from ascendenv.env import explanation
    from ascendenv.matrix.store import shipped_variables

    catalogue = shipped_variables()
    found = catalogue.get(name.upper())
    if found is None:
        near = explanation.nearest(name, catalogue)
        hint = say("the nearest names are {names}", names=", ".join(near)) if near else None
        raise UnusableInput(say("the catalogue has no variable {name}", name=repr(name)), hint=hint)
    if format_ is TextOrJson.JSON:
        print(json.dumps({"schema_version": 1, **explanation.record(found)}, ensure_ascii=False, indent=2))
    else:
        print(explanation.explain(found))
