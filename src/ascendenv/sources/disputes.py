"""Contradictions between a document and a row that stands: those that the matrix tells of already, and records of new ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ascendenv.sources.agreement import Difference
    from ascendenv.sources.comparison import Finding
    from ascendenv.sources.standing import Found, Standing
    from ascendenv.sources.statement import Statement

__all__ = ["dispute_rows", "known_dispute"]

Row = dict[str, object]
_ADVICE = {
    "en": "not decided; the row that stood before is followed",
    "zh": "未确定；暂以原有条目为准",
}


def known_dispute(
    statement: Statement, differences: Sequence[Difference], found: Found, standing: Standing
) -> str | None:
    """What already tells that this is disputed: the id of a contradiction, or `notes` of the row; None for nothing.

    It must name the subject and every value that only the document gives.
    """
    stated = [word for one in differences for word in _words(one.after) if word not in _words(one.before)]
    names = [statement.subject.name[-1], *((str(statement.subject.part),) if statement.subject.part else ())]
    for row in standing.rows("contradictions").values():
        text = _text(row.row)
        if any(_holds(text, one) for one in names if one) and all(_holds(text, one) for one in stated):
            return str(row.row.get("id"))
    notes = [note for note in _notes(found, standing, statement) if "contradict" in note.casefold()]
    if any(all(_holds(note, one) for one in stated) for note in notes):
        return "notes"
    return None


def dispute_rows(findings: Iterable[Finding]) -> Iterator[Row]:
    """A row for `contradictions.yaml` for each row and field that is disputed, both sides with their sources."""
    groups: dict[tuple[str, ...], list[tuple[Finding, Difference]]] = {}
    for finding in findings:
        for one in finding.differences:
            groups.setdefault((finding.subject.kind, *finding.subject.name, one.field), []).append(
                (finding, one)
            )
    for (kind, *name, field), some in groups.items():
        yield _dispute(kind, [one for one in name if one], field, some)


def _dispute(kind: str, name: Sequence[str], field: str, some: Sequence[tuple[Finding, Difference]]) -> Row:
    claims: dict[tuple[str, str], None] = {}
    sources: dict[str, None] = {}
    for finding, one in some:
        standing = finding.sources[0] if finding.sources else "the standing row"
        claims[standing, _said(finding, one.before)] = None
        claims[finding.source, _said(finding, one.after)] = None
        sources |= dict.fromkeys([*finding.sources, finding.source])
    return {
        "id": _slug("-".join((kind, *name, field))),
        "subject": f"{field} of {' '.join((kind, *name))}",
        "says": [{"who": who, "what": what} for who, what in claims],
        "advice": dict(_ADVICE),
        "source": list(sources),
    }


def _said(finding: Finding, value: object) -> str:
    text = ", ".join(_words(value)) or "nothing"
    return text if finding.subject.part is None else f"{finding.subject.part}: {text}"


def _words(value: object) -> list[str]:
    """The texts in a value."""
    if isinstance(value, dict):
        return [word for one in value.values() for word in _words(one)]
    if isinstance(value, list):
        return [word for one in value for word in _words(one)]
    return [] if value is None else [str(value)]


def _text(row: object) -> str:
    return "\n".join(_words(row))


def _notes(found: Found, standing: Standing, statement: Statement) -> list[str]:
    row = standing.find(statement.subject)
    rows = [found.row] if row is None else [found.row, row.row]
    return [note for one in rows for note in _words(one.get("notes"))]


def _holds(text: str, word: str) -> bool:
    """Whether the word stands in the text by itself: 9.0.0 does not stand in 9.0.0.1."""
    start = 0
    small, wanted = text.casefold(), word.casefold()
    while (place := small.find(wanted, start)) >= 0:
        before, after = small[place - 1 : place] if place else "", small[place + len(wanted) :]
        if not re.match(r"[\w.]", before) and not re.match(r"\w|\.\w", after):
            return True
        start = place + 1
    return False


def _slug(text: str) -> str:
    return re.sub(r"[^0-9A-Za-z.]+", "-", text).strip("-")
