"""Stacks that fulfil wishes, the wishes that clash, and the nearest sets that work."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from ascendenv.matrix.alternatives import alternatives
from ascendenv.matrix.given import Given
from ascendenv.matrix.level import Level
from ascendenv.matrix.pick import Conflict, Stack, Wishes, pick
from ascendenv.matrix.relations import judge
from ascendenv.versions import Version, VersionRange, pep440, vendor

if TYPE_CHECKING:
    from ascendenv.matrix.model import Matrix

VENDOR = ("driver", "firmware", "cann", "ops")
PYTHON = ("torch", "torch_npu", "python")
TODAY = "2026-11-29"


def wishes(**parts: str) -> Wishes:
    ranges = {name: VersionRange(parts[name], "vendor") for name in VENDOR if name in parts}
    ranges |= {name: VersionRange(parts[name], "pep440") for name in PYTHON if name in parts}
    texts = {name: text for name, text in parts.items() if name not in ranges}
    return Wishes(**ranges, **texts)  # type: ignore[arg-type]


def given(**parts: str) -> Given:
    versions: dict[str, Version] = {name: vendor(parts[name]) for name in VENDOR if name in parts}
    versions |= {name: pep440(parts[name]) for name in PYTHON if name in parts}
    texts = {name: text for name, text in parts.items() if name not in versions}
    return Given(**versions, **texts)  # type: ignore[arg-type]


def picked(matrix: Matrix, **parts: str) -> tuple[Stack, ...]:
    answer = pick(matrix, wishes(**parts), today=TODAY)
    assert isinstance(answer, tuple)
    return answer


def first(matrix: Matrix, **parts: str) -> dict[str, str]:
    best = picked(matrix, **parts)[0]
    shown = ("driver", "firmware", "cann", "torch", "torch_npu", "python")
    return {name: str(getattr(best, name)) for name in shown}


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({}, {"cann": "9.2.0", "torch_npu": "2.14.0", "driver": "26.2.rc1"}),
        (
            {"chip": "910B3", "arch": "aarch64"},
            {"cann": "9.1.0", "torch": "2.12.0", "driver": "26.0.rc1", "firmware": "None"},
        ),
        ({"chip": "A3", "torch": ">=2.8,<2.11"}, {"cann": "9.2.0", "torch_npu": "2.10.0.post7"}),
        ({"cann": "8.3.RC1", "chip": "910B"}, {"torch_npu": "2.7.1", "driver": "25.3.rc1", "python": "3.11"}),
        ({"cann": "8.2.rc1", "torch": "2.5.1"}, {"torch_npu": "2.5.1.post1", "driver": "25.2.0"}),
        ({"cann": "8.0.0.beta1"}, {"cann": "8.0.0", "torch_npu": "2.7.1", "driver": "24.1.0"}),
        ({"cann": "8.5.X"}, {"cann": "8.5.0", "torch_npu": "2.9.0"}),
        ({"cann": ">=8.1,<8.5"}, {"cann": "8.3.RC1"}),
        ({"driver": "25.0.rc1.1", "chip": "910B"}, {"driver": "25.0.rc1.1", "cann": "9.0.1"}),
        ({"driver": "<25.2", "chip": "910B"}, {"driver": "25.0.rc1.1", "cann": "9.0.1"}),
        ({"product": "Atlas 350", "cann": "9.0.0"}, {"driver": "25.7.rc1.6", "torch_npu": "2.10.0"}),
        ({"product": "Atlas 850", "cann": "9.1.0"}, {"driver": "25.6.rc1", "torch_npu": "2.12.0"}),
        ({"torch": "2.9.0+cpu", "arch": "x86_64"}, {"torch": "2.9.0", "torch_npu": "2.9.0.post9"}),
        ({"torch_npu": "2.9.0"}, {"cann": "8.5.0", "python": "3.12"}),
        ({"python": "3.11.9"}, {"python": "3.11.9", "cann": "9.2.0"}),
        ({"python": "<3.11", "cann": "9.1.0"}, {"python": "3.10"}),
        ({"cann": "9.1.0-beta.3", "chip": "A3"}, {"cann": "9.1.0-beta.3"}),
    ],
)
def test_the_best_stack(matrix: Matrix, parts: dict[str, str], expected: dict[str, str]) -> None:
    found = first(matrix, **parts)
    assert {name: found[name] for name in expected} == expected


def test_an_architecture_is_chosen_where_only_one_has_wheels(matrix: Matrix) -> None:
    assert picked(matrix, torch_npu="2.10.0.post6", python="3.12")[0].arch == "aarch64"
    assert picked(matrix, torch_npu="2.10.0.post6", python="3.11")[0].arch is None


def test_stacks_are_ordered_by_life_then_level_then_age(matrix: Matrix) -> None:
    stacks = picked(matrix, chip="910B")
    keys = [(one.end_of_life, -one.level) for one in stacks]
    assert keys == sorted(keys)
    for (old, level), group in {
        key: [one for one in stacks if (one.end_of_life, -one.level) == key] for key in keys
    }.items():
        ages = [(one.cann, one.torch_npu) for one in group]
        assert ages == sorted(ages, reverse=True), (old, level)


def test_announced_ends_of_life_count_by_the_day(matrix: Matrix) -> None:
    before = pick(matrix, wishes(torch="2.8.0"), today="2026-09-01")
    after = pick(matrix, wishes(torch="2.8.0"), today=TODAY)
    assert isinstance(before, tuple)
    assert isinstance(after, tuple)
    assert (before[0].end_of_life, after[0].end_of_life) == (False, True)


def test_a_limit_bounds_the_answer(matrix: Matrix) -> None:
    answer = pick(matrix, wishes(chip="910B"), limit=3)
    assert isinstance(answer, tuple)
    assert answer == picked(matrix, chip="910B")[:3] or len(answer) == 3


@pytest.mark.parametrize(
    ("parts", "clash"),
    [
        ({"driver": "25.0.rc1", "cann": "9.1.0"}, ["driver", "cann"]),
        ({"driver": "25.0.rc1", "cann": "9.1.0", "python": "3.11", "chip": "910B"}, ["driver", "cann"]),
        ({"cann": "9.1.0", "torch": "2.5.1", "arch": "aarch64"}, ["cann", "torch"]),
        ({"chip": "950", "torch": "2.6.0"}, ["chip", "torch"]),
        ({"torch": "9.9"}, ["torch"]),
        ({"cann": "1.0.0", "torch": "2.9.0"}, ["cann"]),
        ({"chip": "RTX 4090"}, ["chip"]),
        ({"product": "Atlas 850", "driver": "26.0.rc1"}, ["product", "driver"]),
        ({"chip": "910B", "product": "Atlas 850"}, ["chip", "product"]),
        ({"torch_npu": "2.9.0", "python": "3.13", "chip": "910B"}, ["torch_npu", "python"]),
        ({"torch_npu": "2.10.0.post6", "python": "3.12", "arch": "x86_64"}, ["torch_npu", "python", "arch"]),
    ],
)
def test_the_smallest_set_of_wishes_that_clash(
    matrix: Matrix, parts: dict[str, str], clash: list[str]
) -> None:
    answer = pick(matrix, wishes(**parts), today=TODAY)
    assert isinstance(answer, Conflict)
    assert [name for name, _ in answer.wishes] == clash
    for name, text in answer.wishes:
        assert name in str(answer.why)
        assert text in str(answer.why)


def test_ways_out_drop_one_wish_each(matrix: Matrix) -> None:
    answer = pick(matrix, wishes(cann="9.1.0", torch="2.5.1"), today=TODAY)
    assert isinstance(answer, Conflict)
    found = {one.wish: (str(one.stack.cann), str(one.stack.torch)) for one in answer.ways_out}
    assert found == {"cann": ("8.2.RC1", "2.5.1"), "torch": ("9.1.0", "2.12.0")}


@pytest.mark.parametrize(
    ("parts", "lines"),
    [
        (
            {"cann": "8.5.0", "chip": "910B", "arch": "x86_64", "torch_npu": "2.9.0"},
            [
                "bash Ascend-hdk-910b-npu-driver_25.5.1_linux-x86-64.run --full --install-for-all",
                "bash Ascend-hdk-910b-npu-firmware_7.8.0.6.201.run --full",
                "reboot",
                "bash Ascend-cann-toolkit_8.5.0_linux-x86_64.run --install --install-for-all",
                "bash Ascend-cann-910b-ops_8.5.0_linux-x86_64.run --install --install-for-all",
                "source /usr/local/Ascend/cann/set_env.sh",
                "python3.12 -m pip install torch==2.9.0+cpu --index-url https://download.pytorch.org/whl/cpu",
                'python3.12 -m pip install torch_npu==2.9.0 "numpy>=1.19.2,<2" pyyaml',
            ],
        ),
        (
            {"cann": "8.3.RC1", "chip": "A3", "arch": "aarch64", "torch_npu": "2.7.1"},
            [
                "bash Atlas-A3-hdk-npu-driver_25.3.rc1_linux-aarch64.run --full --install-for-all",
                "bash Atlas-A3-hdk-npu-firmware_7.8.0.2.212.run --full",
                "reboot",
                "bash Ascend-cann-toolkit_8.3.RC1_linux-aarch64.run --install --install-for-all",
                "bash Atlas-A3-cann-kernels_8.3.RC1_linux-aarch64.run --install --install-for-all",
                "source /usr/local/Ascend/ascend-toolkit/set_env.sh",
                "python3.11 -m pip install torch==2.7.1",
                'python3.11 -m pip install torch_npu==2.7.1 "numpy>=1.19.2,<2" pyyaml',
            ],
        ),
        (
            {"cann": "9.2.0", "torch_npu": "2.11.0.post3", "arch": "aarch64", "python": "3.11"},
            [
                "bash Ascend-cann-toolkit_9.2.0_linux-aarch64.run --install --install-for-all",
                "bash Ascend-cann-<chip>-ops_9.2.0_linux-aarch64.run --install --install-for-all",
                "source /usr/local/Ascend/cann/set_env.sh",
                "python3.11 -m pip install torch==2.11.0+cpu --index-url https://download.pytorch.org/whl/cpu",
                "python3.11 -m pip install torch_npu==2.11.0.post3",
            ],
        ),
    ],
)
def test_the_commands_of_a_stack(matrix: Matrix, parts: dict[str, str], lines: list[str]) -> None:
    assert list(picked(matrix, **parts)[0].commands) == lines


@pytest.mark.parametrize(
    ("parts", "changes"),
    [
        ({"cann": "9.2.0", "torch_npu": "2.8.0.post4", "torch": "2.8.0"}, [("cann", "9.2.0", "9.0.0")]),
        ({"cann": "9.1.0", "driver": "25.0.rc1.1", "chip": "910B"}, [("driver", "25.0.rc1.1", "26.0.rc1")]),
        ({"torch": "2.6.0", "torch_npu": "2.5.1", "cann": "8.1.RC1"}, [("torch", "2.6.0", "2.5.1")]),
        ({"cann": "8.5.0", "ops": "8.3.RC1"}, [("ops", "8.3.RC1", "8.5.0")]),
        (
            {"torch_npu": "2.9.0", "python": "3.13", "arch": "x86_64"},
            [("torch_npu", "2.9.0", "2.9.0.post9")],
        ),
        (
            {"torch_npu": "2.9.0", "python": "3.13", "arch": "x86_64", "cann": "8.5.0"},
            [("python", "3.13", "3.12")],
        ),
        (
            {"product": "Atlas 850", "driver": "26.0.rc1", "cann": "9.1.0"},
            [("driver", "26.0.rc1", "25.6.rc1")],
        ),
        ({"cann": "7.0.RC1", "torch": "2.1.0", "torch_npu": "2.1.0"}, [("cann", "7.0.RC1", "7.0.0")]),
        ({"chip": "950", "cann": "8.5.0"}, [("cann", "8.5.0", "9.2.0")]),
    ],
)
def test_the_nearest_set_that_works(
    matrix: Matrix, parts: dict[str, str], changes: list[tuple[str, str, str]]
) -> None:
    asked = given(**parts)
    assert judge(matrix, asked).verdict == Level.BROKEN
    found = alternatives(matrix, asked, today=TODAY)
    assert list(found[0].changes) == changes
    counts = [len(one.changes) for one in found]
    assert counts == sorted(counts)
    for one in found:
        assert judge(matrix, one.given).verdict == one.level >= Level.COMPATIBLE
        assert (one.given.chip, one.given.product) == (asked.chip, asked.product)


def test_what_cannot_be_mended_has_no_alternative(matrix: Matrix) -> None:
    assert alternatives(matrix, given(chip="RTX 4090", cann="9.0.0")) == ()


def test_own_work_stays_small(matrix: Matrix) -> None:
    """The bar is 50 ms on a quiet machine; twice that here, because tests share theirs."""
    assert min(_seconds(matrix) for _ in range(5)) < 0.1


def _seconds(matrix: Matrix) -> float:
    fresh = type(matrix)(matrix.raw)
    start = time.perf_counter()
    pick(fresh, wishes(chip="910B", torch=">=2.8,<2.11"), limit=5)
    asked = given(
        cann="9.1.0", driver="25.0.rc1.1", torch="2.9.0", torch_npu="2.9.0", chip="910B3", python="3.11"
    )
    judge(fresh, asked)
    alternatives(fresh, asked, today=TODAY)
    return time.perf_counter() - start
