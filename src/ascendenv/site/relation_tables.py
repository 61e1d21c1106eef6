"""What `judge` says, worked out beforehand: every relation for every combination of the parts that it looks at."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, TypedDict

from ascendenv.matrix.conflicts import broken, followed, holds
from ascendenv.matrix.given import Given, Looked
from ascendenv.matrix.hardware_relations import cann_chip, cann_hdk, driver_firmware, hdk_chip
from ascendenv.matrix.relations import CORE
from ascendenv.matrix.rows.base import Conditions
from ascendenv.matrix.surrounding_relations import cann_python, life_cycle
from ascendenv.matrix.torch_relations import cann_torch_npu, torch_npu_chip, torch_npu_torch, torch_npu_wheel
from ascendenv.site.folding import Folded, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascendenv.matrix.relation import Relation
    from ascendenv.matrix.rows.base import Lifecycle
    from ascendenv.site.parts import Parts
    from ascendenv.site.texts import Texts

__all__ = ["RelationData", "life_days", "relation_data"]


@dataclass(frozen=True)
class _Rule:
    """A relation: its function, the parts it looks at (in the order that folds best), and those it is between."""

    kind: str
    judge: Callable[[Looked], Relation | None]
    looks_at: tuple[str, ...]
    between: tuple[str, ...]


_RULES = (
    _Rule("driver-firmware", driver_firmware, ("driver", "firmware", "kin"), ("driver", "firmware")),
    _Rule("cann-hdk", cann_hdk, ("kin", "cann", "driver"), ("cann", "driver")),
    _Rule("hdk-chip", hdk_chip, ("kin", "driver"), ("driver", "place")),
    _Rule("cann-chip", cann_chip, ("place", "cann"), ("cann", "place")),
    _Rule("cann-torch_npu", cann_torch_npu, ("torch_npu", "cann"), ("cann", "torch_npu")),
    _Rule("torch_npu-torch", torch_npu_torch, ("torch_npu", "torch", "arch"), ("torch_npu", "torch")),
    _Rule(
        "torch_npu-python-arch",
        torch_npu_wheel,
        ("torch_npu", "python", "arch"),
        ("torch_npu", "python", "arch"),
    ),
    _Rule("torch_npu-chip", torch_npu_chip, ("torch_npu", "kin"), ("torch_npu", "place")),
    _Rule("cann-python", cann_python, ("cann", "python"), ("cann", "python")),
)
_PART_OF_CONDITION = {"product": "torch_npu", "families": "kin", "products": "kin"}
"""Conditions that are named otherwise than the part whose rows they look at; `ops` is no part of the page."""


class RuleData(TypedDict):
    """One relation; `looksAt` are the dimensions of its table."""

    kind: str
    core: bool
    looksAt: list[str]
    between: list[str]
    table: Folded


class ConditionalData(TypedDict):
    """An outcome that holds where each named part has one of the numbers."""

    kind: str
    outcome: int
    when: list[tuple[str, list[int]]]


class LifeData(TypedDict):
    """What is said of a torch line from which day on (the first counts from ever)."""

    shown: str
    days: list[tuple[str, int]]


class RelationData(TypedDict):
    """All that a judgement needs. `lifeOf` leads from a number of torch or torch_npu to a place in `lives`, or -1."""

    rules: list[RuleData]
    contradictions: list[ConditionalData]
    breaks: list[ConditionalData]
    lives: list[LifeData]
    lifeOf: dict[str, list[int]]


def relation_data(parts: Parts, texts: Texts) -> RelationData:
    """Every relation of the matrix among the values of `parts`."""
    lives, life_of = _lives(parts, texts)
    return {
        "rules": [_rule_data(rule, parts, texts) for rule in _RULES],
        "contradictions": list(_contradictions(parts, texts)),
        "breaks": list(_breaks(parts, texts)),
        "lives": lives,
        "lifeOf": life_of,
    }


def _rule_data(rule: _Rule, parts: Parts, texts: Texts) -> RuleData:
    place = "kin" if "kin" in rule.looks_at else "place"
    cells = [
        texts.outcome(rule.judge(Looked(parts.matrix, given)), given, place)
        for given in parts.every(rule.looks_at)
    ]
    return {
        "kind": rule.kind,
        "core": rule.kind in CORE,
        "looksAt": list(rule.looks_at),
        "between": list(rule.between),
        "table": fold(cells, [len(parts.choices(part)) for part in rule.looks_at]),
    }


def _contradictions(parts: Parts, texts: Texts) -> Iterator[ConditionalData]:
    for one in parts.matrix.contradictions:
        relation, when = followed(one), _when(one.given, parts)
        if relation is not None and when is not None:
            yield _conditional(relation, when, texts)


def _breaks(parts: Parts, texts: Texts) -> Iterator[ConditionalData]:
    for one in parts.matrix.breaks:
        when = _when(one.given, parts)
        if when is not None:
            yield _conditional(broken(one), when, texts)


def _conditional(relation: Relation, when: list[tuple[str, list[int]]], texts: Texts) -> ConditionalData:
    return {"kind": relation.kind, "outcome": texts.outcome(relation, Given()), "when": when}


def _when(conditions: Conditions | None, parts: Parts) -> list[tuple[str, list[int]]] | None:
    """The numbers of each part for which the conditions hold; None where they can never hold on the page."""
    if conditions is None:
        return None
    found = []
    for field in fields(conditions):
        value = getattr(conditions, field.name)
        if value:
            part = _PART_OF_CONDITION.get(field.name, field.name)
            if part == "ops":
                return None
            found.append((part, _fulfilling(Conditions(**{field.name: value}), part, parts)))
    return found


def _fulfilling(conditions: Conditions, part: str, parts: Parts) -> list[int]:
    choices = enumerate(parts.choices(part))
    return [number for number, one in choices if holds(conditions, Looked(parts.matrix, Given(**one)))]


def _lives(parts: Parts, texts: Texts) -> tuple[list[LifeData], dict[str, list[int]]]:
    """What is said of every torch line, and which line each number of torch and torch_npu leads to."""
    lives: dict[str, LifeData] = {}
    leads: dict[str, list[int]] = {"torch": [], "torch_npu": []}
    for part, numbers in leads.items():
        for given in parts.every([part]):
            relation = life_cycle(Looked(parts.matrix, given))
            if relation is None:
                numbers.append(-1)
                continue
            (shown,) = relation.between
            if shown not in lives:
                lives[shown] = {"shown": shown, "days": _days(given, parts, texts)}
            numbers.append(list(lives).index(shown))
    return list(lives.values()), leads


def _days(given: Given, parts: Parts, texts: Texts) -> list[tuple[str, int]]:
    looked = Looked(parts.matrix, given)
    torch = looked.torch_npu.torch if looked.torch_npu is not None else given.torch
    line = parts.matrix.find_torch(torch) if torch is not None else None
    days = life_days(line.lifecycle if line is not None else None)
    relations = ((day, life_cycle(Looked(parts.matrix, given, day))) for day in days)
    return [(day, texts.outcome(relation, Given())) for day, relation in relations]


def life_days(life: Lifecycle | None) -> list[str]:
    """The days on which something changes, after the empty one that stands for ever."""
    return ["", *sorted({day for day in (life.eol, life.next_from) if day})] if life is not None else [""]
