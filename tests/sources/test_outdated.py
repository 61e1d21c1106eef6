"""`ascendenv matrix outdated`: newer recommended sets, the ends of lives, and when there is nothing to say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ascendenv.language import use_language
from ascendenv.lock.lock_file import write_lock
from ascendenv.lock.model import Lock, Part, Stack
from ascendenv.matrix.given import Given
from ascendenv.matrix.level import Level
from ascendenv.matrix.relations import judge
from ascendenv.matrix.store import shipped_matrix
from ascendenv.sources.newer import age_of
from ascendenv.versions import pep440, vendor

if TYPE_CHECKING:
    from collections.abc import Iterator

MATRIX = shipped_matrix()
TODAY = "2026-11-29"
OLD = Given(
    chip="910B3",
    arch="aarch64",
    driver=vendor("25.2.0"),
    cann=vendor("8.2.RC1"),
    torch=pep440("2.5.1+cpu"),
    torch_npu=pep440("2.5.1.post1"),
    python=pep440("3.10.14"),
)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    use_language("en")


@pytest.fixture
def lock(tmp_path: Path) -> str:
    """A project with an old stack and the newest one there is."""
    newest = next(iter(MATRIX.torch_npu.values()))
    stacks = (
        _stack("canary", str(newest.cann[0]), str(newest.torch), str(newest.version), None),
        _stack("prod", "8.2.RC1", "2.5.1+cpu", "2.5.1.post1", "25.2.0"),
    )
    path = tmp_path / "ascendenv.lock"
    write_lock(path, Lock(stacks=stacks))
    return str(path)


def _stack(name: str, cann: str, torch: str, torch_npu: str, driver: str | None) -> Stack:
    hdk = Part(name="hdk", values=(("driver", driver),) if driver else ())
    python = Part(name="python", values=(("python", "3.10.14"), ("torch", torch), ("torch_npu", torch_npu)))
    parts = (hdk, Part(name="cann", values=(("toolkit", cann), ("ops", cann))), python)
    return Stack(name=name, arch=("aarch64",), parts=parts, chip="Ascend910B3", family="910B")


def test_every_newer_set_is_recommended_alive_and_no_step_back() -> None:
    age = age_of(MATRIX, OLD, today=TODAY)
    assert age.newer
    for one in age.newer:
        assert judge(MATRIX, one.stack.given(), today=TODAY).verdict == Level.RECOMMENDED
        assert (one.stack.cann, one.stack.torch_npu) > (OLD.cann, OLD.torch_npu)
        assert one.stack.torch >= pep440("2.5.1")
        assert not one.stack.end_of_life
        assert one.stack.python == OLD.python
    assert [one.stack.cann for one in age.newer] == sorted(
        (one.stack.cann for one in age.newer), reverse=True
    )


@pytest.mark.parametrize(("driver", "can_stay"), [("25.2.0", True), ("24.1.0", False)])
def test_what_can_stay(driver: str, can_stay: bool) -> None:
    """Python with wheels stays; a driver that carries the newer CANN may, though another one is paired with it."""
    given = replace(OLD, driver=vendor(driver))
    (newest,) = [one for one in age_of(MATRIX, given, today=TODAY).newer if "newest" in one.roles]
    assert newest.driver_can_stay is can_stay
    assert [name for name, _, _ in newest.changes] == ["driver", "cann", "torch", "torch_npu"]
    carried = judge(MATRIX, replace(newest.stack.given(), driver=vendor(driver), firmware=None))
    assert (carried.verdict >= Level.COMPATIBLE) is can_stay


def test_the_driver_that_is_paired_is_no_change() -> None:
    newest = age_of(MATRIX, OLD, today=TODAY).newer[0].stack
    given = replace(OLD, driver=newest.driver, firmware=newest.firmware)
    first = age_of(MATRIX, given, today=TODAY).newer[0]
    assert [name for name, _, _ in first.changes] == ["cann", "torch", "torch_npu"]
    assert not first.driver_can_stay


@pytest.mark.parametrize(
    ("parts", "day", "ends"),
    [
        ({"torch": "2.5.1+cpu"}, TODAY, [("torch", "2.5.1", True, "2026-08-08")]),
        ({"torch_npu": "2.5.1.post1"}, TODAY, [("torch", "2.5.1", True, "2026-08-08")]),
        ({"torch": "2.8.0"}, "2026-09-01", [("torch", "2.8.0", False, "2026-10-15")]),
        ({"torch": "2.8.0"}, "2026-10-15", [("torch", "2.8.0", True, "2026-10-15")]),
        ({"torch": "2.12.0"}, TODAY, []),
    ],
)
def test_ends_of_lives(parts: dict[str, str], day: str, ends: list[tuple[str, str, bool, str]]) -> None:
    given = Given(**{name: pep440(text) for name, text in parts.items()})  # type: ignore[arg-type]
    found = age_of(MATRIX, given, today=day).ends
    assert [(one.component, one.version, one.is_over, one.since) for one in found] == ends
    assert all(one.sources for one in found)


def test_roles() -> None:
    given = Given(cann=vendor("9.0.0"), torch_npu=pep440("2.9.0.post2"))
    roles = {role: one.stack for one in age_of(MATRIX, given, today=TODAY).newer for role in one.roles}
    assert set(roles) == {"newest", "same torch", "same CANN"}
    assert roles["same CANN"].cann == vendor("9.0.0")
    assert roles["same torch"].torch == pep440("2.9.0")
    assert all(roles["newest"].cann >= one.cann for one in roles.values())


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--cann", "8.2.RC1", "--torch-npu", "2.7.1"), 1, "newer recommended sets:"),
        (("--torch", "2.5.1"), 1, "end of life: torch 2.5.1, since 2026-08-08"),
        (("--cann", "99.0.0"), 0, "there is no newer recommended set"),
        (("--cann", "9.1.0", "--driver", "25.0.rc1.1"), 1, "these do not go together"),
        (("--driver", "25.2.0"), 4, "nothing can be compared"),
        (("--chip", "910B3"), 4, "nothing can be compared"),
        ((), 2, "give a lock, or versions"),
        (("x.lock", "--cann", "9.0.0"), 2, "not both"),
        (("/nowhere/x.lock",), 2, "there is no lock here"),
        (("--cann", "9,0"), 2, "the nearest known version is"),
        (("--cann", "9.0.0", "--chip", "910Z"), 2, "the matrix has no chip '910Z'"),
        (("--cann", "9.0.0", "--product", "Atlas 1"), 2, "the matrix has no product 'Atlas 1'"),
        (("--cann", "9.0.0", "--at", "soon"), 2, "write it as"),
    ],
)
def test_versions(ascendenv: Any, arguments: tuple[str, ...], code: int, words: str) -> None:
    found = ascendenv("outdated", *arguments, *(() if "--at" in arguments else ("--at", TODAY)))
    assert (found.code, words in found.out + found.err) == (code, True)


def test_a_lock_with_two_stacks(ascendenv: Any, lock: str) -> None:
    found = ascendenv("outdated", lock, "--at", TODAY)
    assert found.code == 1
    assert "prod: chip Ascend910B3, driver 25.2.0, CANN 8.2.RC1" in found.out
    assert "canary: chip Ascend910B3, CANN" in found.out
    assert "end of life: torch 2.5.1, since 2026-08-08" in found.out
    assert "* driver 25.2.0 carries it, too" in found.out
    assert "how to get there: ascendenv matrix pick --chip Ascend910B3 --cann" in found.out


def test_one_stack_of_a_lock(ascendenv: Any, lock: str) -> None:
    canary = ascendenv("outdated", lock, "--stack", "canary", "--at", TODAY)
    assert (canary.code, "prod" in canary.out) == (0, False)
    assert ascendenv("outdated", lock, "--stack", "prod", "--at", TODAY).code == 1
    unknown = ascendenv("outdated", lock, "--stack", "test")
    assert (unknown.code, "canary, prod" in unknown.err) == (2, True)


def test_the_record(ascendenv: Any, lock: str) -> None:
    found = ascendenv("outdated", lock, "--stack", "prod", "--at", TODAY, "--format", "json")
    assert set(found.data) == {"schema_version", "at", "stacks"}
    (stack,) = found.data["stacks"]
    assert stack["name"] == "prod"
    assert stack["current"]["torch"] == "2.5.1+cpu"
    (end,) = stack["end_of_life"]
    assert {key: end[key] for key in ("component", "version", "over", "since")} == {
        "component": "torch",
        "version": "2.5.1",
        "over": True,
        "since": "2026-08-08",
    }
    first = stack["newer"][0]
    assert first["roles"] == ["newest"]
    assert {"component": "cann", "before": "8.2.RC1", "after": first["set"]["cann"]} in first["changes"]


def test_a_lock_that_was_edited_is_refused(ascendenv: Any, lock: str) -> None:
    path = Path(lock)
    path.write_text(path.read_text().replace("8.2.RC1", "8.3.RC1", 1))
    found = ascendenv("outdated", lock)
    assert (found.code, f"{lock}:" in found.err) == (2, True)


def test_chinese(ascendenv: Any, lock: str) -> None:
    found = ascendenv("outdated", lock, "--at", TODAY, "--lang", "zh")
    assert "生命周期已结束：torch 2.5.1，自 2026-08-08 起" in found.out
    assert "升级方法：ascendenv matrix pick" in found.out


def test_a_sites_rows_count(ascendenv: Any, tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "torch_npu").mkdir(parents=True)
    (site / "torch_npu" / "2.14.0.post9.yaml").write_text(
        'version: "2.14.0.post9"\ntorch: "2.14.0"\nbasis: official\ncann: ["9.2.0"]\non_index: true\n'
        'wheels: {aarch64: ["cp311"]}\nsource: [our own build]\n'
    )
    arguments = ("outdated", "--cann", "9.2.0", "--torch-npu", "2.14.0", "--at", TODAY)
    assert ascendenv(*arguments).code == 0
    found = ascendenv(*arguments, "--matrix", str(site))
    assert (found.code, "2.14.0.post9" in found.out) == (1, True)
