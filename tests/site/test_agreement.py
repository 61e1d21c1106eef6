"""The page judges, picks and explains exactly as Python does: random choices, put to both, in a real browser."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from ascendenv.matrix.given import Given
from ascendenv.matrix.level import Level
from ascendenv.matrix.pick import Conflict, fulfilling, pick
from ascendenv.matrix.relations import judge
from ascendenv.matrix.wishes import Wishes
from ascendenv.site.parts import PARTS, Parts, QuickMatrix
from ascendenv.versions import Version, VersionRange

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.site.chromium import Page

    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.stack import Stack

pytestmark = pytest.mark.slow

DAYS = ("2025-01-01", "2026-11-29")
"""Days on which the life-cycles of the shipped matrix differ."""
JUDGED, PICKED, OPTIONS = 400, 120, 300

JUDGE = """cases => cases.map(numbers => {
  const choice = chosen(numbers);
  const shown = (part) => matrix.nameOf(part, choice[part]);
  const told = matrix.relations(choice).map((one) => [one.kind, one.level,
    matrix.sentence(one.outcome, "en", shown), matrix.sentence(one.outcome, "zh", shown),
    matrix.sourcesOf(one.outcome)]);
  return [matrix.verdict(choice), told];
})"""
PICK = """cases => cases.map(numbers => {
  const choice = chosen(numbers);
  const named = (stack, part) => matrix.nameOf(matrix.AT[part], stack.choice[matrix.AT[part]]);
  const stacks = matrix.pick(choice).map((stack) => [stack.level, stack.old,
    ...["driver", "firmware", "cann", "torch", "torch_npu", "python", "arch"].map((part) => named(stack, part)),
    matrix.commands(stack)]);
  if (stacks.length) return stacks;
  const conflict = matrix.conflict(choice);
  return { clashing: conflict.clashing.map((part) => matrix.PARTS[part]),
    waysOut: conflict.waysOut.map((one) => [matrix.PARTS[one.part], named(one.stack, "cann"),
      named(one.stack, "torch_npu")]) };
})"""
LEVELS = "cases => cases.map((numbers) => matrix.bestLevel(chosen(numbers)))"
REASONS = """cases => cases.map(([numbers, part]) => {
  const choice = chosen(numbers);
  const why = matrix.whyOut(chosen({ ...numbers, [part]: 0 }), matrix.AT[part], numbers[part], false);
  const known = why.against.map((one) => {
    const found = matrix.relations(why.choice).find((other) => other.outcome === one.outcome);
    return Boolean(found) && found.level === one.level;
  });
  return [known, why.word || ""];
})"""
CHOSEN = """const chosen = (numbers) => Object.entries(numbers).reduce(
  (choice, [part, number]) => matrix.changed(choice, matrix.AT[part], number), matrix.EMPTY);"""

Numbers = dict[str, int]


class Both:
    """The same questions to the page and to Python."""

    def __init__(self, page: Page, matrix: Matrix, day: str) -> None:
        self.page, self.matrix, self.day = page, matrix, day
        self.parts = Parts(QuickMatrix(matrix))

    def asked(self, function: str, cases: object) -> list[Any]:
        found: list[Any] = self.page.run(
            f"(() => {{ {CHOSEN} return ({function})({json.dumps(cases)}); }})()"
        )
        return found

    def given(self, numbers: Numbers) -> Given:
        return Given(**self._fields(numbers))

    def wishes(self, numbers: Numbers) -> Wishes:
        fields = self._fields(numbers)
        versions = {name: one for name, one in fields.items() if isinstance(one, Version)}
        ranges = {name: VersionRange(str(one), one.scheme) for name, one in versions.items()}
        return Wishes(**{**fields, **ranges})

    def _fields(self, numbers: Numbers) -> dict[str, Any]:
        return {
            name: value
            for part, number in numbers.items()
            for name, value in self.parts.choices(part)[number].items()
        }

    def numbers(self, chance: random.Random, count: int) -> Numbers:
        """A random choice of `count` parts; every second one near the newest values, where most things fit."""
        newest = chance.random() < 1 / 2
        return {
            part: chance.randrange(1, 1 + min(len(self.parts.choices(part)) - 1, 20 if newest else 1000))
            for part in chance.sample(PARTS, count)
        }


@pytest.fixture(params=[*DAYS, "with a site's folder"])
def both(request: pytest.FixtureRequest, page: Page) -> Iterator[Both]:
    is_site = request.param not in DAYS
    day = DAYS[-1] if is_site else request.param
    page.open(f"{request.getfixturevalue('site_address' if is_site else 'address')}#at={day}")
    yield Both(page, request.getfixturevalue("site_matrix" if is_site else "matrix"), day)
    assert page.complaints() == []


def test_verdicts_reasons_and_sources_are_those_of_judge(both: Both) -> None:
    chance = random.Random(both.day)
    cases = [both.numbers(chance, chance.randint(1, len(PARTS))) for _ in range(JUDGED)]
    expected = []
    for numbers in cases:
        judgement = judge(both.matrix, both.given(numbers), today=both.day)
        told = [
            [one.kind, int(one.level), one.why.text("en"), one.why.text("zh"), list(one.sources)]
            for one in judgement.relations
        ]
        expected.append([int(judgement.verdict), told])

    assert both.asked(JUDGE, cases) == expected
    assert {one[0] for one in expected} == {int(level) for level in Level}


def test_sets_and_commands_are_those_of_pick(both: Both) -> None:
    chance = random.Random(both.day)
    cases = [both.numbers(chance, chance.randint(0, 4)) for _ in range(PICKED)]
    answers = [pick(both.matrix, both.wishes(numbers), today=both.day) for numbers in cases]

    assert both.asked(PICK, cases) == [_told(one) for one in answers]
    assert 20 < sum(isinstance(one, Conflict) for one in answers) < PICKED - 20


def _told(answer: tuple[Stack, ...] | Conflict) -> object:
    if isinstance(answer, Conflict):
        ways = [[_part(one.wish), str(one.stack.cann), str(one.stack.torch_npu)] for one in answer.ways_out]
        return {"clashing": [_part(name) for name, _ in answer.wishes], "waysOut": ways}
    return [
        [
            int(one.level),
            one.end_of_life,
            *(
                "" if value is None else str(value)
                for value in (
                    one.driver,
                    one.firmware,
                    one.cann,
                    one.torch,
                    one.torch_npu,
                    one.python,
                    one.arch,
                )
            ),
            list(one.commands),
        ]
        for one in answer
    ]


def _part(wish: str) -> str:
    return "place" if wish in ("chip", "product") else wish


def test_what_remains_is_what_some_stack_has(both: Both) -> None:
    """A value counts as fitting exactly where a stack exists with it; where none does, the reason is a true relation."""
    chance = random.Random(both.day)
    cases = [both.numbers(chance, chance.randint(1, 3)) for _ in range(OPTIONS)]
    fits = [
        next(fulfilling(both.matrix, both.wishes(numbers), today=both.day), None) is not None
        for numbers in cases
    ]

    assert [level >= Level.COMPATIBLE for level in both.asked(LEVELS, cases)] == fits
    out = [
        (numbers, chance.choice(list(numbers))) for numbers, fit in zip(cases, fits, strict=True) if not fit
    ]
    for known, word in both.asked(REASONS, out):
        assert all(known)
        assert known or word
