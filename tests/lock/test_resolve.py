"""Wishes become versions; a lock that stands is changed as little as possible."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascendenv.lock.clash import clash
from ascendenv.lock.resolve import Target, best, changed, least_change
from ascendenv.lock.spec import StackWishes
from ascendenv.versions import VersionRange, parse

if TYPE_CHECKING:
    from ascendenv.matrix.model import Matrix
    from ascendenv.matrix.rows.base import Arch
    from ascendenv.versions import Version

BOTH: tuple[Arch, ...] = ("aarch64", "x86_64")
PYTHONIC = ("torch", "torch_npu", "python")
LOCKED = {
    "driver": "25.5.1",
    "firmware": "7.8.0.6.201",
    "cann": "8.5.0",
    "torch": "2.9.0",
    "torch_npu": "2.9.0",
    "python": "3.11",
}
TODAY = "2026-11-29"


def target(wishes: dict[str, str], arch: tuple[Arch, ...] = BOTH) -> Target:
    ranges = {
        name: VersionRange(text, "pep440" if name in PYTHONIC else "vendor") for name, text in wishes.items()
    }
    return Target.of(StackWishes(chip="910B3", arch=arch, **ranges), TODAY)  # type: ignore[arg-type]


def locked(**changes: str) -> dict[str, Version]:
    return {
        name: parse(text, "pep440" if name in PYTHONIC else "vendor")
        for name, text in {**LOCKED, **changes}.items()
    }


@pytest.mark.parametrize(
    ("wishes", "versions"),
    [
        (
            {"cann": "8.5.0"},
            {"driver": "25.5.1", "firmware": "7.8.0.6.201", "torch_npu": "2.9.0", "python": "3.12"},
        ),
        ({"cann": "8.5.0", "python": "3.11"}, {"python": "3.11"}),
        ({"cann": "8.5.0", "python": "3.11.9"}, {"python": "3.11.9"}),
        ({"cann": "8.5.0", "torch": "2.8.0"}, {"torch": "2.8.0"}),
        ({"cann": "8.5.0", "torch": "2.9.0+cpu"}, {"torch": "2.9.0"}),
        ({"cann": ">=8.5,<9", "driver": "25.5.0"}, {"driver": "25.5.0", "firmware": "7.8.0.5.216"}),
    ],
)
def test_the_best_set_fulfils_the_wishes(
    wishes: dict[str, str], versions: dict[str, str], matrix: Matrix
) -> None:
    stack = best(matrix, target(wishes))

    assert stack is not None
    assert {name: str(getattr(stack, name)) for name in versions} == versions


def test_every_architecture_must_have_a_wheel(matrix: Matrix) -> None:
    """torch_npu 2.10.0.post6 has wheels for Python 3.12 on aarch64 only."""
    wishes = {"torch_npu": "2.10.0.post6", "python": "3.12"}

    assert best(matrix, target(wishes, ("aarch64",))) is not None
    assert best(matrix, target(wishes)) is None


@pytest.mark.parametrize(
    ("wishes", "moved"),
    [
        ({}, {}),
        ({"cann": ">=8.5"}, {}),
        ({"driver": "25.5.1"}, {}),
        ({"torch": "2.9.0+cpu"}, {}),
        ({"python": ">=3.12"}, {"python": "3.12"}),
        ({"driver": "25.5.2"}, {"driver": "25.5.2", "firmware": "7.8.0.7.220"}),
        ({"torch": "2.8.0"}, {"torch": "2.8.0", "torch_npu": "2.8.0.post2"}),
        ({"torch_npu": "2.9.0.post2"}, {"torch_npu": "2.9.0.post2"}),
        ({"cann": "9.0.0"}, {"cann": "9.0.0"}),
    ],
)
def test_wishes_change_the_least(wishes: dict[str, str], moved: dict[str, str], matrix: Matrix) -> None:
    stack = least_change(matrix, target(wishes), locked())

    assert stack is not None
    after = {name: str(getattr(stack, name)) for name in LOCKED}
    assert {name: text for name, text in after.items() if text != LOCKED[name]} == moved


@pytest.mark.parametrize(
    ("upgrade", "wishes", "may_move"),
    [
        ("driver", {}, {"driver"}),
        ("cann", {}, {"cann"}),
        ("torch_npu", {}, {"torch_npu"}),
        ("torch", {}, {"torch"}),
        ("python", {}, {"python"}),
        ("python", {"python": ">=3.13"}, {"python", "torch_npu"}),
        ("driver", {"driver": "<26"}, {"driver"}),
        ("cann", {"cann": "<9"}, {"cann"}),
    ],
)
def test_an_upgrade_moves_what_was_named_and_little_else(
    upgrade: str, wishes: dict[str, str], may_move: set[str], matrix: Matrix
) -> None:
    before = locked()

    stack = least_change(matrix, target(wishes), before, [upgrade])

    assert stack is not None
    assert getattr(stack, upgrade) > before[upgrade]
    assert changed(before, stack) <= may_move
    for name, text in wishes.items():
        assert VersionRange(text, before[name].scheme).contains(getattr(stack, name))


def test_what_cannot_become_newer_stays(matrix: Matrix) -> None:
    assert least_change(matrix, target({"driver": "25.5.1"}), locked(), ["driver"]) is None


def test_a_lock_of_unknown_versions_is_mended(matrix: Matrix) -> None:
    stack = least_change(matrix, target({}), locked(cann="8.4.9", driver="19.9.9"))

    assert stack is not None
    assert changed(locked(cann="8.4.9", driver="19.9.9"), stack) == {"cann", "driver"}


@pytest.mark.parametrize(
    ("wishes", "clashing", "hint"),
    [
        ({"cann": "9.9.9"}, {"cann"}, "the nearest known cann is 9"),
        ({"driver": "25.5.9"}, {"chip", "driver"}, "the nearest known driver is 25.5"),
        ({"torch": "2.99"}, {"torch"}, "the nearest known torch is 2"),
        ({"python": "3.7"}, {"python"}, "the nearest known python is 3"),
        (
            {"cann": "9.2.0", "driver": "25.0.RC1", "python": "3.11"},
            {"cann", "driver"},
            "without driver: driver",
        ),
        (
            {"torch_npu": "2.10.0.post6", "python": "3.12"},
            {"python", "torch_npu", "arch"},
            "with aarch64 alone",
        ),
        ({"torch": "2.1.0", "cann": ">=9"}, {"torch", "cann"}, "without torch"),
    ],
)
def test_the_fewest_wishes_that_clash_are_named(
    wishes: dict[str, str], clashing: set[str], hint: str, matrix: Matrix
) -> None:
    error = clash(matrix, target(wishes), "prod")

    assert set(error.wishes) == clashing
    assert error.where == "stack.prod"
    assert hint in str(error.hint)
    assert all(text in str(error.message) for text in wishes.values() if text in error.wishes.values())
