"""From wishes to a lock: what is resolved, what stays, what is remembered, and what the check says of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.lock.stacks import with_file

from ascendenv.errors import UnusableInput
from ascendenv.lock import locking as module
from ascendenv.lock.changes import changes
from ascendenv.lock.check import differences
from ascendenv.lock.clash import WishesClash
from ascendenv.lock.compose import Known
from ascendenv.lock.digest import digest, part_digest
from ascendenv.lock.explain import explained
from ascendenv.lock.lock_file import read_lock
from ascendenv.lock.locking import EVERYTHING, Locking, made
from ascendenv.lock.spec import Interpreter, Mirror, Sources, Spec, StackWishes
from ascendenv.lock.writing import write_all
from ascendenv.matrix.artefacts import Artefacts
from ascendenv.matrix.model import Matrix
from ascendenv.versions import VersionRange, pep440

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.lock.index import Index

    from ascendenv.lock.model import Lock, Stack

PYTHONIC = ("torch", "torch_npu", "python")
WISHES = {"cann": "8.5.0", "torch_npu": "2.9.0", "python": "3.11"}


RANGES = ("driver", "firmware", "cann", *PYTHONIC)


@pytest.fixture(scope="module")
def ask(known: Known, index: Index, machine: dict[str, str]) -> Iterator[Callable[..., Locking]]:
    def locking(before: Lock | None = None, upgrade: tuple[str, ...] = (), **wishes: object) -> Locking:
        ranges = {
            name: VersionRange(str(text), "pep440" if name in PYTHONIC else "vendor")
            if name in RANGES
            else text
            for name, text in {**WISHES, **wishes}.items()
            if text is not None
        }
        stack = StackWishes(**{"chip": "910B3", "arch": ("aarch64", "x86_64"), **ranges})  # type: ignore[arg-type]
        spec = Spec(stacks={"prod": stack}, sources=Sources(index=index.simple, torch_index=index.cpu))
        return Locking(spec=spec, known=known, before=before, upgrade=upgrade, today="2026-11-29")

    with pytest.MonkeyPatch.context() as patch:
        for name in ("UV_OFFLINE", "PIP_INDEX_URL", "UV_DEFAULT_INDEX"):
            patch.delenv(name, raising=False)
        patch.setenv("UV_CACHE_DIR", machine["UV_CACHE_DIR"])
        yield locking


@pytest.fixture(scope="module")
def base(ask: Callable[..., Locking]) -> Lock:
    return made(ask())


@pytest.fixture(scope="module")
def older(ask: Callable[..., Locking]) -> Lock:
    """A lock in which some things are older than they could be."""
    return made(ask(pip=("numpy<1.26.4",), driver="25.5.0"))


def versions(stack: Stack) -> dict[str, str]:
    return {name: text for part in stack.parts for name, text in part.values}


def pip(stack: Stack, arch: str) -> dict[str, str]:
    return {one.name: one.version for one in stack.artefacts(arch) if one.component == "pip"}


def test_a_lock_names_every_version_and_file(ask: Callable[..., Locking], tmp_path: Path) -> None:
    lock = made(
        ask(pip=("accelerate",), profile="training", env={"A": "1"}, image="ubuntu:22.04", os="ubuntu 22.04")
    )

    stack = lock.stacks[0]
    assert versions(stack) == {
        "driver": "25.5.1",
        "firmware": "7.8.0.6.201",
        "toolkit": "8.5.0",
        "ops": "8.5.0",
        "nnal": "8.5.0",
        "python": "3.11",
        "torch": "2.9.0",
        "torch_npu": "2.9.0",
        "purpose": "training",
        "env.A": "1",
        "base": "ubuntu:22.04",
    }
    assert stack.level == "recommended"
    assert stack.family == "910B"
    assert all(
        one.sha256 is not None and one.size is not None for one in stack.artefacts() if one.component == "pip"
    )
    assert {one.kind for one in stack.reasons} >= {"cann-hdk", "cann-torch_npu", "torch_npu-torch", "os"}
    write_all(tmp_path / "ascendenv.lock", lock)
    assert read_lock(tmp_path / "ascendenv.lock") == lock


def test_torch_is_a_cpu_build_on_every_architecture(base: Lock) -> None:
    (stack,) = base.stacks

    assert pip(stack, "x86_64")["torch"] == "2.9.0+cpu"
    assert pip(stack, "aarch64")["torch"] == "2.9.0"
    assert not [one for one in stack.artefacts() if one.name.startswith(("nvidia", "cuda"))]


def test_wheels_with_other_bytes_than_published_are_told(base: Lock) -> None:
    """The wheels of these tests bear the names of real ones."""
    assert "torch_npu-2.9.0-cp311-cp311-manylinux_2_28_x86_64.whl: its maker published other" in (
        " ".join(base.stacks[0].unknown)
    )


def test_the_same_wishes_make_the_same_text(ask: Callable[..., Locking], base: Lock) -> None:

    assert made(ask()) == base
    assert made(ask(base)) == base


def test_a_lock_whose_pip_set_stays_asks_no_index(
    ask: Callable[..., Locking], base: Lock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "resolve_pip_set", lambda *_: pytest.fail("asked"))

    moved = made(ask(base, driver="25.5.2"))

    assert {one.what for one in changes(base, moved)} == {"driver", "firmware"}
    assert part_digest(moved.stacks[0].part("python"), moved.stacks[0]) == part_digest(
        base.stacks[0].part("python"), base.stacks[0]
    )


def test_a_new_requirement_moves_nothing_else(ask: Callable[..., Locking], older: Lock, index: Index) -> None:

    moved = made(ask(older, pip=("tqdm",), driver="25.5.0"))

    assert [(one.what, one.direction, one.arch) for one in changes(older, moved)] == [
        ("tqdm", "added", "aarch64"),
        ("tqdm", "added", "x86_64"),
    ]
    assert pip(moved.stacks[0], "aarch64")["numpy"] == "1.26.3"


@pytest.mark.parametrize(
    ("upgrade", "moved"),
    [
        (("numpy",), {"numpy"}),
        (("torch_npu",), {"torch_npu", "torch-npu"}),
        (("driver",), {"driver", "firmware"}),
        (("toolkit",), {"toolkit", "ops", "nnal", "nnal sha256", "ops sha256", "toolkit sha256"}),
    ],
)
def test_an_upgrade_changes_what_was_named(
    upgrade: tuple[str, ...], moved: set[str], ask: Callable[..., Locking], older: Lock
) -> None:
    wishes = {"torch_npu": "<2.9.0.post3", "cann": "<9"}

    after = made(ask(older, upgrade, **wishes))

    assert {one.what for one in changes(older, after)} <= moved
    assert {one.what for one in changes(older, after)}
    assert {one.direction for one in changes(older, after)} <= {"up", "changed"}


def test_an_upgrade_of_everything_takes_the_best_set_anew(ask: Callable[..., Locking], older: Lock) -> None:

    after = made(ask(older, (EVERYTHING,)))

    assert versions(after.stacks[0])["driver"] == "25.5.1"
    assert pip(after.stacks[0], "x86_64")["numpy"] == "1.26.4"


def test_an_upgrade_of_something_unknown_names_the_nearest(ask: Callable[..., Locking], base: Lock) -> None:

    with pytest.raises(UnusableInput, match="the lock has nothing called nunpy") as caught:
        made(ask(base, ("nunpy",)))

    assert "numpy" in str(caught.value.hint)


def test_clashing_wishes_are_told(ask: Callable[..., Locking]) -> None:
    with pytest.raises(WishesClash, match=r"these together: driver '25\.0\.RC1', cann '9\.2\.0'"):
        made(ask(cann="9.2.0", driver="25.0.RC1", torch_npu=None))


def test_a_hash_that_the_site_filled_in_is_remembered(ask: Callable[..., Locking], base: Lock) -> None:
    filled = with_file(
        base.stacks[0], "hdk", "firmware", sha256="9" * 64, size=7, verified="vendor signature"
    )

    again = made(ask(replace(base, stacks=(filled,)), pip=("tqdm",)))

    (firmware,) = (one for one in again.stacks[0].artefacts() if one.name == "firmware")
    assert (firmware.sha256, firmware.size, firmware.verified) == ("9" * 64, 7, "vendor signature")


def test_addresses_that_are_known_stay_when_a_mirror_is_asked(
    ask: Callable[..., Locking], base: Lock, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", index.simple)
    plain = ask(base, pip=("tqdm",))
    mirrored = replace(plain, spec=replace(plain.spec, sources=Sources(torch_index=index.cpu)))

    again = made(mirrored)

    files = {one.name: one.urls for one in again.stacks[0].artefacts() if one.component == "pip"}
    assert files["scipy"] == (f"{index.simple}/scipy/scipy-1.1-py3-none-any.whl",)
    assert files["tqdm"] == ()


def test_an_interpreter_of_the_site_is_part_of_the_lock(ask: Callable[..., Locking]) -> None:
    archive = Interpreter(arch="x86_64", version=pep440("3.11.9"), file="py.tar.gz", sha256="1" * 64, size=3)

    lock = made(ask(arch=("x86_64",), interpreter=(archive,)))

    stack = lock.stacks[0]
    (own,) = (one for one in stack.artefacts() if one.component == "interpreter")
    assert (own.version, own.sha256, own.verified, own.arch) == ("3.11.9", "1" * 64, "spec", "x86_64")
    assert stack.value("python") == "3.11.9"
    assert part_digest(stack.part("python"), stack) != part_digest(
        made(ask(arch=("x86_64",))).stacks[0].part("python"), stack
    )


def test_only_the_named_stack_is_locked_anew(ask: Callable[..., Locking]) -> None:
    plain = ask()
    two = replace(
        plain, spec=replace(plain.spec, stacks={**plain.spec.stacks, "canary": plain.spec.stacks["prod"]})
    )
    first = made(two)
    wishes = {
        name: replace(one, driver=VersionRange("25.5.2", "vendor")) for name, one in two.spec.stacks.items()
    }

    after = made(replace(two, spec=replace(two.spec, stacks=wishes), before=first, only=("canary",)))

    assert {one.stack for one in changes(first, after)} == {"canary"}
    with pytest.raises(UnusableInput, match="there is no stack dev"):
        made(replace(two, only=("dev",)))


# --check


@pytest.mark.parametrize(
    ("wishes", "told"),
    [
        ({}, []),
        ({"driver": ">=25.5"}, []),
        (
            {"driver": "25.5.2"},
            ["driver 25.5.1 would be 25.5.2", "firmware 7.8.0.6.201 would be 7.8.0.7.220"],
        ),
        ({"pip": ("tqdm",)}, ["the pip set is asked for tqdm"]),
        ({"op_compiler": False}, ["the pip set is no longer asked for scipy"]),
        ({"profile": "training"}, ["purpose - would be training"]),
        ({"env": {"A": "1"}}, ["env.A - would be 1"]),
        ({"os": "openeuler 22.03"}, ["os - would be openeuler 22.03"]),
        ({"chip": "910B2"}, ["chip Ascend910B3 would be Ascend910B2"]),
        ({"arch": ("aarch64",)}, ["arch aarch64 x86_64 would be aarch64"]),
        ({"glibc": "2.35"}, ["the Python, the glibc or the sources of the pip set are others"]),
        ({"cann": "9.9.9"}, ["no stack of the matrix has"]),
    ],
)
def test_the_check_says_what_would_change(
    wishes: dict[str, object], told: list[str], ask: Callable[..., Locking], base: Lock, tmp_path: Path
) -> None:
    path = tmp_path / "ascendenv.lock"
    write_all(path, base)
    # chips and systems are names, not ranges
    asked = ask(base, **{name: text for name, text in wishes.items() if name not in ("chip", "os")})
    names = {name: text for name, text in wishes.items() if name in ("chip", "os")}
    stacks = {name: replace(one, **names) for name, one in asked.spec.stacks.items()}  # type: ignore[arg-type]

    found = differences(replace(asked, spec=replace(asked.spec, stacks=stacks)), base, path)

    shown = [str(one.message) for one in found if not one.harmless]
    assert bool(shown) == bool(told), shown
    assert all(any(text in one for one in shown) for text in told), shown


def test_the_check_asks_no_index(
    ask: Callable[..., Locking], base: Lock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_all(tmp_path / "ascendenv.lock", base)
    monkeypatch.setattr(module, "resolve_pip_set", lambda *_: pytest.fail("asked"))

    assert differences(ask(base), base, tmp_path / "ascendenv.lock") == ()


def test_stacks_that_come_and_go_and_edited_files_are_told(
    ask: Callable[..., Locking], base: Lock, tmp_path: Path
) -> None:
    path = tmp_path / "ascendenv.lock"
    write_all(path, base)
    (tmp_path / "ascendenv.lock.d" / "prod-x86_64.constraints.txt").unlink()
    plain = ask(base)
    renamed = replace(plain, spec=replace(plain.spec, stacks={"new": plain.spec.stacks["prod"]}))

    assert [(one.stack, str(one.message)) for one in differences(renamed, base, path)] == [
        ("new", "the lock does not have this stack yet"),
        ("prod", "the wishes have no such stack any more"),
        ("", "prod-x86_64.constraints.txt does not follow from the lock"),
    ]


def test_a_new_row_of_the_matrix_is_harmless_and_leaves_the_digest(
    ask: Callable[..., Locking], base: Lock, known: Known, tmp_path: Path
) -> None:
    path = tmp_path / "ascendenv.lock"
    write_all(path, base)
    newer = {**known.matrix.raw["hdk"][0], "hdk": "99.0.0", "pairs": []}
    rows = {**known.matrix.raw, "hdk": [newer, *known.matrix.raw["hdk"]]}
    grown = Known(Matrix(rows), known.artefacts, "sha256:" + "5" * 64)

    found = differences(replace(ask(base), known=grown), base, path)
    again = made(replace(ask(base), known=grown))

    assert [(str(one.message), one.harmless) for one in found] == [
        ("it was made with another matrix; nothing in it changes", True)
    ]
    assert digest(again) == digest(base)


def test_a_hash_that_gets_published_is_harmless_and_another_hash_is_not(
    ask: Callable[..., Locking], known: Known, tmp_path: Path
) -> None:
    lock = made(ask(arch=("aarch64",)))
    path = tmp_path / "ascendenv.lock"
    write_all(path, lock)
    published = {
        "package": "firmware",
        "version": "7.8.0.6.201",
        "filename": "Ascend-hdk-910b-npu-firmware_7.8.0.6.201.run",
        "format": "run",
        "family": "910B",
        "sha256": "4" * 64,
        "verified_by": "deployer",
        "source": ["a test"],
    }
    row: dict[str, object] = {"component": "hdk", "release": "25.5.1", "files": [published]}
    artefacts = Artefacts({**known.artefacts.raw, "artefacts": [row, *known.artefacts.raw["artefacts"]]})
    grown = replace(ask(lock, arch=("aarch64",)), known=Known(known.matrix, artefacts, known.digest))

    (harmless,) = differences(grown, lock, path)
    assert harmless.harmless
    assert "firmware sha256 unverified would be 4444" in str(harmless.message)

    filled = replace(lock, stacks=(with_file(lock.stacks[0], "hdk", "firmware", sha256="6" * 64),))
    write_all(path, filled)
    (bad,) = differences(grown, filled, path)
    assert not bad.harmless


# --explain


def test_every_version_is_explained_with_relations_and_what_was_left_out(
    ask: Callable[..., Locking], base: Lock
) -> None:
    asked = ask(driver="<26", torch_npu=">=2.9")
    (stack,) = base.stacks

    told = {
        one.component: one
        for one in explained(asked.known.matrix, stack, asked.spec.stacks["prod"], "2026-11-29")
    }

    assert list(told) == ["driver", "firmware", "cann", "torch", "torch_npu", "python"]
    assert told["cann"].wish == "8.5.0"
    assert told["firmware"].wish is None
    assert {one.kind for one in told["driver"].relations} >= {"cann-hdk", "driver-firmware", "hdk-chip"}
    assert all(one.sources for one in told["cann"].relations)
    rejected = {one.version: str(one.why) for one in told["driver"].rejected}
    assert rejected["26.0.rc1"] == "the wish driver = '<26' leaves it out"
    assert rejected["25.5.2"] == "it is compatible, and the one taken is recommended"
    python = {one.version: str(one.why) for one in told["python"].rejected}
    assert python["3.12"] == "the wish python = '3.11' leaves it out"
    assert str(told["torch_npu"].rejected[0].why) == "it is compatible, and the one taken is recommended"
    assert told["torch_npu"].more > 0


def test_without_wishes_the_matrix_alone_explains(known: Known, base: Lock) -> None:
    told = {one.component: one for one in explained(known.matrix, base.stacks[0], None)}

    python = {one.version: str(one.why) for one in told["python"].rejected}
    assert "has wheels only for" in python["3.14"]
    assert all(one.wish is None for one in told.values())
    driver = {one.version: str(one.why) for one in told["driver"].rejected}
    assert set(driver) >= {"25.5.2", "26.0.rc1"}


def test_sources_are_kept_for_whoever_fetches() -> None:
    mirror = Mirror(prefix="https://a/", url="https://b/{path}")

    assert Sources(mirrors=(mirror,)).mirrors == (mirror,)
