"""`ascendenv explain`: the page of a check, a cause, an error code or an error text, offline."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ascendenv.cli.options import Lang, TextOrJson, TextOrJsonOption
from ascendenv.errors import NothingChecked
from ascendenv.language import active_language, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.doctor.explanation import Explanation

__all__ = ["HELP", "explain"]

HELP = say("Explain a check id, a cause, an error code or an error text, offline.")


def explain(
    subject: Annotated[
        list[str],
        typer.Argument(metavar="ID|CAUSE|CODE|TEXT", help=str(say("For example TOR002, -8005, EI0006, or an error text."))),
    ],
    format_: TextOrJsonOption = TextOrJson.TEXT,
    lang: Lang = None,
) -> None:
    """Print what is known about `subject`; words that are not quoted are taken together."""
    from ascendenv.doctor.explanation import explain as explain_subject
    from ascendenv.matrix.store import shipped_matrix

    text = " ".join(subject)
    found = explain_subject(text, shipped_matrix())
    if not found:
        raise NothingChecked(
            say("nothing is known about {subject}", subject=repr(text)),
            hint=say("`ascendenv doctor --list` shows all checks; a longer piece of the error text may help"),
        )
    if format_ is TextOrJson.JSON:
        _print_json(found)
    else:
        _print_text(found)


def _print_text(found: Explanation) -> None:
    text = "\n\n".join(_bodies(found))
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console(width=min(Console().width, 100)).print(Markdown(text))
    else:
        print(text)


def _bodies(found: Explanation) -> Iterator[str]:
    from ascendenv.doctor.page import page_of, topic

    language = active_language()
    if found.code is not None:
        yield found.code.page(language)
    for check in found.checks:
        page = page_of(check, language)
        yield page.body + "\n\n" + str(say("Check {id}, cause: {causes}", id=check.id, causes=", ".join(check.causes)))
    for name in found.topics:
        yield topic(name, language).body


def _print_json(found: Explanation) -> None:
    import json

    from ascendenv.doctor.page import page_of, topic

    language = active_language()
    pages = [
        {"id": one.id, "causes": list(one.causes), "title": page_of(one, language).title, "page": page_of(one, language).body}
        for one in found.checks
    ]
    record = {
        "schema_version": 1,
        "subject": found.subject,
        "code": None if found.code is None else found.code.record(language),
        "checks": pages,
        "topics": [{"name": name, "page": topic(name, language).body} for name in found.topics],
    }
    print(json.dumps(record, ensure_ascii=False, indent=2))
