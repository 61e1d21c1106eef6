"""Laws that hold for any set and any wishes, over what the shipped matrix holds."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ascendenv.matrix.given import Given
from ascendenv.matrix.level import Level
from ascendenv.matrix.pick import Conflict, Wishes, pick
from ascendenv.matrix.relations import CORE, judge
from ascendenv.matrix.store import shipped_matrix
from ascendenv.versions import VersionRange, pep440, vendor

MATRIX = shipped_matrix()
TODAY = "2026-11-29"

DRIVERS = sorted(
    {str(pair.driver) for hdk in MATRIX.hdk.values() for pair in hdk.pairs if pair.driver is not None}
)
FIRMWARE = sorted(
    {str(pair.firmware) for hdk in MATRIX.hdk.values() for pair in hdk.pairs if pair.firmware is not None}
)
TORCHES = list(MATRIX.torch)
CHIPS = ["910A", "910B", "A3", "310P", "310B", "950", "Ascend910B3", "Ascend950DT_9582"]
PRODUCTS = list(MATRIX.products)
PYTHONS = ["3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14"]

VENDOR = {"driver": DRIVERS, "firmware": FIRMWARE, "cann": list(MATRIX.cann), "ops": list(MATRIX.cann)}
PYTHON = {"torch": TORCHES, "torch_npu": list(MATRIX.torch_npu), "python": PYTHONS}
TEXT = {"chip": CHIPS, "product": PRODUCTS, "arch": ["aarch64", "x86_64"]}
PARTS = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(choices) for name, choices in (VENDOR | PYTHON | TEXT).items()}
)
RELEASES = [name for name, one in MATRIX.cann.items() if one.channel == "release"]
"""Alphas and betas are offered only when they are asked for by name, so the laws of wishes speak of releases."""
RANGES = {
    "driver": [*DRIVERS, "25.X", ">=25.2", "<25"],
    "cann": [*RELEASES, "8.5.X", ">=8.1,<9", ">=9.0"],
    "torch": [*TORCHES, ">=2.8,<2.11", "<2.5", "2.9.X"],
    "torch_npu": [*MATRIX.torch_npu, ">=2.9"],
    "python": [*PYTHONS, ">=3.10", "<3.10"],
}
WISHES = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(choices) for name, choices in (RANGES | TEXT).items()}
)


def asked(parts: dict[str, str]) -> Given:
    values: dict[str, Any] = dict(parts)
    values |= {name: vendor(text) for name, text in parts.items() if name in VENDOR}
    values |= {name: pep440(text) for name, text in parts.items() if name in PYTHON}
    return Given(**values)


def wished(parts: dict[str, str]) -> Wishes:
    values: dict[str, Any] = dict(parts)
    values |= {name: VersionRange(text, "vendor") for name, text in parts.items() if name in VENDOR}
    values |= {name: VersionRange(text, "pep440") for name, text in parts.items() if name in PYTHON}
    return Wishes(**values)


def found(parts: dict[str, str]) -> set[tuple[str, str]]:
    answer = pick(MATRIX, wished(parts), today=TODAY)
    if isinstance(answer, Conflict):
        return set()
    return {(str(one.cann), str(one.torch_npu)) for one in answer}


@settings(deadline=None)
@given(PARTS)
def test_the_verdict_is_the_worst_of_the_core(parts: dict[str, str]) -> None:
    judgement = judge(MATRIX, asked(parts))
    core = [one.level for one in judgement.relations if one.kind in CORE]
    broken = [one for one in judgement.relations if one.level == Level.BROKEN]
    if broken:
        assert judgement.verdict == Level.BROKEN
    else:
        assert judgement.verdict == (min(core) if core else Level.UNKNOWN)


@settings(deadline=None)
@given(PARTS)
def test_judging_less_never_makes_it_worse(parts: dict[str, str]) -> None:
    """With one part taken away no relation that stays gets broken, and the breaks that stay are a subset."""
    whole = {
        (one.kind, one.between) for one in judge(MATRIX, asked(parts)).relations if one.level == Level.BROKEN
    }
    for name in parts:
        rest = {other: text for other, text in parts.items() if other != name}
        kinds = {kind for kind, _ in whole}
        broken = {one.kind for one in judge(MATRIX, asked(rest)).relations if one.level == Level.BROKEN}
        # A product may allow what its family does not and the other way round, hence chip and product are left alone.
        if name not in ("chip", "product"):
            assert broken <= kinds


@settings(deadline=None)
@given(PARTS, st.randoms())
def test_the_order_of_parts_does_not_matter(parts: dict[str, str], random: Any) -> None:
    order = list(parts.items())
    random.shuffle(order)
    assert judge(MATRIX, asked(dict(order))) == judge(MATRIX, asked(parts))


@settings(deadline=None)
@given(PARTS)
def test_every_relation_has_a_reason_in_both_languages(parts: dict[str, str]) -> None:
    for one in judge(MATRIX, asked(parts)).relations:
        assert one.why.text("en")
        assert one.why.text("zh")
        assert "{" not in one.why.text("zh")


@settings(max_examples=60, deadline=None)
@given(WISHES)
def test_every_picked_stack_judges_as_it_says(parts: dict[str, str]) -> None:
    answer = pick(MATRIX, wished(parts), today=TODAY, limit=6)
    if isinstance(answer, Conflict):
        return
    keys = [(one.end_of_life, -one.level) for one in answer]
    assert keys == sorted(keys)
    for one in answer:
        assert judge(MATRIX, one.given()).verdict == one.level >= Level.COMPATIBLE
        assert one.commands


@settings(max_examples=40, deadline=None)
@given(WISHES)
def test_adding_a_wish_never_enlarges_the_result(parts: dict[str, str]) -> None:
    whole = found(parts)
    for name in parts:
        fewer = {other: text for other, text in parts.items() if other != name}
        assert whole <= found(fewer)


@settings(max_examples=60, deadline=None)
@given(WISHES)
def test_a_conflict_is_minimal(parts: dict[str, str]) -> None:
    answer = pick(MATRIX, wished(parts), today=TODAY, limit=1)
    if not isinstance(answer, Conflict):
        return
    clash = {name: parts[name] for name, _ in answer.wishes}
    assert isinstance(pick(MATRIX, wished(clash), limit=1), Conflict)
    for name in clash:
        rest = {other: text for other, text in clash.items() if other != name}
        assert not isinstance(pick(MATRIX, wished(rest), limit=1), Conflict)
