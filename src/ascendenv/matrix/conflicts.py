"""Known breaks, and contradictions of sources, applied to what is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascendenv.language import say
from ascendenv.matrix.level import Level
from ascendenv.matrix.relation import Relation, between
from ascendenv.matrix.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascendenv.matrix.given import Looked
    from ascendenv.matrix.rows.base import Conditions
    from ascendenv.matrix.rows.conflicts import Break, Contradiction
    from ascendenv.versions import Version, VersionRange

__all__ = ["breaks", "broken", "contradiction", "followed", "holds"]

_PARTS = ("driver", "firmware", "cann", "ops", "torch", "torch_npu", "python")


def holds(conditions: Conditions, looked: Looked) -> bool:
    """Whether everything that the conditions name is given and lies inside."""
    ranges = [(getattr(conditions, part), getattr(looked.given, part)) for part in _PARTS]
    product = looked.torch_npu.product if looked.torch_npu is not None else None
    ranges.append((conditions.product, product))
    return (
        all(_inside(wanted, value) for wanted, value in ranges)
        and (not conditions.families or looked.family_name in conditions.families)
        and (not conditions.products or looked.product_name in conditions.products)
    )


def _inside(wanted: VersionRange | None, value: Version | None) -> bool:
    return wanted is None or (value is not None and wanted.contains(value))


def breaks(looked: Looked) -> Iterator[Relation]:
    """A broken relation for every known break that what is given runs into."""
    for one in looked.matrix.breaks:
        if holds(one.given, looked):
            named = [part for part in _PARTS if getattr(one.given, part) is not None]
            yield broken(one, between(looked.given, *named))


def broken(one: Break, parts: tuple[str, ...] = ()) -> Relation:
    """The relation between `parts` that the known break stands for."""
    return Relation("known-break", parts, Level.BROKEN, words(one.cause), one.sources)


def contradiction(relation: Relation, looked: Looked) -> Relation | None:
    """The relation as sources that disagree leave it: the level that is followed, and why."""
    for one in looked.matrix.contradictions:
        touched = one.kind == relation.kind and one.given is not None and holds(one.given, looked)
        if touched and (found := followed(one, relation.between)) is not None:
            return found
    return None


def followed(one: Contradiction, parts: tuple[str, ...] = ()) -> Relation | None:
    """The relation between `parts` that is followed where sources disagree; None where they touch no relation."""
    if one.kind is None or one.level is None:
        return None
    said = "; ".join(f"{claim.who}: {claim.what}" for claim in one.says)
    why = say(
        "sources contradict each other ({said}); followed: {advice}",
        said=said,
        advice=words(one.advice),
    )
    return Relation(one.kind, parts, Level.named(one.level), why, one.sources)
