"""Rows that other rows refer to and that do not stand yet: a new CANN or torch gets a row that says no more than that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.sources.statement import Statement, Subject
from ascendenv.versions import vendor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ascendenv.sources.kinds import Asked
    from ascendenv.sources.standing import Standing

__all__ = ["companions"]

_CANN_OF = frozenset({"torch_npu", "downstream"})


def companions(
    statements: Iterable[Statement], standing: Standing, fresh: Mapping[Subject, Statement], asked: Asked
) -> list[Statement]:
    """A statement for each CANN and torch that these name and nobody has a row for."""
    found: dict[Subject, Statement] = {}
    for one in statements:
        for kind, version in _named(one):
            subject = Subject(kind, (version,))
            is_known = standing.find(subject) is not None or Subject(kind, (version.casefold(),)) in fresh
            if is_known or (kind == "cann" and _is_known_cann(version, asked)):
                continue
            assumed = (
                {}
                if kind == "torch"
                else {"channel": asked.channel(version), "layout": asked.layout(version)}
            )
            found.setdefault(
                subject,
                Statement(subject=subject, values={}, assumed=assumed, source=one.source, place=one.place),
            )
    return list(found.values())


def _named(statement: Statement) -> Iterator[tuple[str, str]]:
    values = {**statement.assumed, **statement.values}
    if statement.subject.kind == "torch_npu" and isinstance(values.get("torch"), str):
        yield "torch", str(values["torch"])
    if statement.subject.kind in _CANN_OF:
        stated = values.get("cann")
        for one in stated if isinstance(stated, list) else [stated] if isinstance(stated, str) else []:
            yield "cann", str(one)


def _is_known_cann(version: str, asked: Asked) -> bool:
    """Whether some row is called so; an alias will do."""
    wanted = vendor(version)
    return any(wanted in (one.version, *one.aliases) for one in asked.matrix.cann.values())
