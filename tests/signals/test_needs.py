from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascendenv.signals.catalogue import Pattern, shipped_catalogue
from ascendenv.signals.needs import Needs, needs_of

ROWS: list[tuple[str, Needs]] = [
    (r"undefined symbol: (?P<symbol>\w+)", "undefined symbol: "),
    (r"(?i)No Module", "no module"),
    (r"lib(?:hal|dcmi)\.so", ["&", "lib", ".so", ["|", "hal", "dcmi"]]),
    (r"(?:foo)?bar", "bar"),
    (r"(?:foo)+bar", ["&", "foo", "bar"]),
    (r"[ab]c", "c"),
    (r"x|y*", ["&"]),
    (r"\d+", ["&"]),
    (r"a(?=b)(?!c)d", ["&", "a", "b", "d"]),
]


@pytest.mark.parametrize(("expression", "needs"), ROWS)
def test_the_literals_of_an_expression(expression: str, needs: Needs) -> None:
    assert needs_of(expression) == needs


TEXT = st.lists(
    st.sampled_from(
        ["lib", "ATB", "atb", "asdops", ".so", "foo", "bar", "Driver ", "is ", "missing", "x", " ", "9"]
    )
).map("".join)
EXPRESSIONS = [
    r"lib(?:atb|asdops)\.so",
    r"(?i)driver (?:is |was )?(?:missing|absent)|lib\w+ missing",
    r"(?:foo)?bar(?P<n>\d)",
    r"(?i:atb)\.so(?= )",
]


@given(TEXT, st.sampled_from(EXPRESSIONS))
def test_a_text_that_matches_holds_what_is_needed(text: str, expression: str) -> None:
    if re.search(expression, text):
        assert Pattern("x", ("x",), expression, needs=needs_of(expression)).may_match(text.lower())


def test_the_shipped_patterns_know_what_they_need() -> None:
    blind = [one.id for one in shipped_catalogue().patterns if one.match and one.needs == ["&"]]
    assert len(blind) * 20 < len(shipped_catalogue().patterns), blind
