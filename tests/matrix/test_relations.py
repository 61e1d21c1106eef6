"""What goes with what: long tables of sets that are known to work, known to break, or that nobody speaks of."""

from __future__ import annotations

from itertools import permutations

import pytest

from ascendenv.language import use_language
from ascendenv.matrix.relations import CORE, Given, Judgement, Level, judge
from ascendenv.matrix.store import shipped_matrix
from ascendenv.versions import Version, pep440, vendor

VENDOR = ("driver", "firmware", "cann", "ops")
PYTHON = ("torch", "torch_npu", "python")


def given(**parts: str) -> Given:
    versions: dict[str, Version] = {name: vendor(parts[name]) for name in VENDOR if name in parts}
    versions |= {name: pep440(parts[name]) for name in PYTHON if name in parts}
    texts = {name: text for name, text in parts.items() if name not in versions}
    return Given(**versions, **texts)  # type: ignore[arg-type]


def judged(**parts: str) -> Judgement:
    return judge(shipped_matrix(), given(**parts))


def level_of(kind: str, **parts: str) -> Level | None:
    relations = judged(**parts).of(kind)
    return relations[0].level if relations else None


@pytest.mark.parametrize(
    ("driver", "firmware", "chip", "level"),
    [
        # the pair of one HDK release
        ("25.0.rc1.1", "7.7.0.1.231", "910B3", Level.RECOMMENDED),
        ("25.0.rc1", "7.7.0.1.231", "910B3", Level.RECOMMENDED),
        ("25.0.rc1.3", "7.7.0.3.228", "A3", Level.RECOMMENDED),
        ("25.5.1", "7.8.0.6.201", "910B2", Level.RECOMMENDED),
        ("24.1.0", "7.5.0.3.220", "910B", Level.RECOMMENDED),
        ("24.1.0", "7.5.0.2.220", "310P", Level.RECOMMENDED),
        ("25.7.rc1.6", "9.0.0.105.229", "Ascend950PR_9579", Level.RECOMMENDED),
        ("23.0.rc3", "6.4.0.4.220", "910B", Level.RECOMMENDED),
        ("23.0.rc3", "7.0.0.5.242", "310P", Level.RECOMMENDED),
        # the pair was seen on another chip
        ("26.1.1", "9.0.0.9.220", "910B", Level.COMPATIBLE),
        ("25.0.rc1.3", "7.7.0.3.228", "910B", Level.COMPATIBLE),
        # the driver declares a range
        ("25.3.rc1", "7.7.0.6.236", "910B", Level.COMPATIBLE),
        ("25.3.rc1.2", "7.1.0.5.220", "910B", Level.COMPATIBLE),
        ("25.0.rc1.1", "6.4.0.4.220", "910B", Level.COMPATIBLE),
        # the firmware declares the driver
        ("24.1.rc3", "7.7.0.1.231", "910B", Level.COMPATIBLE),
        # outside of everything that is declared
        ("24.1.rc3", "7.8.0.6.201", "910B", Level.BROKEN),
        ("25.0.rc1.1", "6.3.0.1.241", "910B", Level.BROKEN),
        ("25.3.rc1", "9.0.0.0.205", "910B", Level.BROKEN),
        # sources that contradict each other are never broken for that
        ("24.1.rc2", "7.3.0.1.231", "910B", Level.COMPATIBLE),
        ("24.1.rc2.2", "7.3.0.1.231", "310P", Level.COMPATIBLE),
        # nobody tells
        ("25.5.1", "7.7.0.1.231", "910B", Level.UNKNOWN),
        ("26.1.0", "9.0.0.9.220", "910B", Level.UNKNOWN),
        ("25.6.rc1.b218", "9.0.0.0.1", "950", Level.UNKNOWN),
        ("99.0.0", "7.7.0.1.231", "910B", Level.UNKNOWN),
    ],
)
def test_driver_and_firmware(driver: str, firmware: str, chip: str, level: Level) -> None:
    assert level_of("driver-firmware", driver=driver, firmware=firmware, chip=chip) == level


def test_a_build_with_its_own_firmware_is_not_the_release() -> None:
    assert level_of("driver-firmware", driver="25.5.0.b061", firmware="7.8.0.5.201") == Level.RECOMMENDED
    assert level_of("driver-firmware", driver="25.5.0", firmware="7.8.0.5.216") == Level.RECOMMENDED
    assert level_of("driver-firmware", driver="25.5.0", firmware="7.8.0.5.201") == Level.UNKNOWN


@pytest.mark.parametrize(
    ("cann", "driver", "level"),
    [
        # the official table
        ("9.2.0", "25.0.rc1.1", Level.BROKEN),
        ("9.2.0", "25.2.0", Level.BROKEN),
        ("9.2.0", "25.3.rc1", Level.COMPATIBLE),
        ("9.2.0", "25.5.2", Level.COMPATIBLE),
        ("9.2.0", "26.0.rc1", Level.COMPATIBLE),
        ("9.2.0", "26.0.rc3", Level.UNKNOWN),
        ("9.2.0", "26.1.0", Level.UNKNOWN),
        ("9.2.0", "26.1.1", Level.COMPATIBLE),
        ("9.2.0", "26.2.rc1.b021", Level.RECOMMENDED),
        ("9.2.0", "26.2.0", Level.RECOMMENDED),
        ("9.1.0", "25.0.rc1", Level.BROKEN),
        ("9.1.1", "25.0.0", Level.BROKEN),
        ("9.1.0", "25.2.0", Level.COMPATIBLE),
        ("9.1.0", "26.0.rc1", Level.RECOMMENDED),
        ("9.1.0", "26.1.0", Level.RECOMMENDED),
        ("9.1.1", "26.1.1", Level.RECOMMENDED),
        ("9.0.0", "25.0.rc1.1", Level.COMPATIBLE),
        ("9.0.1", "26.0.rc3", Level.RECOMMENDED),
        ("8.5.2", "25.0.rc1_sph001", Level.COMPATIBLE),
        ("8.5.2", "26.2.rc1", Level.COMPATIBLE),
        ("8.5.0", "25.5.0", Level.RECOMMENDED),
        ("8.5.1", "25.5.1", Level.RECOMMENDED),
        ("8.5.0", "25.3.rc1", Level.COMPATIBLE),
        ("8.5.0", "25.5.0.b061", Level.RECOMMENDED),
        # paired or handed out
        ("8.3.RC1", "25.3.RC1", Level.RECOMMENDED),
        ("8.2.RC1", "25.2.0", Level.RECOMMENDED),
        ("8.2.RC1", "25.0.rc1.1", Level.COMPATIBLE),
        ("8.2.RC1", "24.1.rc3", Level.COMPATIBLE),
        ("8.1.RC1", "25.0.rc1.1", Level.RECOMMENDED),
        ("8.1.RC1", "24.1.rc2", Level.COMPATIBLE),
        ("8.0.0", "24.1.0", Level.RECOMMENDED),
        ("8.0.0.beta1", "24.1.0", Level.RECOMMENDED),
        ("8.0.RC3.20", "24.1.rc3", Level.RECOMMENDED),
        ("8.0.RC1", "24.1.rc1", Level.RECOMMENDED),
        ("7.0.0", "23.0.3", Level.RECOMMENDED),
        ("6.0.RC1", "6.0.rc1.2", Level.RECOMMENDED),
        # an alpha counts as the release that it leads to, at most as compatible
        ("8.3.RC1.alpha003", "25.3.rc1", Level.COMPATIBLE),
        ("8.5.0.alpha001", "25.2.0", Level.RECOMMENDED),
        # nobody tells; an old driver that works is no error
        ("8.5.0", "24.1.rc3", Level.UNKNOWN),
        ("8.3.RC1", "24.1.rc2", Level.UNKNOWN),
        ("6.3.RC3", "23.0.rc3", Level.UNKNOWN),
        ("9.9.9", "25.5.1", Level.UNKNOWN),
    ],
)
def test_cann_and_driver(cann: str, driver: str, level: Level) -> None:
    assert level_of("cann-hdk", cann=cann, driver=driver, chip="910B") == level


@pytest.mark.parametrize(
    ("cann", "torch_npu", "level"),
    [
        ("9.2.0", "2.14.0", Level.RECOMMENDED),
        ("9.2.0", "2.10.0.post7", Level.RECOMMENDED),
        ("9.1.0", "2.10.0.post4", Level.RECOMMENDED),
        ("9.0.0", "2.10.0", Level.RECOMMENDED),
        ("9.0.0", "2.9.0.post2", Level.RECOMMENDED),
        ("8.5.0", "2.9.0", Level.RECOMMENDED),
        ("8.3.RC1", "2.7.1", Level.RECOMMENDED),
        ("8.2.RC1", "2.5.1.post1", Level.RECOMMENDED),
        ("8.1.RC1", "2.5.1", Level.RECOMMENDED),
        ("8.0.0", "2.1.0.post10", Level.RECOMMENDED),
        ("8.0.0.beta1", "2.4.0.post2", Level.RECOMMENDED),
        ("8.0.RC1", "2.1.0.post3", Level.RECOMMENDED),
        ("7.0.0", "2.1.0", Level.RECOMMENDED),
        ("7.0.RC1", "2.1.0rc1", Level.RECOMMENDED),
        ("6.3.RC2", "1.11.0.post1", Level.RECOMMENDED),
        # the official cross table
        ("9.2.0", "2.9.0", Level.COMPATIBLE),
        ("8.5.0", "2.10.0.post7", Level.COMPATIBLE),
        ("9.1.0", "2.7.1.post2", Level.COMPATIBLE),
        ("8.0.RC2", "2.8.0", Level.COMPATIBLE),
        ("8.3.RC1", "2.1.0.post10", Level.COMPATIBLE),
        # inferred from the product line
        ("9.0.1", "2.10.0.post2", Level.COMPATIBLE),
        ("8.2.RC1", "2.6.0.post2", Level.COMPATIBLE),
        ("9.1.1", "2.10.0.post6", Level.COMPATIBLE),
        # a project ships exactly this pair
        ("8.3.RC1", "2.7.1.post2", Level.COMPATIBLE),
        ("8.3.RC2", "2.8.0", Level.COMPATIBLE),
        ("8.2.RC1", "2.7.1.dev20250724", Level.COMPATIBLE),
        ("8.5.1", "2.9.0.post1+git4c901a4", Level.COMPATIBLE),
        # a development build counts as the release that it leads to
        ("8.0.0", "2.5.1.dev20250218", Level.COMPATIBLE),
        ("8.3.RC2", "2.8.0.post2.dev20251113", Level.UNKNOWN),
        # older than anything that was stated
        ("8.3.RC1", "2.9.0", Level.BROKEN),
        ("8.1.RC1", "2.9.0.post2", Level.BROKEN),
        ("7.0.0", "2.5.1", Level.BROKEN),
        ("7.0.RC1", "2.1.0", Level.BROKEN),
        ("8.2.RC1", "2.10.0", Level.BROKEN),
        # newer than anything that was stated: nobody tells
        ("8.5.0", "2.6.0.post3", Level.UNKNOWN),
        ("9.0.0", "2.5.1", Level.UNKNOWN),
        ("9.0.1", "2.9.1", Level.UNKNOWN),
        ("8.0.RC1", "2.1.0.post4", Level.UNKNOWN),
        ("8.5.0", "3.0.0", Level.UNKNOWN),
        # alphas and betas
        ("8.5.0.alpha001", "2.9.0", Level.COMPATIBLE),
        ("9.1.0-beta.1", "2.10.0.post4", Level.COMPATIBLE),
        ("9.1.0b3", "2.10.0.post4", Level.COMPATIBLE),
    ],
)
def test_cann_and_torch_npu(cann: str, torch_npu: str, level: Level) -> None:
    assert level_of("cann-torch_npu", cann=cann, torch_npu=torch_npu) == level


@pytest.mark.parametrize(
    ("torch_npu", "torch", "arch", "level"),
    [
        ("2.9.0.post2", "2.9.0", "aarch64", Level.RECOMMENDED),
        ("2.9.0.post2", "2.9.0+cpu", "aarch64", Level.RECOMMENDED),
        ("2.9.0.post2", "2.9.0+cpu", "x86_64", Level.RECOMMENDED),
        ("2.9.0.post2", "2.9.0", "x86_64", Level.RECOMMENDED),
        ("2.13.0", "2.13.0+cpu", "x86_64", Level.RECOMMENDED),
        ("2.9.0", "2.9.0+cu128", "x86_64", Level.COMPATIBLE),
        ("2.12.0", "2.12.0+cu130", "aarch64", Level.COMPATIBLE),
        ("2.5.1.dev20250218", "2.5.1", "aarch64", Level.COMPATIBLE),
        ("2.9.0", "2.8.0", "aarch64", Level.BROKEN),
        ("2.5.1", "2.5.0", "x86_64", Level.BROKEN),
        ("2.1.0.post12", "2.4.0", "aarch64", Level.BROKEN),
        ("2.6.0", "2.6.0a0+git1234", "aarch64", Level.UNKNOWN),
    ],
)
def test_torch_npu_and_torch(torch_npu: str, torch: str, arch: str, level: Level) -> None:
    assert level_of("torch_npu-torch", torch_npu=torch_npu, torch=torch, arch=arch) == level


@pytest.mark.parametrize(
    ("parts", "level"),
    [
        ({"torch_npu": "2.9.0", "python": "3.11.9", "arch": "aarch64"}, Level.RECOMMENDED),
        ({"torch_npu": "2.9.0", "python": "3.13", "arch": "aarch64"}, Level.BROKEN),
        ({"torch_npu": "2.7.1", "python": "3.12", "arch": "x86_64"}, Level.BROKEN),
        ({"torch_npu": "2.7.1.post2", "python": "3.12", "arch": "x86_64"}, Level.RECOMMENDED),
        ({"torch_npu": "2.12.0", "python": "3.14", "arch": "aarch64"}, Level.BROKEN),
        ({"torch_npu": "2.12.0.post3", "python": "3.14", "arch": "aarch64"}, Level.RECOMMENDED),
        ({"torch_npu": "2.10.0.post6", "python": "3.12", "arch": "x86_64"}, Level.BROKEN),
        ({"torch_npu": "2.10.0.post6", "python": "3.12", "arch": "aarch64"}, Level.RECOMMENDED),
        ({"torch_npu": "2.10.0.post6", "python": "3.12"}, Level.UNKNOWN),
        ({"torch_npu": "2.10.0.post6", "python": "3.13"}, Level.BROKEN),
        ({"torch_npu": "2.5.1", "python": "3.8"}, Level.BROKEN),
        ({"torch_npu": "2.5.1", "arch": "aarch64"}, Level.RECOMMENDED),
        ({"torch_npu": "2.1.0.post14", "python": "3.9"}, Level.COMPATIBLE),
        ({"torch_npu": "2.1.0.post14", "python": "3.12"}, Level.UNKNOWN),
        ({"torch_npu": "2.5.1.dev20250218", "python": "3.10"}, Level.UNKNOWN),
    ],
)
def test_wheels_of_torch_npu(parts: dict[str, str], level: Level) -> None:
    assert level_of("torch_npu-python-arch", **parts) == level


@pytest.mark.parametrize(
    ("parts", "level"),
    [
        ({"cann": "9.0.0", "chip": "910B3"}, Level.RECOMMENDED),
        ({"cann": "8.1.RC1", "chip": "Ascend910_9382"}, Level.RECOMMENDED),
        ({"cann": "9.0.0", "product": "Atlas 350"}, Level.RECOMMENDED),
        ({"cann": "9.1.0", "chip": "Ascend950DT_9582"}, Level.RECOMMENDED),
        ({"cann": "9.0.0", "chip": "Ascend950DT_9582"}, Level.BROKEN),
        ({"cann": "9.0.1", "product": "Atlas 850"}, Level.BROKEN),
        ({"cann": "8.5.2", "chip": "950"}, Level.BROKEN),
        ({"cann": "9.0.0-beta.2", "chip": "950PR"}, Level.BROKEN),
        ({"cann": "8.0.RC1", "chip": "A3"}, Level.UNKNOWN),
        ({"cann": "6.3.RC2", "chip": "310P3"}, Level.UNKNOWN),
        ({"cann": "9.0.0", "chip": "RTX 4090"}, Level.UNKNOWN),
    ],
)
def test_cann_and_chip(parts: dict[str, str], level: Level) -> None:
    assert level_of("cann-chip", **parts) == level


@pytest.mark.parametrize(
    ("parts", "level"),
    [
        ({"driver": "25.5.1", "chip": "910B3"}, Level.RECOMMENDED),
        ({"driver": "25.5.1", "chip": "910C"}, Level.RECOMMENDED),
        ({"driver": "26.2.rc1", "chip": "910B"}, Level.COMPATIBLE),
        ({"driver": "25.7.rc1.6", "chip": "910B"}, Level.BROKEN),
        ({"driver": "26.0.rc1", "chip": "950PR"}, Level.BROKEN),
        ({"driver": "25.5.1", "product": "Atlas 850"}, Level.BROKEN),
        ({"driver": "25.6.rc1.b218", "product": "Atlas 850"}, Level.RECOMMENDED),
        ({"driver": "25.7.rc1", "product": "Atlas 850"}, Level.BROKEN),
        ({"driver": "25.1.rc1", "product": "Atlas 950 SuperPoD"}, Level.RECOMMENDED),
        ({"driver": "25.7.rc1.6", "product": "Atlas 350"}, Level.RECOMMENDED),
        ({"driver": "26.2.rc1", "product": "Atlas 350"}, Level.RECOMMENDED),
        ({"driver": "26.2.0", "chip": "Ascend950DT"}, Level.RECOMMENDED),
        # contradictions are never broken for that
        ({"driver": "25.1.rc1", "product": "Atlas 350"}, Level.UNKNOWN),
        ({"driver": "25.6.rc1.b010", "chip": "910B2"}, Level.UNKNOWN),
        ({"driver": "25.6.rc1.b010", "chip": "310P3"}, Level.UNKNOWN),
        ({"driver": "99.0.0", "chip": "910B"}, Level.UNKNOWN),
    ],
)
def test_driver_and_chip(parts: dict[str, str], level: Level) -> None:
    assert level_of("hdk-chip", **parts) == level


@pytest.mark.parametrize(
    ("cann", "ops", "level"),
    [
        ("8.5.0", "8.5.0", Level.RECOMMENDED),
        ("8.2.RC1", "8.2.rc1", Level.RECOMMENDED),
        ("8.0.0.beta1", "8.0.0", Level.RECOMMENDED),
        ("9.0.1", "9.0.0", Level.COMPATIBLE),
        ("9.0.1", "8.5.2", Level.COMPATIBLE),
        ("9.0.0", "8.5.2", Level.COMPATIBLE),
        ("8.5.2", "9.0.0", Level.COMPATIBLE),
        ("9.0.0", "9.0.1", Level.BROKEN),
        ("8.5.0", "8.3.RC1", Level.BROKEN),
        ("8.3.RC1", "8.3.RC1.alpha003", Level.BROKEN),
    ],
)
def test_toolkit_and_ops(cann: str, ops: str, level: Level) -> None:
    assert level_of("toolkit-ops", cann=cann, ops=ops) == level


@pytest.mark.parametrize(
    ("torch_npu", "level"),
    [
        ("2.10.0", Level.RECOMMENDED),
        ("2.9.0", Level.BROKEN),
        ("2.7.1.post4", Level.RECOMMENDED),
        ("2.9.1", Level.UNKNOWN),
    ],
)
def test_torch_npu_knows_the_950_since_26_0(torch_npu: str, level: Level) -> None:
    assert level_of("torch_npu-chip", torch_npu=torch_npu, chip="Ascend950PR_9579") == level
    assert level_of("torch_npu-chip", torch_npu=torch_npu, chip="910B") is None


@pytest.mark.parametrize(
    ("cann", "torch_npu", "breaks"),
    [
        ("9.2.0", "2.8.0.post4", True),
        ("9.2.0", "2.7.1.post4", True),
        ("9.2.0-beta.2", "2.8.0", True),
        ("9.2.0", "2.7.1.post11", False),
        ("9.2.0", "2.9.0", False),
        ("9.1.0", "2.8.0.post4", False),
    ],
)
def test_known_breaks(cann: str, torch_npu: str, breaks: bool) -> None:
    judgement = judged(cann=cann, torch_npu=torch_npu)
    assert bool(judgement.of("known-break")) is breaks
    assert (judgement.verdict == Level.BROKEN) is breaks


@pytest.mark.parametrize(
    ("cann", "python", "level"),
    [
        ("9.0.0", "3.11.9", Level.RECOMMENDED),
        ("9.0.0", "3.14", Level.UNKNOWN),
        ("8.2.RC1", "3.11.4", Level.RECOMMENDED),
        ("8.2.RC1", "3.11.13", Level.COMPATIBLE),
        ("8.2.RC1", "3.12", Level.UNKNOWN),
        ("8.0.0", "3.10.14", Level.COMPATIBLE),
        ("9.2.0", "3.11", None),
    ],
)
def test_cann_and_python_stand_beside_the_verdict(cann: str, python: str, level: Level | None) -> None:
    assert level_of("cann-python", cann=cann, python=python) == level
    assert "cann-python" not in CORE


@pytest.mark.parametrize(
    ("parts", "level"),
    [
        ({"os": "Ubuntu 22.04.5 LTS", "chip": "910B", "arch": "aarch64"}, Level.RECOMMENDED),
        ({"os": "openEuler 22.03 LTS-SP4", "chip": "A3", "arch": "aarch64"}, Level.RECOMMENDED),
        ({"os": "openEuler 22.03 (LTS-SP4)", "chip": "950"}, Level.RECOMMENDED),
        ({"os": "Ubuntu 22.04", "chip": "A3", "arch": "x86_64"}, Level.UNKNOWN),
        ({"os": "Fedora 42", "chip": "910B"}, Level.UNKNOWN),
        ({"os": "uos V25", "product": "Atlas 800I A2"}, Level.RECOMMENDED),
        ({"os": "ubuntu 22.04", "product": "Atlas 300I Pro", "driver": "23.0.3"}, Level.BROKEN),
        ({"os": "ubuntu 22.04", "product": "Atlas 300I Pro", "driver": "24.1.0"}, Level.RECOMMENDED),
        (
            {"os": "openEuler 24.03 LTS SP1", "product": "Atlas 900 A3 Pod", "driver": "25.0.rc1"},
            Level.BROKEN,
        ),
        ({"os": "ubuntu 22.04"}, None),
    ],
)
def test_operating_systems(parts: dict[str, str], level: Level | None) -> None:
    assert level_of("os", **parts) == level


def test_a_broken_operating_system_breaks_the_verdict() -> None:
    assert judged(os="ubuntu 22.04", product="Atlas 300I Pro", driver="23.0.3").verdict == Level.BROKEN
    assert judged(os="Fedora 42", chip="910B", cann="9.0.0").verdict == Level.RECOMMENDED


@pytest.mark.parametrize(
    ("torch", "level"),
    [
        ("2.5.1", Level.COMPATIBLE),
        ("2.6.0", Level.RECOMMENDED),
        ("2.9.0", Level.RECOMMENDED),
        ("2.14.0", Level.UNKNOWN),
        ("2.9.1", None),
    ],
)
def test_life_cycle_stands_beside_the_verdict(torch: str, level: Level | None) -> None:
    assert level_of("life-cycle", torch=torch, torch_npu=torch) == level
    assert "life-cycle" not in CORE


@pytest.mark.parametrize(
    ("today", "words"),
    [(None, "in maintenance"), ("2026-10-14", "in maintenance"), ("2026-10-15", "end of life on 2026-10-15")],
)
def test_announced_changes_of_life_count_by_the_day(today: str | None, words: str) -> None:
    judgement = judge(shipped_matrix(), given(torch="2.8.0", torch_npu="2.8.0"), today=today)
    assert words in judgement.of("life-cycle")[0].why.text("en")


@pytest.mark.parametrize(
    ("parts", "verdict"),
    [
        ({"cann": "9.0.0"}, Level.UNKNOWN),
        ({}, Level.UNKNOWN),
        (
            {"chip": "910B3", "driver": "25.5.1", "firmware": "7.8.0.6.201", "cann": "8.5.0"},
            Level.RECOMMENDED,
        ),
        (
            {
                "chip": "910B3",
                "driver": "25.5.1",
                "cann": "8.5.0",
                "torch": "2.9.0+cpu",
                "torch_npu": "2.9.0",
                "python": "3.11",
                "arch": "aarch64",
            },
            Level.RECOMMENDED,
        ),
        (
            {
                "driver": "25.0.rc1.1",
                "cann": "9.0.0",
                "torch": "2.9.0",
                "torch_npu": "2.9.0.post2",
                "python": "3.11",
            },
            Level.COMPATIBLE,
        ),
        # claims in circulation
        ({"cann": "7.0.RC1", "torch": "2.1.0", "torch_npu": "2.1.0"}, Level.BROKEN),
        ({"cann": "7.0.0", "torch": "2.1.0", "torch_npu": "2.1.0"}, Level.RECOMMENDED),
        ({"cann": "9.1.0", "driver": "23.0.3"}, Level.UNKNOWN),
    ],
)
def test_the_verdict_is_the_worst_core_relation(parts: dict[str, str], verdict: Level) -> None:
    assert judged(**parts).verdict == verdict


def test_every_relation_says_why_and_where_from() -> None:
    judgement = judged(
        chip="910B3",
        driver="25.5.1",
        firmware="7.8.0.6.201",
        cann="8.5.0",
        ops="8.5.0",
        torch="2.9.0",
        torch_npu="2.9.0",
        python="3.11",
        arch="aarch64",
        os="ubuntu 22.04",
    )
    assert {one.kind for one in judgement.relations} == (CORE - {"known-break", "torch_npu-chip"}) | {
        "cann-python",
        "os",
        "life-cycle",
    }
    for one in judgement.relations:
        assert str(one.why)
        assert one.sources
        assert one.between


def test_what_the_matrix_does_not_know_is_named() -> None:
    judgement = judged(chip="RTX 4090", driver="99.0", cann="1.2.3", torch_npu="9.9.9", kernel="5.10.0")
    texts = " / ".join(str(one) for one in judgement.unknown)
    for name in ("RTX 4090", "99.0", "1.2.3", "9.9.9", "5.10.0"):
        assert name in texts


def test_the_order_of_what_is_given_does_not_matter() -> None:
    parts = {"cann": "9.0.0", "driver": "25.5.1", "torch_npu": "2.9.0", "python": "3.11"}
    answers = {repr(judged(**dict(order))) for order in permutations(parts.items())}
    assert len(answers) == 1


def test_reasons_come_from_the_data_in_both_languages() -> None:
    found = judged(cann="9.2.0", torch_npu="2.8.0").of("known-break")[0]
    assert "libgraph.so" in found.why.text("en")
    assert "不再提供" in found.why.text("zh")
    use_language("en")
