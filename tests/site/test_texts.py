"""Sentences split at their places, in both languages, so that the page only fills in names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascendenv.language import Message, say
from ascendenv.matrix.given import Given
from ascendenv.matrix.level import Level
from ascendenv.matrix.relation import Relation
from ascendenv.matrix.rows.base import Text
from ascendenv.matrix.words import words
from ascendenv.site.texts import NUMBERED, Texts
from ascendenv.versions import vendor

if TYPE_CHECKING:
    from ascendenv.site.texts import TextData

GIVEN = Given(cann=vendor("9.0.0"), driver=vendor("25.5.1"), chip="910B")


def told(data: TextData, number: int, language: int, names: dict[str, str]) -> str:
    """The sentence as the page puts it together."""
    _, template, _, *values = data["outcomes"][number - 1]
    found = ""
    for piece in data["templates"][template][language]:
        if isinstance(piece, str):
            found += piece
        elif values[piece] < 0:
            found += names[NUMBERED[-1 - values[piece]]]
        else:
            text = data["strings"][values[piece]]
            found += text if isinstance(text, str) else text[language]
    return found


@pytest.mark.parametrize(
    ("message", "sentences"),
    [
        (
            say("the matrix does not know this chip"),
            ("the matrix does not know this chip", "配套表中没有该芯片"),
        ),
        (
            say("CANN {cann} is paired with HDK {hdk}", cann=vendor("9.0.0"), hdk="{25.5.X}"),
            ("CANN 9.0.0 is paired with HDK {25.5.X}", "CANN 9.0.0 与 HDK {25.5.X} 配套"),
        ),
        (words(Text("as {it} is", "原样 {it}")), ("as {it} is", "原样 {it}")),
        (
            say("{stage} from {day}", stage=words(Text("planned", "计划中")), day="2026-10"),
            ("planned from 2026-10", "自 2026-10 起计划中"),
        ),
    ],
)
def test_a_sentence_reads_as_before(message: Message, sentences: tuple[str, str]) -> None:
    texts = Texts()
    number = texts.outcome(Relation("any", (), Level.COMPATIBLE, message, ("there",)), GIVEN)
    names = {"cann": "9.0.0", "driver": "25.5.1", "place": "910B"}

    assert tuple(told(texts.data(), number, language, names) for language in (0, 1)) == sentences


def test_what_is_chosen_is_left_open() -> None:
    texts = Texts()
    message = say("CANN {cann} is paired with HDK {hdk}", cann=vendor("9.0.0"), hdk=vendor("25.5.1"))
    number = texts.outcome(Relation("any", (), Level.COMPATIBLE, message), GIVEN)

    other = {"cann": "8.5.0", "driver": "25.2.0"}
    assert told(texts.data(), number, 0, other) == "CANN 8.5.0 is paired with HDK 25.2.0"


@pytest.mark.parametrize("place", ["place", "kin"])
def test_a_chip_stands_for_itself_or_for_its_family(place: str) -> None:
    texts = Texts()
    message = say("CANN {cann} has ops packages for {family}", cann=vendor("9.0.0"), family="910B")
    number = texts.outcome(Relation("any", (), Level.COMPATIBLE, message), GIVEN, place)

    names = {"cann": "9.0.0", "place": "Ascend910B3", "kin": "910B"}
    assert told(texts.data(), number, 0, names) == f"CANN 9.0.0 has ops packages for {names[place]}"


def test_equal_outcomes_share_a_number() -> None:
    texts = Texts()
    one = Relation("any", (), Level.BROKEN, say("the matrix does not know this chip"), ("here", "there"))

    assert texts.outcome(None, GIVEN) == 0
    assert texts.outcome(one, GIVEN) == texts.outcome(one, Given()) == 1
    assert texts.data()["sources"] == [[0, 1]]
