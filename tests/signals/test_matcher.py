from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascendenv.signals.catalogue import shipped_catalogue
from ascendenv.signals.matcher import AutomatonMatcher, PlainMatcher, matcher_of

LITERALS = (
    b"undefined symbol",
    b"symbol: ",
    b"aa",
    b"aaa",
    b"0x80",
    b"E1",
    b"No module named ",
    b"\xe9\x94\x99",
)
PIECES = st.sampled_from([*LITERALS, b"a", b"1", b"symbol", b"\n", b" ", b"0x8", b"undefined "])


@given(st.lists(PIECES, max_size=60).map(b"".join))
def test_both_find_the_same(text: bytes) -> None:
    assert AutomatonMatcher(LITERALS).find(text) == PlainMatcher(LITERALS).find(text)


@given(st.lists(PIECES, min_size=1, max_size=30).map(b"".join), st.integers(min_value=1, max_value=400))
@settings(max_examples=40)
def test_both_find_the_same_in_long_text(text: bytes, times: int) -> None:
    long = (text + b"\n") * times * 20
    assert AutomatonMatcher(LITERALS).find(long) == PlainMatcher(LITERALS).find(long)


@given(
    st.binary(max_size=300), st.lists(st.binary(min_size=1, max_size=4), min_size=1, max_size=8, unique=True)
)
def test_both_find_the_same_for_any_literals(text: bytes, literals: list[bytes]) -> None:
    given_literals = tuple(literals)
    assert AutomatonMatcher(given_literals).find(text) == PlainMatcher(given_literals).find(text)


@given(st.lists(st.sampled_from(shipped_catalogue().anchors), max_size=12), st.binary(max_size=40))
@settings(max_examples=60)
def test_both_find_the_shipped_literals(literals: list[bytes], between: bytes) -> None:
    text = between.join(literals)
    anchors = shipped_catalogue().anchors
    assert AutomatonMatcher(anchors).find(text) == PlainMatcher(anchors).find(text)


def test_overlapping_literals_are_all_found() -> None:
    assert PlainMatcher((b"aa", b"aaa")).find(b"aaaa") == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]


def test_without_the_library_the_plain_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ahocorasick_rs", None)
    assert isinstance(matcher_of((b"abc",)), PlainMatcher)


def test_the_library_is_taken_where_it_is_installed() -> None:
    pytest.importorskip("ahocorasick_rs")
    assert isinstance(matcher_of((b"abc",)), AutomatonMatcher)
