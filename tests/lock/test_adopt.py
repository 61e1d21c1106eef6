"""A lock from what a machine runs: what is known becomes part of it, what is not is listed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ascendenv.errors import NothingChecked
from ascendenv.facts.model import HostFacts, OpsPackage, OsRelease, Package, Packages
from ascendenv.lock.adopt import Adopted, adopted
from ascendenv.lock.adopt_wheels import wheels_of
from ascendenv.lock.digest import part_digest
from ascendenv.lock.lock_file import read_lock, write_lock
from ascendenv.lock.model import Lock
from ascendenv.lock.spec import Sources
from ascendenv.versions import pep440, vendor

if TYPE_CHECKING:
    from pathlib import Path

    from tests.lock.index import Index

    from ascendenv.lock.compose import Known

PACKAGES = {
    "torch": "2.9.0+cpu",
    "torch-npu": "2.9.0",
    "numpy": "1.26.3",
    "our-own": "0.1",
    "nvidia-cublas-cu12": "12.8",
}


def box(**changes: Any) -> HostFacts:
    seen: dict[str, Any] = {
        "arch": "x86_64",
        "os": OsRelease("ubuntu", "22.04", "Ubuntu 22.04.5 LTS"),
        "chip": "Ascend910B3",
        "driver": vendor("25.5.0"),
        "firmware": vendor("7.8.0.5.216"),
        "cann": vendor("8.5.0"),
        "ops": (OpsPackage("910b", vendor("8.5.0")),),
        "nnal": vendor("8.5.0"),
        "python": pep440("3.11.9"),
        "torch": pep440("2.9.0+cpu"),
        "torch_npu": pep440("2.9.0"),
        "packages": Packages({name: Package(name, text) for name, text in PACKAGES.items()}, complete=True),
    }
    return HostFacts(**{name: value for name, value in {**seen, **changes}.items() if value is not None})


def told(found: Adopted) -> list[str]:
    return [str(one) for one in found.unknown]


def test_a_whole_machine_becomes_a_stack(known: Known) -> None:
    found = adopted(box(), "prod", known)

    stack = found.stack
    assert {name: text for part in stack.parts for name, text in part.values} == {
        "driver": "25.5.0",
        "firmware": "7.8.0.5.216",
        "toolkit": "8.5.0",
        "ops": "8.5.0",
        "nnal": "8.5.0",
        "python": "3.11.9",
        "torch": "2.9.0",
        "torch_npu": "2.9.0",
    }
    assert (stack.name, stack.arch, stack.chip, stack.family, stack.os) == (
        "prod",
        ("x86_64",),
        "Ascend910B3",
        "910B",
        "ubuntu 22.04",
    )
    assert (stack.release, stack.level) == ("25.5.0", "recommended")
    hdk = next(one for one in stack.artefacts() if one.component == "hdk")
    assert hdk.is_verified
    assert told(found) == ["Ascend-cann-nnal_8.5.0_linux-x86_64.run: no source publishes its hash"]


@pytest.mark.parametrize(
    ("changes", "unknown"),
    [
        ({"firmware": None}, "firmware: the input does not tell"),
        ({"chip": None}, "chip: the input does not tell"),
        ({"ops": None}, "the ops package: none was seen, or several"),
        (
            {"ops": (OpsPackage("910b", vendor("8.5.0")), OpsPackage("310p", vendor("8.3.RC1")))},
            "the ops package: none was seen, or several",
        ),
        (
            {"driver": None, "driver_on_disk": vendor("25.5.0")},
            "driver 25.5.0 lies on disk; whether it runs was not seen",
        ),
        ({"driver_on_disk": vendor("25.5.1")}, "driver 25.5.0 runs, and 25.5.1 lies on disk"),
        ({"nnal": None}, "nnal: the input does not tell"),
        ({"packages": None}, "packages: the input does not tell"),
        ({"packages": Packages({})}, "the Python packages: only some of them were seen"),
        ({"driver": vendor("99.1.0")}, "the matrix does not know driver 99.1.0"),
        ({"torch": pep440("2.8.0")}, "torch_npu 2.9.0 + torch 2.8.0: "),
    ],
)
def test_what_is_not_known_is_listed(changes: dict[str, Any], unknown: str, known: Known) -> None:
    found = adopted(box(**changes), "prod", known)

    assert any(one.startswith(unknown) for one in told(found)), told(found)
    assert any(one.startswith(unknown) for one in found.stack.unknown)


@pytest.mark.parametrize(
    "changes",
    [{"arch": None}, {"arch": "riscv64"}, {"driver": None, "cann": None, "torch_npu": None}],
)
def test_a_machine_without_a_stack_is_none(changes: dict[str, Any], known: Known) -> None:
    with pytest.raises(NothingChecked, match="no stack was seen there"):
        adopted(box(**changes), "prod", known)


def test_a_bare_driver_is_a_stack(known: Known, tmp_path: Path) -> None:
    bare = dict.fromkeys(("cann", "ops", "nnal", "python", "torch", "torch_npu", "packages", "firmware"))

    found = adopted(box(**bare), "prod", known)

    assert found.stack.value("driver") == "25.5.0"
    write_lock(tmp_path / "x.lock", Lock(stacks=(found.stack,)))
    assert read_lock(tmp_path / "x.lock").stacks == (found.stack,)


@pytest.fixture
def asked(machine_settings: None, index: Index) -> Sources:
    return Sources(index=index.simple, torch_index=index.cpu)


@pytest.fixture
def machine_settings(machine: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("UV_OFFLINE", "PIP_INDEX_URL", "UV_DEFAULT_INDEX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UV_CACHE_DIR", machine["UV_CACHE_DIR"])


def test_wheels_are_found_on_the_index_and_the_rest_is_told(
    asked: Sources, known: Known, tmp_path: Path
) -> None:
    found = adopted(box(), "prod", known)

    wheels, unknown = wheels_of(box(), found.stack, known.matrix, asked)

    files = {one.name: one for one in wheels}
    assert set(files) == set(PACKAGES) - {"nvidia-cublas-cu12"}
    assert files["torch"].file == "torch-2.9.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl"
    assert files["numpy"].version == "1.26.3"
    assert (files["our-own"].file, files["our-own"].sha256, files["our-own"].verified) == (
        None,
        None,
        "unverified",
    )
    assert [str(one) for one in unknown] == [
        "nvidia-cublas-cu12 12.8 is left out: it is a package of CUDA",
        "no hash is known for the packages our-own 0.1",
    ]
    whole = found.with_wheels(wheels, unknown).stack
    write_lock(tmp_path / "x.lock", Lock(stacks=(whole,)))
    assert read_lock(tmp_path / "x.lock").stacks == (whole,)
    assert part_digest(whole.part("python"), whole) != part_digest(found.stack.part("python"), found.stack)


def test_without_an_index_names_and_versions_are_kept(known: Known) -> None:
    found = adopted(box(), "prod", known)

    wheels, unknown = wheels_of(box(), found.stack, known.matrix, Sources(), ask_index=False)

    assert {one.name: one.version for one in wheels if one.sha256 is None} == {
        name: version for name, version in PACKAGES.items() if not name.startswith("nvidia")
    }
    assert "no hash is known for the packages numpy 1.26.3, our-own 0.1, torch 2.9.0+cpu" in str(unknown[-1])


def test_an_index_that_does_not_answer_is_told_and_costs_nothing_else(
    machine_settings: None, known: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    found = adopted(box(), "prod", known)

    wheels, unknown = wheels_of(box(), found.stack, known.matrix, Sources(index="http://127.0.0.1:9/simple"))

    assert all(one.sha256 is None for one in wheels)
    assert "uv failed on the pip set" in str(unknown[1])
