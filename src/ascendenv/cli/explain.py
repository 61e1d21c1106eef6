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

    from ascendenv.collect.error_tables import InstalledCode
    from ascendenv.doctor.explanation import Explanation, SymbolRecord
    from ascendenv.signals.codes import ErrorCode

__all__ = ["HELP", "explain"]

HELP = say("Explain a check id, a cause, an error code or an error text, offline.")


def explain(
    subject: Annotated[
        list[str],
        typer.Argument(
            metavar="ID|CAUSE|CODE|TEXT",
            help=str(say("For example TOR002, -8005, EI0006, or an error text.")),
        ),
    ],
    format_: TextOrJsonOption = TextOrJson.TEXT,
    lang: Lang = None,
) -> None:
    """Print what is known about `subject`; words that are not quoted are taken together."""
    from ascendenv.collect.error_tables import installed_code
    from ascendenv.doctor.explanation import explain as explain_subject
    from ascendenv.matrix.store import shipped_matrix

    text = " ".join(subject)
    found, installed = explain_subject(text, shipped_matrix()), installed_code(text)
    if not found and installed is None:
        raise NothingChecked(
            say("nothing is known about {subject}", subject=repr(text)),
            hint=say("`ascendenv doctor --list` shows all checks; a longer piece of the error text may help"),
        )
    if format_ is TextOrJson.JSON:
        _print_json(found, installed)
    else:
        _print_text(found, installed)


def _print_text(found: Explanation, installed: InstalledCode | None) -> None:
    text = "\n\n".join((*_own_words(installed), *_bodies(found)))
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console(width=min(Console().width, 100)).print(Markdown(text))
    else:
        print(text)


def _own_words(installed: InstalledCode | None) -> Iterator[str]:
    """What the CANN of this machine says about the code, which counts for its version."""
    if installed is None:
        return
    yield f"# {installed.code} {installed.name}"
    yield installed.text
    for title, text in ((say("Possible cause:"), installed.causes), (say("Solution:"), installed.solution)):
        if text:
            yield f"{title} {text}"
    yield str(say("Source: {source}, of the CANN on this machine", source=installed.path))


def _bodies(found: Explanation) -> Iterator[str]:
    from ascendenv.doctor.page import page_of, topic

    language = active_language()
    if found.code is not None:
        yield _page_of_code(found.code)
    if found.symbol is not None:
        yield _page_of_symbol(found.symbol)
    for check in found.checks:
        page = page_of(check, language)
        yield (
            page.body
            + "\n\n"
            + str(say("Check {id}, cause: {causes}", id=check.id, causes=", ".join(check.causes)))
        )
    for name in found.topics:
        yield topic(name, language).body


def _page_of_code(code: ErrorCode) -> str:
    lines = [f"# {code.code}" + (f" {code.name}" if code.name else ""), code.meaning(active_language())]
    if code.causes:
        lines.append(str(say("Usual causes, commonest first (`ascendenv explain CAUSE` tells more):")))
        lines.append("\n".join(f"- {cause}" for cause in code.causes))
    lines.append(str(say("Source: {source}", source=code.source)))
    return "\n\n".join(lines)


def _page_of_symbol(record: SymbolRecord) -> str:
    lines = [f"# `{record.symbol.readable}`"]
    if record.symbol.provider is not None:
        lines.append(str(say("This function belongs to: {package}", package=record.symbol.provider)))
    lines.extend(f"- {one}" for one in record.known)
    if record.known:
        lines.append(str(say("Source: {source}", source="matrix/symbols/tables")))
    return "\n\n".join(lines)


def _record_of_symbol(record: SymbolRecord) -> dict[str, object]:
    return {
        "name": record.symbol.name,
        "readable": record.symbol.readable,
        "provider": record.symbol.provider,
        "known": [str(one) for one in record.known],
    }


def _record_of_code(code: ErrorCode) -> dict[str, object]:
    return {
        "code": code.code,
        "name": code.name or "",
        "component": code.component,
        "meaning": code.meaning(active_language()),
        "causes": list(code.causes),
        "source": code.source,
    }


def _print_json(found: Explanation, installed: InstalledCode | None) -> None:
    import json
    from dataclasses import asdict

    from ascendenv.doctor.page import page_of, topic

    language = active_language()
    pages = [
        {
            "id": one.id,
            "causes": list(one.causes),
            "title": page_of(one, language).title,
            "page": page_of(one, language).body,
        }
        for one in found.checks
    ]
    record = {
        "schema_version": 1,
        "subject": found.subject,
        "code": None if found.code is None else _record_of_code(found.code),
        "installed": None if installed is None else asdict(installed),
        "symbol": None if found.symbol is None else _record_of_symbol(found.symbol),
        "checks": pages,
        "topics": [{"name": name, "page": topic(name, language).body} for name in found.topics],
    }
    print(json.dumps(record, ensure_ascii=False, indent=2))
